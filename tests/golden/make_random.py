"""Writes ``random.json``: what MindSpore's random operations give for a seed.

Run it with an interpreter that has MindSpore 2.10 and numpy 1.26: ``python tests/golden/make_random.py``. A row is
``[source, values of three calls, values of three calls of a jitted function]``, all of ``set_seed(5)``. What a row
makes before ``;`` is made once. Rows of the sources of ``CHECKSUMS`` have checksums in place of values.
"""

import importlib.util
import json
import linecache
import pathlib
import sys
import tempfile
import zlib

import mindspore
import numpy as np

FILE = pathlib.Path(__file__).with_name("random.json")
VALUES = [
    "ops.rand(3)",
    "ops.rand(2, 2, dtype=mindspore.float16)",
    "ops.rand(3, seed=7)",
    "ops.rand_like(x)",
    "ops.uniform((3,), Tensor(2.0), Tensor(5.0))",
    "ops.uniform((2,), Tensor(2.0), Tensor(5.0), seed=3)",
    "ops.randint(0, 10, (5,))",
    "ops.randint(-5, 3000000, (4,), seed=2)",
    "ops.randint(-2147483648, 2147483647, (3,), dtype=mindspore.int32)",
    "ops.randint_like(x, 3, 90, dtype=mindspore.int32)",
    "ops.standard_normal((3,))",
    "ops.standard_normal((2, 3), seed=4)",
    "ops.normal((3,), Tensor(1.0), Tensor(2.0))",
    "ops.randn(5)",
    "ops.randn_like(x)",
    "ops.dropout(x, 0.5)",
    "ops.dropout(x, 0.1)",
    "ops.dropout(x, 0.4, seed=9)",
    "ops.dropout(x.astype(mindspore.float16), 0.3)",
    "draw = ops.StandardNormal(3, 4); draw((3,))",
    "draw = ops.UniformReal(3, 4); draw((3,))",
    "draw = ops.UniformReal(0, 4); draw((3,))",
    "draw = ops.Dropout(0.7, 3, 4); draw(x)[1]",
    "draw = nn.Dropout(p=0.5).set_train(); draw(x)",
    "draw = nn.Dropout(keep_prob=0.9).set_train(); draw(x)",
    "draw = ops.UniformReal(3, 4); draw((2,)) + draw((3,))[:2]",
]
CHECKSUMS = [
    "ops.rand(40000)",
    "ops.randint(0, 2147483647, (40000,))",
    "ops.dropout(ops.ones((40001,)), 0.3)",
    "ops.dropout(ops.ones((7, 11, 13)), 0.5)",
]


PROGRAM = """
import mindspore, numpy as np
from mindspore import Tensor, nn, ops
x = Tensor(np.arange(1, 13).reshape(3, 4).astype(np.float32))
{}
def call():
    return {}
"""


def numbers(source, is_jitted):
    """The results of three calls."""
    mindspore.set_seed(5)
    setup, _, call = source.rpartition(";")
    with tempfile.TemporaryDirectory() as folder:  # MindSpore compiles the text of functions, which is that of a file
        path = pathlib.Path(folder) / "program.py"
        path.write_text(PROGRAM.format(setup, call.strip()))
        spec = importlib.util.spec_from_file_location("program", path)
        program = sys.modules["program"] = importlib.util.module_from_spec(spec)
        linecache.clearcache()
        spec.loader.exec_module(program)
        drawn = mindspore.jit(program.call) if is_jitted else program.call
        return [drawn() for _ in range(3)]


def main():
    rows = []
    for source in VALUES + CHECKSUMS:
        found = [[each.asnumpy() for each in numbers(source, is_jitted)] for is_jitted in (False, True)]
        if source in CHECKSUMS:
            rows.append([source, *([zlib.crc32(each.tobytes()) for each in part] for part in found)])
        else:
            rows.append([source, *([each.astype(np.float64).tolist() for each in part] for part in found)])
    FILE.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")


if __name__ == "__main__":
    main()
