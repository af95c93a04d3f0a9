"""Which strategies are accepted, and which device has which part, beside what MindSpore's compiler says of them."""

import ast
import json
import pathlib
import types

import numpy as np
import pytest
from jax.sharding import AbstractMesh

import msgrad as ms  # noqa: F401  in the cases' texts
from msgrad import Tensor, ops  # noqa: F401  likewise
from msgrad._sharding import operator_axes, partition, strategy
from msgrad.train._files.strategies import Dims, ParallelLayouts
from msgrad.train.slicing import Slicing
from msgrad.train.strategy_saving import layout_of

from .strategy_cases import CASES, DEVICES, KINDS, LAYOUTS, shape_of, strategies

GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "strategy_checks.json").read_text())
MESH = types.SimpleNamespace(devices=DEVICES, mesh=AbstractMesh((2, 2, 2), ("d0", "d1", "d2")))


def operands_of(made, call, inputs):
    """A Primitive, the shapes of its operands, and its other arguments."""
    names = {
        name: Tensor(np.ones(shape_of(each), KINDS[each[0]]))
        for name, each in zip("xyzwv", inputs.split(), strict=False)
    }
    primitive, arguments = eval(made), eval(f"({call},)", globals() | names)
    operands, others = partition.operands(arguments, operator_axes.takes_numbers(primitive))
    return primitive, [getattr(each, "shape", ()) for each in operands], others


@pytest.mark.parametrize(
    "case, row", list(zip(CASES, GOLDEN["accepted"], strict=True)), ids=lambda each: " ".join(map(str, each[:3]))
)
def test_strategies_that_mindspore_refuses_are_refused(case, row):
    made, call, inputs, *asked = case
    assert [made, call, inputs] == row[:3]
    primitive, shapes, others = operands_of(made, call, inputs)
    accepted = []
    for in_strategy, out_strategy in strategies(inputs, *asked):
        try:
            strategy.lowered(primitive, shapes, in_strategy, out_strategy, MESH, others)
        except RuntimeError as error:
            assert str(error).startswith(f"For '{primitive.name}', the strategy ")
        else:
            accepted.append((in_strategy, out_strategy) if out_strategy else in_strategy)
    assert accepted == [ast.literal_eval(each) for each in row[3]]


@pytest.mark.parametrize(
    "case, layouts", list(zip(LAYOUTS, GOLDEN["layouts"], strict=True)), ids=lambda each: " ".join(map(str, each[:3]))
)
def test_devices_have_the_parts_that_they_have_in_mindspore(case, layouts):
    primitive, shapes, others = operands_of(*case[:3])
    for each, expected in zip(case[3], layouts, strict=True):
        specs, _ = strategy.lowered(primitive, shapes, each, None, MESH, others)
        for name, shape, spec in zip("xyzwv", shapes, specs, strict=False):
            devices, axes = expected[name]
            wanted = Slicing.of(ParallelLayouts([Dims(devices)], [Dims(axes)]))
            actual = Slicing.of(layout_of(shape, spec, MESH.mesh))
            assert [actual.region(rank, shape) for rank in range(DEVICES)] == [
                wanted.region(rank, shape) for rank in range(DEVICES)
            ], (each, name)
