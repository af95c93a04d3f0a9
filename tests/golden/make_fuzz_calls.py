"""Writes MindSpore's answers to the calls in ``fuzz_calls.json``, which the differential fuzzer found worth keeping.

Run it with an interpreter that has MindSpore 2.10 and numpy 1.26: ``python tests/golden/make_fuzz_calls.py``. A row is
``[family, code, operands, answer]``; rows may be added with any answer.
"""

import json
import pathlib
import sys

import mindspore as ms
import mindspore.numpy as mnp
import numpy as np
from mindspore import Tensor, mint, nn, ops

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
from recorded import answer  # noqa: E402

FILE = pathlib.Path(__file__).with_name("fuzz_calls.json")
SCOPE = {"ms": ms, "mnp": mnp, "np": np, "Tensor": Tensor, "mint": mint, "nn": nn, "ops": ops}


def main():
    rows = json.loads(FILE.read_text())
    rows = [[family, code, operands, answer(code, operands, SCOPE)] for family, code, operands, _ in rows]
    FILE.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")


if __name__ == "__main__":
    main()
