"""Writes ``primitive_objects.json``: the class of each ``..._op`` in MindSpore's ``ops.auto_generate``, and its call.

GLOG_v=4 ORACLE_PYTHON tests/golden/make_primitive_objects.py
"""

import inspect
import json
import pathlib

from mindspore.ops import Primitive, auto_generate

HERE = pathlib.Path(__file__).resolve().parent
found = {
    name: [type(given).__name__, list(inspect.signature(type(given).__call__).parameters)]
    for name, given in sorted(vars(auto_generate).items())
    if name.endswith("_op") and isinstance(given, Primitive)
}
(HERE / "primitive_objects.json").write_text(
    "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in found.items()) + "\n}\n"
)
