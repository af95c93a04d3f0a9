"""The storage of Tensors, which views share. There is no pinned memory, shared memory or cache."""

import jax
import numpy as np

from ..._contracts import check
from ..._contracts.choices import Instance
from ..._contracts.contracts import Array, Bool, Dtype, Int, Ints, NonNegativeInt, Text
from ..._contracts.enforcement import enforced
from ...engine._jax_private import Tracer
from ...engine.recording.layout import StridedLayout, whole
from ...engine.recording.views import are_shared, layout_of, link, seen_in
from ...tensor.tensor import Tensor
from .._core.define import composite
from .._core.faces import attach, method, primitive

_DEVICES = ("CPU", "GPU", "NPU", "ASCEND")
_MSG_SET = "Make the Tensor from NumPy, or take x.contiguous() first."


@composite(method="storage_offset", name="_storage_offset")
def _storage_offset(self: Array):
    """The index of the first element in the storage that the Tensor shares with its views.

    Returns:
        int.
    Example:
        >>> Tensor([1, 2])[1:].storage_offset()
        1
    Source: mindspore.Tensor.storage_offset
    """
    return layout_of(self).offset


@composite(method="stride", name="_stride")
def _stride(self: Array, dim: Int | None = None):
    """The strides (in elements) of each axis, in the storage that the Tensor shares with its views.

    Args:
        dim (int): the axis. Default: ``None``, a list for all.
    Returns:
        list[int], or int.
    Raises:
        IndexError: if there is no such axis.
    Example:
        >>> Tensor([[1, 2, 3], [4, 5, 6]]).T.stride()
        [1, 3]
    Source: mindspore.Tensor.stride
    """
    strides = list(layout_of(self).strides)
    return strides if dim is None else strides[dim]


@composite(method="is_contiguous", name="_is_contiguous")
def _is_contiguous(self: Array):
    """Whether the elements are contiguous in the storage that the Tensor shares with its views.

    Returns:
        bool.
    Example:
        >>> Tensor([[1, 2], [3, 4]]).T.is_contiguous()
        False
    Source: mindspore.Tensor.is_contiguous
    """
    return layout_of(self).is_compact()


@composite(method="contiguous", name="_contiguous")
def _contiguous(self: Array):
    """The Tensor if its elements are contiguous, otherwise a contiguous copy.

    Returns:
        Tensor.
    Example:
        >>> Tensor([[1, 2], [3, 4]]).T.contiguous().stride()
        [2, 1]
    Source: mindspore.Tensor.contiguous
    """
    return self if layout_of(self).is_compact() else self.copy()


@composite(method="data_ptr", name="_data_ptr")
def _data_ptr(self: Array):
    """The address of the first element; a view has memory of its own.

    Returns:
        int.
    Example:
        >>> x = Tensor([1, 2])
        >>> x.data_ptr() == x.data_ptr()
        True
    Source: mindspore.Tensor.data_ptr
    """
    if jax.default_backend() == "cpu":
        return self._values_().ctypes.data
    return self.__jax_array__().unsafe_buffer_pointer()


@composite(method="_data_ptr", name="_writable_data_ptr")
def _writable_data_ptr(self: Array):
    """The address of memory that a library may write to immediately; its content becomes the value at the next use.

    mindnlp 0.5 fills its Parameters so. `data_ptr` is for comparing addresses only: a JAX array's memory must not be
    written to.

    Returns:
        int.
    Example:
        >>> x = Tensor([1, 2])
        >>> x._data_ptr() == x._data_ptr()
        True
    Source: mindspore.Tensor._data_ptr
    """
    return self._share_().ctypes.data if jax.default_backend() == "cpu" else self.data_ptr()


@composite(method="set_", name="_set")
def _set(
    self: Array,
    source: Array | None = None,
    storage_offset: NonNegativeInt = 0,
    size: Ints | None = None,
    stride: Ints | None = None,
):
    """Makes the Tensor share the storage of another.

    Args:
        source (Tensor): of the same dtype. Default: ``None``, an empty Tensor.
        storage_offset (int): the index of the first element. Default: ``0``.
        size, stride (tuple[int]): shape and strides. Default: ``None``, shape and strides of ``source``; of a ``size``
            without ``stride``, those of consecutive elements.
    Returns:
        Tensor, this one.
    Raises:
        TypeError: if an argument has a wrong type, or there is another without ``size``.
        RuntimeError: if the dtype differs, or the storage is too small or no longer exists.
    Example:
        >>> x = Tensor([1, 2, 3])
        >>> Tensor([0]).set_(x, 1, (2,), (1,)).tolist()
        [2, 3]
    Source: mindspore.Tensor.set_
    """
    if source is None:
        self._renew(Tensor(np.zeros(0), self.dtype))
        return self
    if source.aval[1] != self.aval[1]:
        check.refuse(RuntimeError, "set_", "source", f"of dtype {self.dtype}", source)
    if size is None and (stride is not None or storage_offset):
        check.refuse(TypeError, "set_", "size", "given with 'storage_offset' and 'stride'", size)
    if size is None:
        layout = layout_of(source)
    else:
        layout = StridedLayout(size, whole(size).strides if stride is None else stride, storage_offset)
    view = seen_in(source, layout)
    if view is None:
        check.refuse(RuntimeError, "set_", "source", "of an allocated storage that is large enough", source, _MSG_SET)
    self._renew(view[1])
    if are_shared():
        link(view[0], self, layout)
    return self


