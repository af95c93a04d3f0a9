"""Writes ``primitive_objects.json``: the class of each ``..._op`` in MindSpore's ``ops.auto_generate``, and its call.

And ``array_objects.json``: the class of each object of a Primitive in its ``ops.function.array_func``.

GLOG_v=4 ORACLE_PYTHON tests/golden/make_primitive_objects.py
"""

import inspect
import json
import pathlib

from mindspore.ops import Primitive, auto_generate
from mindspore.ops.function import array_func

HERE = pathlib.Path(__file__).resolve().parent
result = {
    name: [type(value).__name__, list(inspect.signature(type(value).__call__).parameters)]
    for name, value in sorted(vars(auto_generate).items())
    if name.endswith("_op") and isinstance(value, Primitive)
}
objects = {
    name: type(value).__name__
    for name, value in sorted(vars(array_func).items())
    if isinstance(value, Primitive) and name.endswith(("_", "_op")) and type(value).__name__ != "ProxyOp"
}


def write(name, rows):
    lines = [f"{json.dumps(key)}: {json.dumps(row)}" for key, row in rows.items()]
    (HERE / name).write_text("{\n" + ",\n".join(lines) + "\n}\n")


write("primitive_objects.json", result)
write("array_objects.json", objects)
