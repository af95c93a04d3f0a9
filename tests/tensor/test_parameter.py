"""Parameter and ParameterTuple. Expected values are MindSpore 2.10's."""

import copy
import pickle

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, ParameterTuple, Tensor


def described(parameter):
    return str(parameter.dtype), parameter.shape, parameter.asnumpy().tolist()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (3, ("Int32", (), 3)),
        (3.0, ("Float32", (), 3.0)),
        ([1, 2], ("Int64", (2,), [1, 2])),
        ([1.0, 2.5], ("Float32", (2,), [1.0, 2.5])),
        (np.array([1, 2]), ("Int64", (2,), [1, 2])),
        (np.array([1.0]), ("Float64", (1,), [1.0])),
        ([[1, 2], [3, 4]], ("Int64", (2, 2), [[1, 2], [3, 4]])),
    ],
)
def test_sources(source, expected):
    assert described(Parameter(source, name="p")) == expected


def test_tensor_source_keeps_its_dtype():
    assert described(Parameter(Tensor([1.5], ms.float16))) == ("Float16", (1,), [1.5])


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        (
            True,
            ValueError,
            "For 'Parameter', the 'default_input' must be a Tensor, an int, a float, an array or a",
        ),
        (
            (1, 2),
            TypeError,
            "For 'Parameter', the 'default_input' must be a Tensor, an int, a float, an array or a",
        ),
        (
            np.float32(3),
            TypeError,
            "For 'Parameter', the 'default_input' must be a Tensor, an int, a float, an array or a",
        ),
        (
            np.float64(3),
            TypeError,
            "For 'Parameter', the 'default_input' must be a Tensor, an int, a float, an array or a",
        ),
        (
            1 + 2j,
            TypeError,
            "For 'Parameter', the 'default_input' must be a Tensor, an int, a float, an array or a",
        ),
        (
            "zeros",
            TypeError,
            "For 'Parameter', the 'default_input' must be a Tensor, an int, a float, an array or a",
        ),
        (
            None,
            TypeError,
            "For 'Parameter', the 'default_input' must be a Tensor, an int, a float, an array or a",
        ),
    ],
)
def test_rejected_sources(source, error, message):
    with pytest.raises(error) as caught:
        Parameter(source, name="p")
    assert str(caught.value).startswith(message)


def test_the_source_is_copied():
    array = np.array([1.0, 2.0], np.float32)
    tensor = Tensor(array)
    from_array, from_tensor = Parameter(array), Parameter(tensor)
    from_parameter = Parameter(from_tensor)
    array[0] = 9.0
    tensor[0] = 9.0
    from_tensor[1] = 5.0
    assert from_array.asnumpy().tolist() == [1.0, 2.0]
    assert from_tensor.asnumpy().tolist() == [1.0, 5.0]
    assert from_parameter.asnumpy().tolist() == [1.0, 2.0]


def test_text_never_shows_values():
    p = Parameter(Tensor([[1.0, 2.0]]), name="p", requires_grad=False)
    text = "Parameter (name=p, shape=(1, 2), dtype=Float32, requires_grad=False)"
    assert (str(p), repr(p), f"{p}", str([p])) == (text, text, text, f"[{text}]")


def test_names():
    assert Parameter(Tensor([1.0])).name.startswith("Parameter#")
    assert Parameter(Tensor([1.0]), name="  sp ").name == "sp"
    assert len(Parameter(Tensor([1.0]), name="a" * 1024).name) == 1024
    p = Parameter(Tensor([1.0]), name="p")
    p.name = None
    assert p.name.startswith("Parameter#")
    with pytest.raises(ValueError, match="For 'Parameter', the 'name' must be a str or None"):
        p.name = 5
    with pytest.raises(ValueError, match="the 'name' must be at most 1024 characters long"):
        p.name = "a" * 1025


def test_flags():
    p = Parameter(Tensor([1.0]), name="p")
    assert (p.requires_grad, p.layerwise_parallel, p.parallel_optimizer, p.comm_fusion, p.sliced) == (
        True,
        False,
        True,
        1,
        False,
    )
    assert Parameter.requires_grad.__doc__.startswith("Whether it is trainable")  # what editors show, not attrgetter's
    assert p.unique is False  # an attribute, in the place of Tensor's method
    p.requires_grad = False
    assert p.requires_grad is False
    for name in ("requires_grad", "layerwise_parallel", "parallel_optimizer"):
        with pytest.raises(TypeError, match=f"^For 'Parameter', the '{name}' must be a bool, but got 'no'"):
            setattr(p, name, "no")
    with pytest.raises(ValueError, match="the 'comm_fusion' must be a non-negative int"):
        p.comm_fusion = -1
    with pytest.raises(TypeError, match="the 'requires_grad' must be a bool"):
        Parameter(Tensor([1.0]), requires_grad=1)
    with pytest.raises(ValueError, match="the 'device' must be None, 'CPU' or 'Remote'"):
        Parameter(Tensor([1.0]), device="Ascend")


