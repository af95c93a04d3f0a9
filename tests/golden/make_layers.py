"""Writes ``layers/TABLE.json``: what MindSpore says of the rows of the tables in ``tests/layer_cases``.

    GLOG_v=4 ORACLE_PYTHON tests/golden/make_layers.py [NAME ...]

Names select rows or whole tables, the figures of the other rows being kept. Of each layer: its text, its Parameters
(name, shape, dtype, whether it is trainable) in order, its sub-cells, the names of the arguments of ``construct``, the
plain attributes that are named like arguments of its constructor, and how the initial values of large Parameters are
spread. Then, with Parameters set to the row's values, for each phase: the results; the gradients of the sum of results
times cotangents by inputs and trainable Parameters; what the call has made of the other Parameters. Figures are those
of GRAPH_MODE, where PYNATIVE_MODE must agree. What MindSpore cannot compute is left out and named on the standard error
stream. A row with a ``reference`` has its results from that NumPy expression.
"""

import importlib
import inspect
import os
import pathlib
import re
import sys

import mindspore as ms
import numpy as np
from _figures import encoded
from _tables import write_tables
from mindspore import Tensor, nn, ops

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.layer_cases import TABLES  # noqa: E402  (found above this folder)

TARGET = HERE / "layers"
NAMESPACE = {"ms": ms, "nn": nn, "ops": ops, "Tensor": Tensor}
LARGE = 1000  # elements from which on the spread of initial values is a figure
SOURCE = """
import mindspore as ms
from mindspore import Tensor, nn, ops

class Row(nn.Cell):
    def __init__(self, layer, held):
        super().__init__(auto_prefix=False)
        self.layer = layer
        for name, value in held.items():
            setattr(self, name, value)

    def construct(self{inputs}):
        layer = self.layer
        return {expression}

class Weighted(nn.Cell):
    def __init__(self, row, cotangents):
        super().__init__(auto_prefix=False)
        self.row = row
        self.cotangents = cotangents

    def construct(self{inputs}):
        results = self.row({free})
        results = results if isinstance(results, tuple) else (results,)
        total = 0.0
        for place, cotangent in self.cotangents:
            total = total + (results[place] * cotangent).sum()
        return total
"""


def plain(value):
    """Whether JSON can say ``value``, tuples as lists."""
    if isinstance(value, (tuple, list)):
        return all(map(plain, value))
    return value is None or isinstance(value, (bool, int, float, str))


def without_addresses(text):
    return re.sub(r" at 0x[0-9a-f]+", "", text)


def description_of(case):
    """What the layer is before it is called."""
    ms.set_seed(1)
    layer = eval(case.constructor, NAMESPACE)
    result = {
        "text": without_addresses(repr(layer)),
        "parameters": [
            [name, parameter.name, list(parameter.shape), str(parameter.dtype), parameter.requires_grad]
            for name, parameter in layer.parameters_and_names()
        ],
        "construct": list(inspect.signature(type(layer).construct).parameters)[1:],
        "cells": [[name, type(cell).__name__] for name, cell in layer.cells_and_names()],
        "attributes": {
            name: getattr(layer, name)
            for name in list(inspect.signature(type(layer).__init__).parameters)[1:]
            if name in vars(layer) and plain(getattr(layer, name))
        },
    }
    spread = {}
    for name, parameter in layer.parameters_and_names():
        if parameter.size >= LARGE:
            values = parameter.init_data().asnumpy().astype(np.float64)
            spread[name] = [float(values.mean()), float(values.std()), float(values.min()), float(values.max())]
    return result | ({"spread": spread} if spread else {})


