"""Writes ``halves.json``: values and gradients of the rows of ``tests/ops/half_rows.py`` by MindSpore.

    GLOG_v=4 ORACLE_PYTHON tests/golden/make_halves.py

Of an array its first eight elements, as float32; ``None`` for what MindSpore cannot compute on a CPU. Each row has a
process of its own, since some of them end it.
"""

import json
import multiprocessing
import pathlib
import sys

import mindspore as ms

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "ops"))

from half_rows import DTYPES, KINDS, ROWS, evaluated  # noqa: E402  (found beside this folder)


def evaluate(row, connection):
    for dtype in DTYPES:
        for kind in KINDS:
            connection.send(evaluated(ms, row, dtype, kind))


def figures_of(row):
    here, there = multiprocessing.Pipe(False)
    process = multiprocessing.get_context("fork").Process(target=evaluate, args=(row, there))
    process.start()
    there.close()
    for dtype in DTYPES:
        for kind in KINDS:
            try:
                figures = here.recv()
            except EOFError:  # the process has ended
                figures = [None, None]
            yield f"{row} | {dtype} | {kind}", figures
    process.join()


def main():
    lines = [f"{json.dumps(name)}: {json.dumps(figures)}" for row in ROWS for name, figures in figures_of(row)]
    (HERE / "halves.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


main()
