"""Writes MindSpore's answers to the calls in ``fuzz_calls.json``, which the differential fuzzer found worth keeping.

Those of ``fuzz_graphs.json`` are compiled (GRAPH_MODE), each in a process of its own: after an error MindSpore's
compiler is not to be relied on.

Run it with an interpreter that has MindSpore 2.10 and numpy 1.26: ``python tests/golden/make_fuzz_calls.py``. A row is
``[family, code, operands, answer]``; rows may be added with any answer.
"""

import json
import multiprocessing
import pathlib
import sys
import tempfile

import mindspore as ms
import mindspore.numpy as mnp
import numpy as np
from mindspore import Tensor, mint, nn, ops

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
from recorded import answer, answer_of_graph, graphs  # noqa: E402

FILE = pathlib.Path(__file__).with_name("fuzz_calls.json")
GRAPHS = FILE.with_name("fuzz_graphs.json")
SCOPE = {"ms": ms, "mnp": mnp, "np": np, "Tensor": Tensor, "mint": mint, "nn": nn, "ops": ops}


def main():
    rows = json.loads(FILE.read_text())
    rows = [[family, code, operands, answer(code, operands, SCOPE)] for family, code, operands, _ in rows]
    write(FILE, rows)
    rows = json.loads(GRAPHS.read_text())
    with tempfile.TemporaryDirectory() as folder:
        functions = graphs(rows, SCOPE, folder)
        write(GRAPHS, [[*row[:3], apart(function, row[2])] for row, function in zip(rows, functions, strict=True)])


def apart(function, operands):
    """The answer of a compiled call, from a process of its own."""
    here, there = multiprocessing.Pipe()
    context = multiprocessing.get_context("fork")
    process = context.Process(target=lambda: there.send(answer_of_graph(function, operands, SCOPE)))
    process.start()
    process.join(60)
    return here.recv() if here.poll() else "crash"


def write(file, rows):
    file.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")


if __name__ == "__main__":
    main()
