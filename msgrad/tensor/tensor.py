"""Tensor: MindSpore's array class, based on the engine's handles. Operations add their methods to it."""

import math

import jax
import numpy as np

from .. import _upcalls
from .._semantics.replaced_methods import ReplaceableMethods
from ..engine import dtypes, errors, observation
from ..engine.execution.donation import lend
from ..engine.handle import Handle, Shared, scope
from ..engine.host import state_of, to_device
from ..engine.recording.trace import apply
from ..engine.recording.views import alias, are_shared
from ..engine.refusal import refuse, require
from ..engine.transforms.transform import IDENTITY
from .construct import as_array, check_dtype
from .convert import Conversions
from .dlpack import memory_of
from .writing import Writes

_MSG_SHAPE = "It is for a Tensor made by 'init'; to change that of data: Tensor(data).reshape(shape)."
_MSG_DYNAMIC = "For 'Tensor', a 'shape' with unknown lengths needs a 'dtype' and takes no 'init', but got {}."


class Tensor(Conversions, Writes, metaclass=ReplaceableMethods):
    """An array of numbers of one dtype.

    Args:
        input_data (Tensor | ndarray | numpy.generic | list | tuple | Number | SupportsDLPack): the values. A Tensor is
            shared, other data is copied, and so is another library's array, such as a ``torch.Tensor``.
        dtype (mindspore.dtype): Default: that of the data; Python floats are float32, ints int64.
        shape (tuple | list | int): with ``init`` and ``dtype`` instead of data. With lengths of None, -1 or `Symbol`,
            or with ``dtype`` alone, it is a placeholder without values, for ``Cell.set_inputs``.
        init (Initializer): fills a Tensor of ``shape``.
        const_arg (bool): stored as an attribute, without effect on the result. Default: ``False``.
        device (str): ``'CPU'`` or None, without effect on the result. Default: ``None``.
    Raises:
        TypeError: if the data or the dtype is of no supported type.  ValueError: if data comes with a shape.
    Example:
        >>> Tensor([[1.0, 2.0]]) * 2
        Tensor(shape=[1, 2], dtype=Float32, value=
        [[ 2.00000000e+00,  4.00000000e+00]])
    Source: mindspore.Tensor
    """

    __slots__ = ()
    __hash__ = object.__hash__  # by identity, since `==` compares elements

    symbolic_shape = None
    has_init = False
    _shows_memory_ = False  # made by from_numpy, and printed in numpy's form
    const_arg = False
    init = None  # the Initializer of ``init``, until `init_data`
    _offloaded_to_ = ""
    # Attributes of MindSpore's C++ Tensor, with their initial values.
    init_flag, init_finished, virtual_flag, delta_seed = False, True, False, 0
    param_info = parent_tensor_ = index_of_parent_ = None

    def __init__(
        self, input_data=None, dtype=None, shape=None, init=None, const_arg=False, device=None, internal=False
    ):
        require(const_arg, bool, "Tensor", "const_arg")
        if device not in (None, "CPU", "meta"):
            refuse(ValueError, "Tensor", "device", "None, 'CPU' or 'meta'", device)
        if const_arg:
            self.const_arg = True
        target = check_dtype(dtype)
        if input_data is None and (shape is not None or init is not None or target is not None):
            self._initialize(shape, target, init)
            return
        if shape is not None:
            refuse(ValueError, "Tensor", "shape", "None if 'input_data' is given", shape, _MSG_SHAPE)
        if isinstance(input_data, Handle):
            self._share_with(input_data, dtype)
        elif isinstance(input_data, jax.Array):
            self._start_with_(lend(input_data if target is None else input_data.astype(target)))
        else:
            self._start_with_(state_of(as_array(input_data, target)))

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if _upcalls.prepare_tensor_class is not None:
            _upcalls.prepare_tensor_class(cls)

    def _initialize(self, shape, dtype, init):
        if init is not None and (shape is None or dtype is None):
            refuse(ValueError, "Tensor", "init", "given together with a 'shape' and a 'dtype'", init)
        shape = (-2,) if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
        if _upcalls.Placeholder.is_for(shape):
            if dtype is None or init is not None:
                raise ValueError(_MSG_DYNAMIC.format(shape))
            _upcalls.Placeholder.become(self, shape, dtype)
            return
        if dtype is None:
            as_array(None, None)
        state = None
        if init is not None:
            self.has_init, self.init = True, init
            if observation.observer is not None:
                state = observation.observer.initial(shape, dtype)
        self._start_with_(to_device(_filled(shape, dtype, init)) if state is None else state)

    def _share_with(self, other, dtype):
        if dtype is not None and dtype.numpy != other.aval[1]:
            self._start_with_(other.astype(dtype)._state_())
            return
        self._start_with_(other._state_to_give_())
        if are_shared():
            alias(other, self)

    @classmethod
    def from_numpy(cls, array):
        """A Tensor that shares memory with a NumPy array: writes to either are visible in the other.

        Args:
            array (numpy.ndarray): any shape; one that is not contiguous is copied.
        Returns:
            Tensor of the same shape and dtype.
        Raises:
            TypeError: if ``array`` is not a NumPy array.
        Example:
            >>> mindspore.Tensor.from_numpy(np.array([1.0]))
            Tensor(shape=[1], dtype=Float64, value= [ 1.00000000e+00])
        Source: mindspore.Tensor.from_numpy, mindspore.from_numpy
        """
        if not isinstance(array, np.ndarray):
            raise TypeError(f"Expected a NumPy array, but got {type(array).__name__}.")
        tensor = cls(array)
        tensor._shows_memory_ = True
        if array.flags.c_contiguous and array.flags.writeable:
            tensor._share_(array)
        return tensor

    @classmethod
    def from_dlpack(cls, dlpack):
        """A Tensor that shares memory with another library's array.

        Args:
            dlpack: a capsule, as `to_dlpack` returns it, or an object with ``__dlpack__``, such as a ``torch.Tensor``.
                An accelerator's memory, memory that is not contiguous, and bfloat16 is copied.
        Returns:
            Tensor.
        Raises:
            RuntimeError: if it is neither, or a capsule that has been consumed, or requires a gradient.
        Example:
            >>> Tensor.from_dlpack(Tensor([1.0, 2.0]).to_dlpack()).tolist()
            [1.0, 2.0]
        Source: mindspore.Tensor.from_dlpack
        """
        if isinstance(dlpack, jax.Array):
            return cls._wrap(lend(dlpack))
        memory = memory_of(dlpack)
        if memory.flags.c_contiguous and memory.flags.writeable and dtypes.is_known(memory.dtype):
            return cls._wrap(Shared(memory))
        return cls(memory)

    # -- attributes ------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes, a tuple. Source: mindspore.Tensor.shape"""
        return self.aval[0]

    @shape.setter
    def shape(self, shape):
        raise TypeError(f"The shape of a Tensor cannot be set. Use x = x.reshape({shape}).")

    @property
    def dtype(self) -> dtypes.DType:
        """The mindspore dtype. Source: mindspore.Tensor.dtype"""
        return dtypes.of(self.aval[1])

    @property
    def ndim(self) -> int:
        """The number of axes. Source: mindspore.Tensor.ndim"""
        return len(self.aval[0])

    @property
    def size(self) -> int:
        """The number of elements. Source: mindspore.Tensor.size"""
        return math.prod(self.aval[0])

    @property
    def itemsize(self) -> int:
        """Bytes of an element. Source: mindspore.Tensor.itemsize"""
        return self.aval[1].itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements. Source: mindspore.Tensor.nbytes"""
        return self.size * self.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from an element to the next along each axis. Source: mindspore.Tensor.strides"""
        steps, step = [], self.itemsize
        for length in reversed(self.aval[0]):
            steps.append(step)
            step *= length
        return tuple(reversed(steps))

    def dim(self) -> int:
        """The number of axes. Source: mindspore.Tensor.dim"""
        return self.ndim

    ndimension = dim

    @property
    def device(self) -> str:
        """The kind of device that holds the values. Source: mindspore.Tensor.device"""
        return jax.default_backend().upper()

    @property
    def data(self) -> "Tensor":
        """A Tensor of the same values and storage; one can be assigned. Source: mindspore.Tensor.data"""
        return Tensor(self)

    @data.setter
    def data(self, data):
        self.assign_value(data)

    def is_signed(self) -> bool:
        """Whether the dtype has negative numbers. Source: mindspore.Tensor.is_signed"""
        return self.aval[1].kind not in "bu"

    def value(self):
        """The value as a Tensor: the Tensor itself; for a Parameter a Tensor with its current value.

        Returns:
            Tensor.
        Example:
            >>> type(Parameter(Tensor([1.0]), name="p").value()).__name__
            'Tensor'
        Source: mindspore.Tensor.value, mindspore.Parameter.value
        """
        if type(self) is Tensor:
            return self
        return Tensor._wrap(self._state_to_give_()) if scope.trace is None else apply(IDENTITY, (self,))

    def init_data(self, slice_index=None, shape=None, opt_shard_group=None):
        """Returns the Tensor itself; its initializer ran in the constructor.

        Args:
            slice_index, shape, opt_shard_group: the shard of a device, without effect on the result.
        Returns:
            Tensor, this one.
        Raises:
            TypeError: if it was made without an initializer.
        Example:
            >>> Tensor(shape=(2,), dtype=mindspore.float32, init=initializer.One()).init_data().tolist()
            [1.0, 1.0]
        Source: mindspore.Tensor.init_data
        """
        if not self.has_init:
            raise TypeError("For 'init_data', the Tensor must be made by an 'init' and not be initialised yet.")
        self.has_init = False
        self.init = None
        return self

    # -- gradients --------------------------------------------------------------------------------------------------

    def requires_grad_(self, requires_grad=True):
        """Without effect and result, as in MindSpore: gradients specify what to differentiate by.

        Args:
            requires_grad (bool): Default: ``True``.
        Source: mindspore.Tensor.requires_grad_
        """

    # -- copies ----------------------------------------------------------------------------------------------------

    def copy(self):
        """A copy that shares no memory with this Tensor; gradients flow through it.

        Returns:
            Tensor.
        Example:
            >>> Tensor([1.0]).copy().tolist()
            [1.0]
        Source: mindspore.Tensor.copy, mindspore.Tensor.clone
        """
        return apply(IDENTITY, (self,))

    clone = copy

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memodict):
        return Tensor(self)

    def __reduce__(self):
        return _unpickled, (None if type(self) is Tensor else type(self), self._values_())


def _filled(shape, dtype, init):
    """A NumPy array that an Initializer has filled; without one, of zeros."""
    with errors.of_memory():
        array = np.zeros(shape, dtype)
    if init is not None:
        init(array)
    return array


def _unpickled(cls, array):
    return (cls or Tensor)._wrap(to_device(array))


def tensor(input_data=None, dtype=None, shape=None, init=None, const_arg=False, device=None):
    """Makes a Tensor; the arguments are those of `Tensor`.

    Returns:
        Tensor.
    Example:
        >>> mindspore.tensor([1.5, 2]).shape
        (2,)
    Source: mindspore.tensor
    """
    return Tensor(input_data, dtype, shape, init, const_arg, device)


Tensor.__module__ = "mindspore.common.tensor"  # shown in prints; pickles do not use it
_upcalls.fill(Result=Tensor)
