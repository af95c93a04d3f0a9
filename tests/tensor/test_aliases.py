"""Writes through NumPy arrays: which Tensors see them. Expected values are MindSpore 2.10's."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, ops

ALIASES = {
    "Tensor(x)": Tensor,
    "Tensor(x, dtype)": lambda x: Tensor(x, ms.float32),
    "x.data": lambda x: x.data,
    "stop_gradient": ops.stop_gradient,
    "alias of an alias": lambda x: Tensor(Tensor(x)),
}
COPIES = {"copy": lambda x: x.copy(), "Parameter(x)": lambda x: Parameter(x.copy() if type(x) is Parameter else x)}
VIEWS = {"slice": lambda x: x[:], "reshape": lambda x: x.reshape(2), "view": lambda x: x.view(2)}
SOURCES = {"Tensor": lambda: Tensor([1.0, 2.0]), "Parameter": lambda: Parameter(Tensor([1.0, 2.0]), name="p")}


def rows(table):
    return pytest.mark.parametrize(
        ("make", "other_of"),
        [(make, other_of) for make in SOURCES.values() for other_of in table.values()],
        ids=[f"{source} {name}" for source in SOURCES for name in table],
    )


@rows(ALIASES)
@pytest.mark.parametrize("is_first", [True, False])
def test_aliases_share_one_host_buffer(make, other_of, is_first):
    source = make()
    seen = source.asnumpy() if is_first else None  # before the alias is made
    other = other_of(source)
    other.asnumpy()[0] = 9.0
    assert source.tolist() == other.tolist() == [9.0, 2.0]
    source.asnumpy()[1] = 8.0
    assert source.tolist() == other.tolist() == [9.0, 8.0]
    other[0] = 7.0
    assert source.tolist() == source.asnumpy().tolist() == [7.0, 8.0]
    assert seen is None or seen.tolist() == [7.0, 8.0]


@rows(COPIES)
def test_copies_share_none(make, other_of):
    source = make()
    other = other_of(source)
    other.asnumpy()[0] = 9.0
    assert source.tolist() == [1.0, 2.0] and other.tolist() == [9.0, 2.0]


@rows(VIEWS)
def test_the_array_of_a_view_is_a_copy(make, other_of):
    source = make()
    other = other_of(source)
    other.asnumpy()[0] = 9.0
    assert source.tolist() == other.tolist() == [1.0, 2.0]


def test_a_parameter_that_gets_new_data_leaves_its_aliases():
    parameter = SOURCES["Parameter"]()
    alias = parameter.data
    array = alias.asnumpy()
    parameter.set_data(Tensor([5.0, 6.0]))
    array[0] = 9.0
    assert alias.tolist() == [9.0, 2.0] and parameter.tolist() == [5.0, 6.0]


def test_an_assigned_parameter_takes_its_aliases_with_it():
    parameter = SOURCES["Parameter"]()
    array = parameter.data.asnumpy()
    ops.assign(parameter, Tensor([5.0, 6.0]))
    assert array.tolist() == [5.0, 6.0]


def test_numerical_gradients_by_the_data_of_a_parameter(mode):
    parameter = SOURCES["Parameter"]()

    def loss():
        return (parameter * parameter).sum()

    array, step, gradients = parameter.data.asnumpy(), 0.25, []
    for k in range(array.size):
        kept = array[k]
        array[k] = kept + step
        high = loss()
        array[k] = kept - step
        gradients.append(float((high - loss()) / (2 * step)))
        array[k] = kept
    assert np.allclose(gradients, [2.0, 4.0])
