"""Checks of values: on a CPU always, on an accelerator of values that the host has, or of all by ``MSGRAD_CHECKS``."""

import numpy as np
import pytest

import msgrad as ms
import msgrad.dataset as ds
from msgrad import Tensor, ops
from msgrad.engine import host
from msgrad.tensor import host_values


@pytest.fixture
def accelerator(monkeypatch):
    """Lets the CPU play a device whose arrays the host must fetch."""
    for module in (host, host_values):
        monkeypatch.setattr(module, "is_cpu", lambda device: False)


def test_values_that_the_host_has_are_checked(accelerator):
    with pytest.raises(RuntimeError, match=r"For 'Gather', the 'input_indices' must be made of positions in"):
        ops.gather(ops.ones(3), Tensor([5]), 0)


def test_computed_values_are_checked_where_checks_may_fetch(accelerator, compiled, monkeypatch):
    positions = Tensor([4]) + 1
    assert ops.gather(ops.ones(3), positions, 0).shape == (1,)
    monkeypatch.setattr(host_values.Checks, "fetch", True)
    with pytest.raises(RuntimeError, match=r"For 'Gather'.* 5 "):
        ops.gather(ops.ones(3), positions, 0)


def test_arrays_of_64_bit_ints_are_numpy_s_longlong_as_mindspore_s_are():
    for tensor in (Tensor([1, 2]), Tensor([0, 1, 2])[1:], Tensor([1, 2]) + 0, ms.Parameter(Tensor([1, 2]))):
        for array in (tensor.asnumpy(), np.asarray(tensor), np.concatenate([tensor.asnumpy(), np.array([3])])[:2]):
            assert repr(array) == "array([1, 2], dtype=int64)" and array.dtype == np.int64
    assert Tensor([1], ms.uint64).asnumpy().dtype.char == "Q" and Tensor([1], ms.int32).asnumpy().dtype.char == "i"
    tensor = Tensor([1, 2])
    tensor.asnumpy()[0] = 5
    assert tensor.tolist() == [5, 2] and Tensor(tensor.asnumpy()).dtype == ms.int64
    rows = ds.NumpySlicesDataset({"a": [1], "b": np.array([2], np.int32)}).create_dict_iterator(output_numpy=True)
    assert str(next(rows)) == "{'a': array(1, dtype=int64), 'b': array(2, dtype=int32)}"