class Run:
    """One row in one phase and mode, with its Parameters set."""

    def __init__(self, case, is_training, folder):
        self.case = case
        layer = eval(case.constructor, NAMESPACE).set_train(is_training)
        self.named = dict(layer.parameters_and_names())
        shapes = {name: (str(p.dtype).lower(), p.shape) for name, p in self.named.items()}
        for name, value in case.values_of(shapes).items():
            self.named[name].set_data(Tensor(value))
        inputs = case.inputs()
        free = {name: Tensor(array) for name, array in inputs.items() if array.dtype.kind == "f"}
        held = {name: Tensor(array) for name, array in inputs.items() if name not in free}
        expression = case.expression()
        for name in held:
            expression = re.sub(rf"\b{name}\b", f"self.{name}", expression)
        path = pathlib.Path(folder) / f"row{len(os.listdir(folder))}.py"
        words = {"inputs": "".join(f", {name}" for name in free), "free": ", ".join(free), "expression": expression}
        path.write_text(SOURCE.format(**words))
        self.module = importlib.import_module(path.stem)
        self.row = self.module.Row(layer, held).set_train(is_training)
        self.free = free

    def results(self):
        """The results, and the Parameters that are not trained, after a call."""
        results = self.row(*self.free.values())
        results = results if isinstance(results, tuple) else (results,)
        state = {name: p.asnumpy() for name, p in self.named.items() if not p.requires_grad}
        return [result.asnumpy() for result in results], state

    def gradients(self, results):
        """The gradients by name."""
        floats = [k for k, result in enumerate(results) if result.dtype.kind == "f"]
        cotangents = tuple(
            (k, Tensor(self.case.cotangent(k, results[k].shape).astype(results[k].dtype))) for k in floats
        )
        weighted = self.module.Weighted(self.row, cotangents).set_train(self.row.training)
        trained = {name: p for name, p in self.named.items() if p.requires_grad}
        positions = tuple(range(len(self.free))) or None
        weights = ms.ParameterTuple(trained.values()) if trained else None
        if positions is None and weights is None:
            return {}
        values = ms.grad(weighted, positions, weights)(*self.free.values())
        if positions is not None and weights is not None:
            inputs, parameters = values
        else:
            inputs, parameters = (values, ()) if weights is None else ((), values)
        inputs = inputs if isinstance(inputs, tuple) else (inputs,)
        return {name: each.asnumpy() for name, each in zip((*self.free, *trained), (*inputs, *parameters), strict=True)}


def phase_of(case, is_training, folder, complain):
    """The figures of one phase."""
    if case.reference:
        named = dict(eval(case.constructor, NAMESPACE).parameters_and_names())
        values = case.values_of({name: (str(p.dtype).lower(), p.shape) for name, p in named.items()})
        names = {name.replace(".", "_"): value for name, value in values.items()}
        return {"results": [encoded(np.asarray(eval(case.reference, {"np": np, **names, **case.inputs()})))]}
    actual = {}
    for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.set_context(mode=mode)
        try:
            results, state = Run(case, is_training, folder).results()
            gradients = Run(case, is_training, folder).gradients(results) if case.gradients else {}
        except Exception as error:
            complain(f"mode {mode}: {' '.join(str(error).replace('-' * 5, '').split())[:200]}")
            continue
        made = {"results": results, "state": state, "gradients": gradients}
        if not actual:
            actual = made
            continue
        for kind, ours in actual.items():
            pairs = zip(
                *(each.values() if isinstance(each, dict) else each for each in (ours, made[kind])), strict=True
            )
            if not all(
                a.dtype == b.dtype and np.allclose(a, b, rtol=1e-4, atol=1e-5, equal_nan=True) for a, b in pairs
            ):
                complain(f"the modes differ in {kind}: {ours} and {made[kind]}")
    return {
        kind: {name: encoded(each) for name, each in value.items()}
        if isinstance(value, dict)
        else list(map(encoded, value))
        for kind, value in actual.items()
        if value
    }


def figures_of(case, folder, complain):
    """The figures of one row as a dict ready for JSON."""
    figures = description_of(case)
    if case.spec:
        figures["inputs"] = {name: encoded(array) for name, array in case.inputs().items()}
        phases = {str(phase): phase_of(case, phase, folder, complain) for phase in case.phases}
        first, *others = phases.values()
        figures["phases"] = {"both": first} if others == [first] else phases
    return figures


if __name__ == "__main__":
    TARGET.mkdir(exist_ok=True)
    write_tables(sys.argv[1:], TABLES, TARGET, figures_of)
