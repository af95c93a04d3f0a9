"""Primitive objects under MindSpore's internal names: classes and signatures."""

import inspect
import json
import pathlib

import pytest

import msgrad as ms
from msgrad import Tensor
from msgrad._compat.ops import primitive_objects, view_functions
from msgrad.alias import LEGACY
from msgrad.ops._core.faces import PRIMITIVES
from msgrad.ops.legacy import extended

from ..helpers import assert_each

GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "primitive_objects.json").read_text())
ARRAY_OBJECTS = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "array_objects.json").read_text())
KINDS = {**PRIMITIVES, **extended.INNER, **view_functions.VIEWS}
HERE = [name for name, (kind, _) in GOLDEN.items() if kind in KINDS]
OTHERS = {"count_nonzero_op"}  # its call takes an axis


def test_objects_are_of_mindspore_s_classes_and_called_alike():
    assert_each(check_object, {name: (name,) for name in sorted(set(HERE) - OTHERS)})


def check_object(name):
    kind, parameters = GOLDEN[name]
    actual = getattr(primitive_objects, name)
    assert type(actual).__name__ == kind and getattr(primitive_objects, name) is actual
    ours = inspect.signature(type(actual).__call__).parameters.values()
    required = [each for each in ours if each.default is each.empty and each.kind is not each.VAR_POSITIONAL]
    assert len(required) <= len(parameters) <= len(ours)


def test_what_is_not_there_is_no_other():
    assert not [name for name in (GOLDEN.keys() - HERE) | OTHERS if hasattr(primitive_objects, name)]


def test_objects_of_array_functions_are_of_mindspore_s_classes():
    module = LEGACY["mindspore.ops.function.array_func"]
    actual = {name: getattr(module, name) for name in ARRAY_OBJECTS.keys() - {"reshape_"}}
    assert len(actual) > 60 and {name: each.name for name, each in actual.items()} == {
        name: ARRAY_OBJECTS[name] for name in actual
    }
    with pytest.raises(NotImplementedError, match="FillScalar"):
        actual["fill_scalar_"]((2,), 1)


def test_the_value_of_an_object_of_array_functions():
    index, value = LEGACY["mindspore.ops.function.array_func"].arg_max_with_value_(Tensor([[1.0, 3.0], [5.0, 2.0]]))
    assert index.tolist() == [1, 0] and value.tolist() == [5.0, 3.0]


X = Tensor([[1.0, -2.0], [3.0, 0.5]])


@pytest.mark.parametrize(
    "name, arguments, value",
    [
        ("abs_op", (X,), X.abs()),
        ("add_ext_op", (X, X, 2), 3 * X),
        ("sum_ext_op", (X, 1), X.sum(1)),
        ("matmul_ext_op", (X, X), X @ X),
        ("dct_op", (X,), ms.scipy.fft.dct(X)),
    ],
)
def test_value(name, arguments, value):
    assert (getattr(LEGACY["mindspore.ops.auto_generate"], name)(*arguments) == value).all()