@pytest.mark.parametrize(
    ("dtype", "value", "expected"),
    [
        (ms.float32, Tensor([5.0, 6.0, 7.0]), ("Float32", (3,), [5.0, 6.0, 7.0])),
        (ms.float32, Tensor([[5.0, 6.0]]), ("Float32", (1, 2), [[5.0, 6.0]])),
        (ms.float32, Tensor([5, 6], ms.int32), ("Float32", (2,), [5.0, 6.0])),
        (ms.float32, Tensor([5.0, 6.0], ms.float64), ("Float32", (2,), [5.0, 6.0])),
        (ms.int32, Tensor([5.5, 6.5]), ("Int32", (2,), [5, 6])),
        (ms.int8, Tensor([300, 6], ms.int32), ("Int8", (2,), [44, 6])),
        (ms.int8, 300, ("Int8", (), 44)),
        (ms.float32, 5, ("Float32", (), 5.0)),
        (ms.float32, True, ("Float32", (), 1.0)),
        (ms.bool_, Tensor([2.5, 0.0]), ("Bool", (2,), [True, False])),
    ],
)
def test_set_data_casts_to_the_dtype_and_takes_any_shape(dtype, value, expected):
    p = Parameter(Tensor([1, 2], dtype), name="p", requires_grad=False)
    assert p.set_data(value) is p
    assert described(p) == expected
    assert (p.name, p.requires_grad) == ("p", False)


@pytest.mark.parametrize("value", [[1.0, 2.0], np.array([1.0]), None, "a"])
def test_set_data_takes_tensors_and_numbers_only(value):
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    with pytest.raises(TypeError, match="For 'set_data', the 'data' must be a Tensor, an int or a float"):
        p.set_data(value)
    assert p.asnumpy().tolist() == [1.0, 2.0]


def test_set_data_float_for_int():
    with pytest.raises(TypeError, match="For 'set_data', the 'data' must be an int, for a Parameter of Int32"):
        Parameter(3, name="p").set_data(5.5)


def test_data_and_set_dtype():
    p = Parameter(Tensor([1.5, 2.0]), name="p")
    view = p.data
    assert type(view) is Tensor
    view[0] = 8.0
    assert p.asnumpy().tolist() == [8.0, 2.0]
    assert p.set_dtype(ms.int32) == ms.int32
    assert described(p) == ("Int32", (2,), [8, 2])
    p.data = Tensor([5.0])
    assert described(p) == ("Float32", (1,), [5.0])
    assert p.init_data() is p


def test_value_is_the_value_of_now():
    p = Parameter(Tensor([1.0, 1.0]), name="p")
    value, data = p.value(), p.data
    ms.ops.assign(p, Tensor([2.0, 2.0]))
    assert value.tolist() == [1.0, 1.0]
    assert data.tolist() == [2.0, 2.0]


@pytest.mark.parametrize("renew", ["set_data", "assign_value", "data"])
def test_views_keep_the_old_value_when_there_is_a_new_one(renew):
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    views = [p.data, Tensor(p), p.reshape(2)]
    seen = p.asnumpy()
    new = Tensor([3.0, 4.0])
    if renew == "data":
        p.data = new
    else:
        getattr(p, renew)(new)
    for view in views:
        assert view.tolist() == seen.tolist() == [1.0, 2.0]
        view[0] = 9.0
        assert p.tolist() == [3.0, 4.0]
        view[0] = 1.0


# As in MindSpore, which puts a part back where it was taken from, with all that is in it.
def test_part_is_put_back_into_a_parameter_that_has_a_new_value():
    p = Parameter(Tensor([[1.0, 2.0], [3.0, 4.0]]), name="p")
    part = p[0]
    p.set_data(p * 10)
    assert part.tolist() == [1.0, 2.0]
    part[0] = 9.0
    assert p.tolist() == [[9.0, 2.0], [30.0, 40.0]]
    p.set_data(Tensor([5.0]))
    part[0] = 8.0
    assert p.tolist() == [5.0]


def test_the_result_of_assign_add_shares_with_the_parameter():
    p = Parameter(Tensor([1.0]), name="p")
    added, assigned = ms.ops.assign_add(p, Tensor([1.0])), ms.ops.assign(p, Tensor([5.0]))
    ms.ops.assign(p, Tensor([7.0]))
    assert (added.item(), assigned.item()) == (7.0, 5.0)


