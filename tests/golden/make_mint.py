"""Writes ``mint.json``: what MindSpore makes of the rows of ``tests/mint/cases.py``.

    GLOG_v=4 ORACLE_PYTHON tests/golden/make_mint.py

Most of `mint` has no kernel for CPUs. Where it has, ``values`` are MindSpore's; else ``infers`` are dtype and shape of
each result, as its compiler infers them without computing: a network that returns them alone computes nothing.
"""

import importlib
import json
import os
import pathlib
import sys
import tempfile

import mindspore as ms
from _figures import encoded

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))

from tests.mint.cases import CASES  # noqa: E402  (found beside this folder)
from tests.op_cases.case import NAMES  # noqa: E402

SOURCE = """
import mindspore as ms
from mindspore import Tensor, mint, nn

class Row(nn.Cell):
    def construct(self, {names}):
        results = {expression}
        results = results if isinstance(results, (tuple, list)) else (results,)
        shown = ()
        for each in results:
            shown = shown + ((each.dtype, each.shape),)
        return shown
"""


def figures_of(case, folder):
    inputs = dict(zip(NAMES, [ms.Tensor(array) for array in case.inputs()], strict=False))
    ms.set_context(mode=ms.PYNATIVE_MODE, pynative_synchronize=True)
    try:
        results = eval(case.expression, {"ms": ms, "mint": ms.mint, **inputs})
        results = results if isinstance(results, (tuple, list)) else (results,)
        return {"values": [encoded(each.asnumpy()) for each in results]}
    except Exception as error:  # MindSpore raises many types
        print(case.name, "|", str(error).strip().splitlines()[:1], file=sys.stderr)
    ms.set_context(mode=ms.GRAPH_MODE)
    path = pathlib.Path(folder) / f"row{len(os.listdir(folder))}.py"
    path.write_text(SOURCE.format(names=", ".join(inputs), expression=case.expression))
    try:
        shown = importlib.import_module(path.stem).Row()(*inputs.values())
        return {"infers": [[str(ms.dtype_to_nptype(dtype).__name__), list(shape)] for dtype, shape in shown]}
    except Exception as error:
        print(case.name, "| compiled:", str(error).strip().splitlines()[:1], file=sys.stderr)
        return {}


def main():
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        figures = {case.name: figures_of(case, folder) for case in CASES}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(results)}" for name, results in figures.items())
    (HERE / "mint.json").write_text("{\n" + lines + "\n}\n")


main()
