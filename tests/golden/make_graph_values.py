"""Writes ``graph_values.json``: what MindSpore makes of ``tests/programs/graph_values.py``, in both modes.

    GLOG_v=4 ORACLE_PYTHON tests/golden/make_graph_values.py

A call that MindSpore refuses has no figure.
"""

import json
import pathlib
import sys

import mindspore as ms

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))

from graph_values import cases, type_and_value  # noqa: E402  (found beside this folder)


def figure(function, value):
    try:
        return type_and_value(function(value))
    except Exception:
        return None


rows = {
    name: [figure(function, value), figure(ms.jit(function), value)] for name, (function, value) in cases(ms).items()
}
lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()]
(HERE / "graph_values.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
