"""Writes ``optimize.json``: what MindSpore 2.10 finds for the rows of ``tests/optimize/cases.py``, in PYNATIVE_MODE.

    GLOG_v=4 ORACLE_PYTHON tests/golden/make_optimize.py

In GRAPH_MODE its ``minimize`` fails.
"""

import json
import pathlib
import sys

import mindspore as ms
from mindspore.scipy import optimize

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))

from tests.optimize.cases import answers  # noqa: E402  (found beside this folder)

ms.set_context(pynative_synchronize=True)
lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(results)}" for name, results in answers(ms, optimize).items())
(HERE / "optimize.json").write_text("{\n" + lines + "\n}\n")
