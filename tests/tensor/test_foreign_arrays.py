"""Tensors of other libraries' arrays, and back: values, and whether memory is shared."""

import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor
from tests.foreign import ForeignArray


def _address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("value", [[[1.0, 2.0]], 3, [True, False], np.ones((2, 3), np.float16).T], ids=str)
def test_a_tensor_of_a_foreign_array_is_a_copy(value):
    array = np.array(value)
    tensor = Tensor(ForeignArray(array, requires_grad=True))
    assert tensor.shape == array.shape and tensor.asnumpy().dtype == array.dtype
    np.testing.assert_array_equal(tensor.asnumpy(), array)
    before = array.copy()
    array[...] = 0
    np.testing.assert_array_equal(tensor.asnumpy(), before)
    assert Tensor(ForeignArray(np.ones(2)), ms.int32).dtype == ms.int32


def test_there_and_back_no_memory_is_copied():
    array = np.zeros(4, np.float32)
    tensor = Tensor.from_dlpack(ForeignArray(array))
    back = np.from_dlpack(tensor)
    assert _address(tensor.asnumpy()) == _address(back) == _address(array)
    array[0] = 1
    tensor[1] = 2
    assert tensor.tolist() == back.tolist() == array.tolist() == [1, 2, 0, 0]
    assert (tensor * 2).tolist() == [2, 4, 0, 0]


def test_a_result_is_exported_without_a_copy():
    tensor = Tensor(np.arange(4, dtype=np.float32)) + 1
    assert _address(np.from_dlpack(tensor)) == tensor._array_().unsafe_buffer_pointer()


def test_bfloat16_which_numpy_lacks():
    array = jnp.asarray([1.5], jnp.bfloat16)

    class Array:
        def __dlpack__(self, **options):
            return array.__dlpack__()

        def __dlpack_device__(self):
            return array.__dlpack_device__()

    for tensor in (Tensor(Array()), Tensor.from_dlpack(Array())):
        assert tensor.dtype == ms.bfloat16 and tensor.float().tolist() == [1.5]


def test_what_requires_a_gradient_is_not_shared():
    with pytest.raises(RuntimeError, match=r"give array.detach\(\)"):
        Tensor.from_dlpack(ForeignArray(np.ones(2), requires_grad=True))


def test_torch_itself():
    torch = pytest.importorskip("torch")
    for array in (torch.ones(2, requires_grad=True), torch.ones(2, 3).T, torch.tensor([1.5], dtype=torch.bfloat16)):
        assert Tensor(array).float().tolist() == array.tolist()
    array = torch.arange(3.0)
    assert torch.from_dlpack(Tensor.from_dlpack(array)).data_ptr() == array.data_ptr()
    assert torch.from_dlpack(Tensor([1.5], ms.bfloat16)).tolist() == [1.5]