@composite(method=("data_sync", "wait_pipeline"), name="_waited_for")
def _waited_for(self: Array, wait: Bool = True):
    """Waits until the values are computed; does nothing inside a recording.

    Args:
        wait (bool): whether to wait. Default: ``True``.
    Returns:
        None.
    Raises:
        TypeError: if ``wait`` is not a bool.
    Example:
        >>> Tensor([1, 2]).data_sync()
    Source: mindspore.Tensor.data_sync, mindspore.Tensor.wait_pipeline
    """
    state = self._state_()
    # A tracer is an instance of jax.Array, but there is nothing to wait for.
    if wait and isinstance(state, jax.Array) and not isinstance(state, Tracer):
        state.block_until_ready()


@composite(method="offload", name="_offload")
def _offload(self: Array, file_path: Text):
    """Writes the bytes of the values to a file; the values also stay in memory.

    Args:
        file_path (str): the file.
    Returns:
        bool, True.
    Raises:
        TypeError: if ``file_path`` is not a str.
    Example:
        >>> import tempfile
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     Tensor([1, 2]).offload(file.name)
        True
    Source: mindspore.Tensor.offload
    """
    self._values_().tofile(file_path)
    self._offloaded_to_ = file_path
    return True


@composite(method="offload_file_path", name="_offload_file_path")
def _offload_file_path(self: Array):
    """The file that `offload` wrote last.

    Returns:
        str; empty if there is none.
    Example:
        >>> Tensor([1, 2]).offload_file_path()
        ''
    Source: mindspore.Tensor.offload_file_path
    """
    return self._offloaded_to_


def _of_bytes(data: Instance(bytes), shape: Ints, dtype: Dtype):
    """A Tensor of the bytes of `get_bytes`.

    Args:
        data (bytes): of the values.
        shape (tuple[int]): of the Tensor.
        dtype (mindspore.dtype): of the Tensor.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there are not as many bytes.
    Example:
        >>> Tensor.convert_bytes_to_tensor(Tensor([1, 2]).get_bytes(), (2,), mindspore.int64).tolist()
        [1, 2]
    Source: mindspore.Tensor.convert_bytes_to_tensor
    """
    return Tensor(np.frombuffer(data, dtype.numpy).reshape(shape))


attach(staticmethod(enforced(_of_bytes, "convert_bytes_to_tensor")), "convert_bytes_to_tensor")


@composite(method="is_init", name="_is_init")
def _is_init(self: Array):
    """The flag of `set_init_flag`, or False.

    Returns:
        bool.
    Example:
        >>> Tensor([1, 2]).is_init()
        False
    Source: mindspore.Tensor.is_init
    """
    return self.init_flag


@composite(method="set_init_flag", name="_set_init_flag")
def _set_init_flag(self: Array, flag: Bool):
    """Stores whether the Tensor was initialised, for `is_init`.

    Args:
        flag (bool): whether it was.
    Returns:
        None.
    Raises:
        TypeError: if ``flag`` is not a bool.
    Example:
        >>> Tensor([1, 2]).set_init_flag(True)
    Source: mindspore.Tensor.set_init_flag
    """
    self.init_flag = flag


@composite(method=("is_pinned", "is_shared"), name="_is_elsewhere")
def _is_elsewhere(self: Array):
    """Whether the memory is pinned, or shared between processes: never.

    Returns:
        bool.
    Example:
        >>> Tensor([1, 2]).is_pinned()
        False
    Source: mindspore.Tensor.is_pinned, mindspore.Tensor.is_shared
    """
    return False


def _is_meta(self):
    """Whether the Tensor has only shape and dtype, without values: never.

    Returns:
        bool.
    Example:
        >>> Tensor([1, 2]).is_meta
        False
    Source: mindspore.Tensor.is_meta
    """
    return False


attach(property(_is_meta), "is_meta")


@composite(method="flush_from_cache", name="_flush_from_cache")
def _flush_from_cache(self: Array):
    """Without effect: there is no cache.

    Returns:
        None.
    Example:
        >>> Tensor([1, 2]).flush_from_cache()
    Source: mindspore.Tensor.flush_from_cache
    """


@composite(method="set_const_arg", name="_set_const_arg")
def _set_const_arg(self: Array, const_arg: Bool = True):
    """Sets whether the Tensor is a constant as an argument of a network.

    Args:
        const_arg (bool): a hint without effect on results. Default: ``True``.
    Returns:
        Tensor, this one.
    Raises:
        TypeError: if ``const_arg`` is not a bool.
    Example:
        >>> Tensor([1, 2]).set_const_arg().const_arg
        True
    Source: mindspore.Tensor.set_const_arg
    """
    self.const_arg = const_arg
    return self


@composite()
def move_to(input: Array, to: Text = "CPU", blocking: Bool = True):
    """A copy on a device: a hint without effect, JAX places the data.

    Args:
        input (Tensor): any shape and dtype.
        to (str): ``'CPU'``, ``'GPU'``, ``'NPU'`` or ``'Ascend'``. Default: ``'CPU'``.
        blocking (bool): whether to wait for it. Default: ``True``.
    Returns:
        Tensor of the same values.
    Raises:
        TypeError: for arguments of other types.  ValueError: for another device.
    Example:
        >>> ops.move_to(Tensor([1, 2])).tolist()
        [1, 2]
    Source: mindspore.ops.move_to, mindspore.Tensor.move_to
    """
    check.one_of(to.upper(), _DEVICES, "to", "move_to")
    return input.copy()


method("move_to", (move_to, "(to, blocking=True)"))
primitive(move_to, "MoveTo()(input, to='CPU', blocking=True)")


@composite()
def deepcopy(input_x: Array):
    """A copy that shares nothing with the Tensor; gradients flow through.

    Args:
        input_x (Tensor): any shape and dtype.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``input_x`` is not a Tensor.
    Example:
        >>> ops.deepcopy(Tensor([1, 2])).tolist()
        [1, 2]
    Source: mindspore.ops.deepcopy
    """
    return input_x.copy()
