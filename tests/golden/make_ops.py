"""Writes ``ops/TABLE.json``: values and derivatives of the rows of the tables in ``tests/op_cases`` by MindSpore.

    GLOG_v=4 ORACLE_PYTHON tests/golden/make_ops.py [NAME ...]

Names select rows or whole tables, the figures of the other rows being kept. Values come from PYNATIVE_MODE and
GRAPH_MODE, which must agree.
Derivatives come from GRAPH_MODE alone, since the second ones of PYNATIVE_MODE are wrong in MindSpore 2.10. With w and u
the row's fixed cotangents: ``first`` is the gradient of sum(w * f), ``second`` that of sum(u * first). What MindSpore
cannot compute is left out and named on the standard error stream, as is a face that differs from the row's expression.
What it computes wrongly is left out by the row's ``golden_order``.
A row with a ``reference`` has its values from that NumPy expression.
"""

import importlib
import os
import pathlib
import re
import sys

import mindspore as ms
import numpy as np
from _figures import encoded
from _tables import write_tables
from mindspore import Tensor, nn, ops
from mindspore.ops.operations import _grad_ops

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from op_cases import NAMES, TABLES  # noqa: E402  (found beside this folder)

TARGET = HERE / "ops"
# Inner Primitives, which msgrad has beside the others.
for name, inner in vars(_grad_ops).items():
    if name.endswith("Grad") and not hasattr(ops, name):
        setattr(ops, name, inner)
SOURCE = """
import mindspore as ms
import mindspore.numpy as mnp
import mindspore.scipy.ops_wrapper
from mindspore import Tensor, nn, ops

class Row(nn.Cell):
    def __init__(self, parameters, held):
        super().__init__()
        for name, value in parameters.items():
            setattr(self, name, ms.Parameter(value, name=name))
        for name, value in held.items():
            setattr(self, name, value)

    def construct(self{inputs}):
        return {expression}
"""


class Gradient(nn.Cell):
    def __init__(self, function, cotangent):
        super().__init__()
        self.function = function
        self.cotangent = cotangent
        self.grad = ops.GradOperation(get_all=True, sens_param=True)

    def construct(self, *inputs):
        return self.grad(self.function)(*inputs, self.cotangent)


def make_row(case, expression, inputs, folder):
    """Returns a Cell that computes ``expression``, and its inputs; GRAPH_MODE needs its source in a file."""
    path = pathlib.Path(folder) / f"row{len(os.listdir(folder))}.py"
    values = dict(zip(NAMES, inputs, strict=False))
    # Copies: in MindSpore a Parameter shares the storage of the Tensor that it is made of, and operations write to it.
    parameters = {name: Tensor(values.pop(name).asnumpy().copy()) for name in NAMES[: case.parameters]}
    held = {name: values.pop(name) for name in case.held()}
    for name in (*parameters, *held):
        expression = re.sub(rf"\b{name}\b", f"self.{name}", expression)
    path.write_text(SOURCE.format(inputs="".join(f", {name}" for name in values), expression=expression))
    return importlib.import_module(path.stem).Row(parameters, held), list(values.values())


def figures_of(case, folder, complain):
    """Returns the figures of one row as a dict ready for JSON."""
    arrays = case.inputs()
    tensors = [Tensor(array) for array in arrays]
    figures, outputs = {"inputs": [encoded(array) for array in arrays], "values": {}}, []
    for dtype in ("float32", *case.dtypes):
        if case.reference:
            names = dict(zip(NAMES, case.inputs(dtype), strict=False))
            figures["values"][dtype] = encoded(eval(case.reference, {"np": np, **names}))
            continue
        operands = [Tensor(array) for array in case.inputs(dtype)]
        results = {}
        for expression in (case.expression, *case.faces) if dtype == "float32" else (case.expression,):
            for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
                ms.set_context(mode=mode)
                try:
                    row, inputs = make_row(case, expression, operands, folder)
                    result = row(*inputs).asnumpy().copy()
                except Exception as error:
                    complain(f"{expression} ({dtype}, mode {mode}): {str(error).splitlines()[0]}")
                    continue
                results[expression, mode] = result
        if not results:
            continue
        value = next(iter(results.values()))
        figures["values"][dtype] = encoded(value)
        outputs = outputs or [value]
        for (expression, mode), result in results.items():
            same = (result.dtype, result.shape) == (value.dtype, value.shape) and np.allclose(
                result, value, rtol=1e-6, equal_nan=True
            )
            if not same:
                complain(f"{expression} ({dtype}, mode {mode}): {result.dtype} {result} for {value.dtype} {value}")
    if not outputs:
        return figures
    ms.set_context(mode=ms.GRAPH_MODE)
    function, tensors = make_row(case, case.expression, tensors, folder)
    for order, name in enumerate(("first", "second")[: min(case.order, case.golden_order)], 1):
        cotangents = [Tensor(array) for array in case.cotangents(outputs)]
        function = Gradient(function, cotangents[0] if order == 1 else tuple(cotangents))
        try:
            outputs = [gradient.asnumpy() for gradient in function(*tensors)]
        except Exception as error:
            complain(f"{name}: {str(error).splitlines()[0]}")
            break
        figures[name] = [encoded(array) for array in outputs]
    return figures


if __name__ == "__main__":
    write_tables(sys.argv[1:], TABLES, TARGET, figures_of)
