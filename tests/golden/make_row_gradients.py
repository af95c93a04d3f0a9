"""Writes ``row_gradients.npz``: tables and slots after three steps by gradients by rows.

    GLOG_v=4 ORACLE_PYTHON tests/golden/make_row_gradients.py

The figures come from GRAPH_MODE, as MindSpore refuses these gradients in PYNATIVE_MODE. What it cannot compute is named
on the standard error stream.
"""

import pathlib
import sys

import mindspore as ms
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "nn"))

from row_gradient_cases import CASES, run  # noqa: E402  (found beside this folder)

ms.set_context(mode=ms.GRAPH_MODE)
figures = {}
for name, case in CASES.items():
    try:
        figures[name] = np.stack(run(case, ms))
    except Exception as error:  # MindSpore raises many types
        print(name, type(error).__name__, str(error).strip().splitlines()[:1], file=sys.stderr)
np.savez(HERE / "row_gradients.npz", **figures)