def test_results_are_tensors():
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    assert [type(value) for value in (p + 1, p[0], p.reshape((2, 1)), p.astype(ms.int32))] == [Tensor] * 4
    assert isinstance(p, Tensor)
    assert hash(p) == hash(p)
    assert type(p.copy()) is Parameter


def test_clone():
    p = Parameter(Tensor([1.0, 2.0]), name="p", requires_grad=False)
    clone = p.clone()
    assert (clone.name, clone.requires_grad, clone is p) == ("p", False, False)
    clone[0] = 9.0
    assert p.asnumpy().tolist() == [1.0, 2.0]
    assert p.clone("zeros").asnumpy().tolist() == [0.0, 0.0]
    assert p.clone(init=3.0).asnumpy().tolist() == [3.0, 3.0]
    with pytest.raises(
        ValueError,
        match="For 'initializer', the 'init' must be the name of an Initializer, such as 'zeros' or",
    ):
        p.clone("nope")


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))])
def test_copies(duplicate):
    p = Parameter(Tensor([1.0, 2.0], ms.float16), name="p", requires_grad=False)
    p.comm_fusion = 3
    other = duplicate(p)
    assert (type(other), other.name, other.requires_grad, other.comm_fusion) == (Parameter, "p", False, 3)
    assert described(other) == ("Float16", (2,), [1.0, 2.0])
    other.set_data(Tensor([0.0]))
    assert p.asnumpy().tolist() == [1.0, 2.0]


def test_deepcopy_keeps_sharing():
    p = Parameter(Tensor([1.0]), name="p")
    a, b = copy.deepcopy([p, p])
    assert a is b


def test_tuple():
    a, b = Parameter(Tensor([1.0]), name="a"), Parameter(Tensor([2.0]), name="b", requires_grad=False)
    pair = ParameterTuple([a, b])
    assert isinstance(pair, tuple)
    assert str(pair) == f"({a}, {b})"
    assert type(pair[0:1]) is type(pair + pair) is tuple
    clones = pair.clone("pre", "zeros")
    assert type(clones) is ParameterTuple
    assert [(p.name, p.requires_grad, p.asnumpy().tolist()) for p in clones] == [
        ("pre.a", True, [0.0]),
        ("pre.b", False, [0.0]),
    ]
    assert type(copy.deepcopy(pair)) is ParameterTuple


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda p: ParameterTuple([Tensor([1.0])]),
            TypeError,
            "For 'ParameterTuple', the 'iterable' must be made of Parameters",
        ),
        (lambda p: ParameterTuple(3), TypeError, "'int' object is not iterable"),
        (
            lambda p: ParameterTuple([p, p.clone()]),
            ValueError,
            "Two different Parameters have the name 'k'",
        ),
        (
            lambda p: ParameterTuple([p]).clone("a b"),
            ValueError,
            "For 'ParameterTuple.clone', the 'prefix' must be made of letters, digits, '_' and",
        ),
        (
            lambda p: ParameterTuple([p]).clone(""),
            ValueError,
            "For 'ParameterTuple.clone', the 'prefix' must be made of letters, digits, '_' and",
        ),
    ],
)
def test_tuple_errors(call, error, message):
    with pytest.raises(error) as caught:
        call(Parameter(Tensor([1.0]), name="k"))
    assert str(caught.value).startswith(message)


def test_the_same_parameter_may_be_in_a_tuple_twice():
    p = Parameter(Tensor([1.0]), name="k")
    assert len(ParameterTuple([p, p])) == 2


def test_a_parameter_takes_the_info_of_another():
    old = Parameter(Tensor([1.0]), name="dense.weight", requires_grad=False)
    state = Parameter(Tensor([2.0]))
    state.param_info = info = old.param_info.clone()  # as optimizers of mindformers do for their slots
    assert state.param_info is info and (state.name, state.requires_grad) == ("dense.weight", False)
    state.name = "moment." + state.name
    info.requires_grad = True
    assert (info.name, state.requires_grad) == ("moment.dense.weight", True)
    assert (old.name, old.requires_grad, old.asnumpy(), state.asnumpy()) == ("dense.weight", False, 1, 2)
    state.param_info = old.param_info  # a copy: each Parameter has its own name
    state.name = "other"
    assert old.name == "dense.weight"
    with pytest.raises(TypeError, match="For 'Parameter', the 'param_info' must be a ParamInfo"):
        state.param_info = None
