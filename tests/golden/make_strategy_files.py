"""Writes the files of ``strategy_files``: those that MindSpore writes for the network of ``tests/parallel``.

GLOG_v=4 ORACLE_PYTHON tests/golden/make_strategy_files.py

Compiling fails after it has written the file, since there are no devices: see `_pretended_devices`.
"""

import pathlib
import sys

import mindspore as ms
import numpy as np
from _pretended_devices import pretend
from mindspore.common.api import _cell_graph_executor

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "parallel"))

from strategy_network import DEVICES, SETTINGS, settings, step  # noqa: E402  (beside this folder)

if __name__ == "__main__":
    pretend(DEVICES)
    for name in sys.argv[1:] or SETTINGS:
        path = HERE / "strategy_files" / name
        path.unlink(missing_ok=True)
        ms.reset_auto_parallel_context()
        ms.set_auto_parallel_context(device_num=DEVICES, global_rank=0, **settings(name, str(path)))
        cell, operand = step(ms, np)
        try:
            _cell_graph_executor.compile(cell, operand, phase="train")
        except (RuntimeError, ValueError) as error:
            print(name, path.exists(), str(error).partition("\n")[0])
