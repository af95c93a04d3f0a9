"""Unsupported names can be imported; using one raises an error that says why, and what to use instead."""

import inspect
import types

import pytest

import msgrad as ms
import msgrad.dataset as ds
from msgrad import Tensor, alias, boost, nn, ops, train
from msgrad.experimental import map_parameter
from msgrad.ops.legacy.left_out import LEFT_OUT, NAMES, LeftOutPrimitive

from ..helpers import assert_each


def test_one_sentence_on_every_use():
    assert_each(check_sentence, {path: (path, made) for path, made in LEFT_OUT.items()})


def check_sentence(path, made):
    call = made() if isinstance(made, LeftOutPrimitive) else made
    for use in (call, lambda: made.name, lambda: types.new_class("Sub", (made,))):
        with pytest.raises(NotImplementedError) as raised:
            use()
        assert str(raised.value) == made.__doc__
    why, instead = made.reason
    assert made.__doc__ == f"'{path}' is left out of msgrad: {why}. {instead}"
    assert instead.endswith(".")


def test_names_are_where_programs_look():
    assert all(getattr(ops, name) is made for name, made in vars(NAMES).items())
    assert not set(vars(NAMES)) - set(ops.__all__)
    with pytest.raises(NotImplementedError, match="JAX places the data"):
        Tensor([1]).pin_memory()


@pytest.mark.parametrize(
    "home, name",
    [
        (nn, "thor"),
        (nn, "AdaSumByGradWrapCell"),
        (boost, "LessBN"),
        (train, "ConvertModelUtils"),
        (map_parameter, "MapParameter"),
        (ms, "load_mindir"),
        (alias.LEGACY["mindspore.graph"], "register_custom_pass"),
    ],
)
def test_other_modules_have_theirs(home, name):
    assert name in home.__all__
    with pytest.raises(NotImplementedError, match=f"{name}' is left out of msgrad: "):
        getattr(home, name)()
    assert not isinstance(1, getattr(home, name))


def test_datasets_say_what_stands_for_the_compiled_tree():
    with pytest.raises(NotImplementedError, match="'dataset.Dataset.create_ir_tree' is left out of msgrad: "):
        ds.NumpySlicesDataset([1]).create_ir_tree()


def test_tools_may_look_at_them():
    assert str(inspect.signature(ops.TBERegOp)) == "(op_name)"
    assert repr(ops.TBERegOp) == "<ops.TBERegOp, which is left out>"
    assert not hasattr(ops.TBERegOp, "__wrapped__")
