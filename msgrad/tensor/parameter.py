"""Parameter and ParameterTuple: Tensors with a name, and tuples of them."""

import itertools
import operator
import re
from typing import Any

import numpy as np

from .. import _upcalls
from ..engine import dtypes
from ..engine.foreign_tracing import birth, check_write
from ..engine.handle import Handle, scope
from ..engine.recording.record import is_differentiating
from ..engine.recording.trace import apply
from ..engine.refusal import refuse, require
from ..engine.transforms.transform import STOP
from .arrays import taken
from .param_info import OwnInfo, ParamInfo
from .tensor import Tensor

GENERATED_PREFIX = "Parameter#"

_LONGEST_NAME = 1024
_TUPLE_PREFIX = r"^\w+[0-9a-zA-Z\_\.]*$"
_generated = itertools.count(2)  # the first generated name in MindSpore 2.10 is Parameter#2

_MSG_SET_TENSOR = "Make a Tensor of it first: p.set_data(Tensor(value))."
_MSG_SET_DTYPE = "Cast the Parameter first: p.set_dtype(mindspore.float32)."
_SOURCES = "a Tensor, an int, a float, an array or a list"
_MSG_SAME_NAME = "Two different Parameters have the name '{}': give each a name of its own, Parameter(..., name='...')."


def is_generated_name(name):
    """Whether ``name`` was generated because none was given."""
    return name.startswith(GENERATED_PREFIX)


def check_names_differ(parameters):
    """Raises ValueError if two different Parameters have the same name."""
    by_name = {}
    for parameter in parameters:
        if by_name.setdefault(parameter.name, parameter) is not parameter:
            raise ValueError(_MSG_SAME_NAME.format(parameter.name))


class _Attribute(property):
    """A checked attribute of a Parameter; the class has the default, an instance only a value that was set.

    Reading it runs no Python code, since gradients read every weight's ``requires_grad`` at each step.
    """

    def __init__(self, default, check, doc):
        self.default = default
        self.check = check
        self.doc = doc

    def __set_name__(self, owner, name):
        self.attribute = f"_{name}"
        setattr(owner, self.attribute, self.default)
        super().__init__(
            operator.attrgetter(self.attribute),
            lambda parameter, value: parameter.__dict__.__setitem__(self.attribute, self.check(name, value)),
        )
        self.__doc__ = self.doc  # given to `property`, it would be hidden by that of the class


def _flag(name, value):
    return require(value, bool, "Parameter", name)


def _count(name, value):
    if not isinstance(value, int) or isinstance(value, bool):
        refuse(TypeError, "Parameter", name, "an int", value)
    if value < 0:
        refuse(ValueError, "Parameter", name, "a non-negative int", value)
    return value


class _Kept:
    """An attribute stored in the Parameter's `ParamInfo`."""

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, parameter, owner=None):
        return self if parameter is None else getattr(parameter.param_info, self.name)

    def __set__(self, parameter, value):
        setattr(parameter.param_info, self.name, value)


class Parameter(Tensor):
    """A Tensor that a Cell owns and an optimizer updates.

    Args:
        default_input (Tensor | int | float | numpy.ndarray | list): the value, which is copied. An int becomes int32,
            a float float32; the others keep their dtype.
        name (str): None or blank: the name of the attribute that it is assigned to, until then ``Parameter#N``.
        requires_grad (bool): whether it is trainable, for optimizers and gradients. Default: ``True``.
        layerwise_parallel, parallel_optimizer (bool), storage_format (str), device (str): hints for several devices,
            without effect on results.
    Raises:
        TypeError, ValueError: for another source (a bool, a tuple, a string), name or flag.
    Example:
        >>> Parameter(Tensor([1.0, 2.0]), name="w")
        Parameter (name=w, shape=(2,), dtype=Float32, requires_grad=True)
    Source: mindspore.Parameter
    """

    _take_data: Any
    _renew: Any

    requires_grad = _Attribute(True, _flag, "Whether it is trainable (bool), for optimizers and gradients.")
    layerwise_parallel = _Attribute(False, _flag, "Whether data parallelism leaves its gradient as it is (bool).")
    parallel_optimizer = _Attribute(True, _flag, "Whether optimizers may shard its slots (bool).")
    parallel_optimizer_comm_recompute = _Attribute(False, _flag, "Hint for several devices (bool), without effect.")
    comm_fusion = _Attribute(1, _count, "Hint for several devices (non-negative int), without effect.")
    unique = False  # a hint for sparse updates, in the place of Tensor's method
    sliced = False
    is_init = False
    init_mode = None  # initializers are computed immediately, so there is nothing to initialise later
    has_init = False
    inited_param = None
    cache_enable = _Kept()  # for the parameter server's cache, which does not exist
    cache_shape = _Kept()
    key = _Kept()

    def __init__(
        self,
        default_input,
        name=None,
        requires_grad=True,
        layerwise_parallel=False,
        parallel_optimizer=True,
        storage_format="",
        device=None,
    ):
        if isinstance(default_input, Handle):
            self._start_with_(default_input._state_())  # no shared storage, unlike a Tensor made of a Tensor
        else:
            super().__init__(*_source(default_input))
        self._birth = birth()
        self.name = name
        self.requires_grad = requires_grad
        self.layerwise_parallel = layerwise_parallel
        self.parallel_optimizer = parallel_optimizer
        require(storage_format, str, "Parameter", "storage_format")
        if device not in (None, "CPU", "Remote"):
            refuse(ValueError, "Parameter", "device", "None, 'CPU' or 'Remote'", device)

    @property
    def name(self) -> str:
        """The name (str); surrounding blanks are stripped, and for None or a blank one is generated."""
        return self._name

    @name.setter
    def name(self, name):
        if name is not None and not isinstance(name, str):
            refuse(ValueError, "Parameter", "name", "a str or None", name)
        name = (name or "").strip()
        if len(name) > _LONGEST_NAME:
            refuse(ValueError, "Parameter", "name", f"at most {_LONGEST_NAME} characters long", len(name))
        self._name = name or f"{GENERATED_PREFIX}{next(_generated)}"

    @property
    def param_info(self):
        """MindSpore's data about the Parameter (ParamInfo). Source: mindspore.Parameter.param_info"""
        return self.__dict__.get("_info") or self.__dict__.setdefault("_info", OwnInfo(self))

    @param_info.setter
    def param_info(self, info):
        self.__dict__["_info"] = OwnInfo.taken(require(info, ParamInfo, "Parameter", "param_info"), self)

    def _write_(self, other):
        """Copies the value of ``other`` into the Parameter. No gradient flows to the assigned value."""
        super()._write_(self._stored(other))

    def _with_item(self, index, value):
        """This Parameter, written to at ``index``: under any name it is the same one, in a graph, too."""
        self[index] = value
        return self

    def _stored(self, value):
        if scope.trace is None:
            check_write(self, value._state_())
        return apply(STOP, (value,)) if is_differentiating() else value

    def set_data(self, data, slice_shape=False):
        """Replaces the value; name, flags and dtype are kept.

        Outside of Cells, a Tensor of the Parameter's dtype shares storage with it then: what is written in place to
        either, by an optimizer too, reaches the other.

        Args:
            data (Tensor | int | float): the new value, cast to the Parameter's dtype; the shape may change.
            slice_shape (bool): stored as ``sliced``, a hint for several devices. Default: ``False``.
        Returns:
            Parameter, this one.
        Raises:
            TypeError: if ``data`` is anything else, or a float for an int Parameter.
        Example:
            >>> Parameter(Tensor([1.0]), name="p").set_data(Tensor([2.0, 3.0])).asnumpy().tolist()
            [2.0, 3.0]
        Source: mindspore.Parameter.set_data
        """
        data, dtype = taken(data), self.aval[1]
        if isinstance(data, (int, float)):
            if isinstance(data, float) and np.issubdtype(dtype, np.integer):
                refuse(TypeError, "set_data", "data", f"an int, for a Parameter of {self.dtype}", data, _MSG_SET_DTYPE)
            data = Tensor(np.array(data).astype(dtype))
        elif not isinstance(data, Tensor):
            refuse(TypeError, "set_data", "data", "a Tensor, an int or a float", data, _MSG_SET_TENSOR)
        if data.aval[1] == dtype:
            self._take_data(data)
        else:
            self._renew(data.astype(self.dtype))
        self.sliced = slice_shape
        return self

    def set_dtype(self, dtype) -> dtypes.DType:
        """Casts the value in place and returns ``dtype`` (mindspore.dtype).

        Example:
            >>> Parameter(Tensor([1.5]), name="p").set_dtype(mindspore.int32)
            mindspore.int32
        Source: mindspore.Parameter.set_dtype
        """
        self._write_(self.astype(dtype))
        return dtype

    def init_data(self, layout=None, set_sliced=False) -> "Parameter":
        """Returns the Parameter itself: it is always initialised.

        Args:
            layout (tuple): a hint for several devices, without effect.
            set_sliced (bool): kept as ``sliced``. Default: ``False``.
        Source: mindspore.Parameter.init_data
        """
        self.sliced = set_sliced
        return self

    def register_hook(self, hook_fn):
        """Registers ``hook_fn(gradient) -> new gradient or None`` on the Parameter's gradient.

        Args:
            hook_fn (function): None keeps the gradient.
        Returns:
            A handle whose ``remove()`` removes the hook.
        Raises:
            TypeError: if ``hook_fn`` cannot be called.
        Example:
            >>> handle = Parameter(Tensor([1.0])).register_hook(lambda gradient: gradient * 2)
            >>> handle.remove()
        Source: mindspore.Parameter.register_hook
        """
        return super().register_hook(hook_fn)

    def add_pipeline_stage(self, stage):
        """Sets the pipeline stage that uses the Parameter: a hint for several devices, without effect.

        Args:
            stage (int): non-negative.
        Raises:
            TypeError: if ``stage`` is no such int.
        Example:
            >>> Parameter(Tensor([1.0])).add_pipeline_stage(0)
        Source: mindspore.Parameter.add_pipeline_stage
        """
        if not isinstance(stage, int) or isinstance(stage, bool) or stage < 0:
            refuse(TypeError, "Parameter.add_pipeline_stage", "stage", "a non-negative int", stage)

    def copy(self) -> "Parameter":
        """A Parameter of the same name, flags and value. Source: mindspore.Parameter.copy"""
        return self.clone()

    def clone(self, init="same"):
        """A Parameter of the same name, flags, shape and dtype.

        Args:
            init (Tensor | str | Number | Initializer): its value; ``'same'`` copies this one's. Default: ``'same'``.
        Returns:
            Parameter.
        Raises:
            ValueError: if ``init`` names no initializer or has another shape.  TypeError: if it is something else.
        Example:
            >>> Parameter(Tensor([1.0, 2.0]), name="p").clone("zeros").asnumpy().tolist()
            [0.0, 0.0]
        Source: mindspore.Parameter.clone
        """
        clone = self._like(self._state_())
        if not (isinstance(init, str) and init == "same"):
            clone.set_data(_upcalls.initialized(init, self.shape, self.dtype))
        return clone

    def _like(self, state):
        """A Parameter with this one's attributes and the value ``state``."""
        other = self._wrap(state)
        other.__dict__.update(self._static_attributes_(), _birth=birth())
        return other

    def _static_attributes_(self):
        """Name and flags, as a hashable key for JAX's pytrees."""
        return tuple(sorted((name, self.__dict__[name]) for name in _COPIED & self.__dict__.keys()))

    def __copy__(self):
        return self._like(self._state_())

    def __deepcopy__(self, memodict):
        memodict[id(self)] = other = self._like(self._state_())
        return other

    def __reduce_ex__(self, protocol):
        return _unpickled, (type(self), self.asnumpy(), self.dtype, self._static_attributes_())

    def __repr__(self):
        attributes = f"name={self.name}, shape={self.shape}, dtype={self.dtype}, requires_grad={self.requires_grad}"
        return f"Parameter ({attributes})"

    __str__ = __repr__

    def __format__(self, spec):
        return format(repr(self), spec)


# ``_forward_hook`` is set by `nn.Cell.register_parameter_forward_hook`.
_ATTRIBUTES = [each for each in vars(Parameter).values() if isinstance(each, _Attribute)]
_COPIED = {"_name", "_forward_hook"} | {each.attribute for each in _ATTRIBUTES}


def _source(value) -> Any:
    """The arguments for Tensor's constructor from a Parameter's ``default_input``; raises for other values."""
    if isinstance(value, bool):
        refuse(ValueError, "Parameter", "default_input", _SOURCES, value)
    if isinstance(value, int):
        return value, dtypes.int32
    if isinstance(value, float) and not isinstance(value, np.generic):
        return value, dtypes.float32
    if value is None or isinstance(value, (str, tuple, complex, np.generic)):
        refuse(TypeError, "Parameter", "default_input", _SOURCES, value)
    return (value,)


def _unpickled(cls, array, dtype, attributes):
    parameter = cls._wrap(Tensor(array, dtype)._state_())
    parameter.__dict__.update(attributes, _birth=birth())
    return parameter


def write_all(targets, values):
    """Writes each of ``values``, results of operations, to one of ``targets``, as its own ``write`` does."""
    trace = scope.trace
    if trace is None:
        for target, value in zip(targets, values, strict=True):
            target._write_(value)
        return
    if is_differentiating():
        pairs = zip(targets, values, strict=True)
        values = [apply(STOP, (value,)) if isinstance(target, Parameter) else value for target, value in pairs]
    trace.write_all(targets, values)


class ParameterTuple(tuple):
    """A tuple of Parameters; slices and sums of it are plain tuples.

    Args:
        iterable (Iterable[Parameter]): the members; different ones must have different names.
    Raises:
        TypeError: if ``iterable`` cannot be iterated or holds something else.  ValueError: if two names are equal.
    Example:
        >>> ParameterTuple([Parameter(Tensor([1.0]), name="a")])
        (Parameter (name=a, shape=(1,), dtype=Float32, requires_grad=True),)
    Source: mindspore.ParameterTuple
    """

    def __new__(cls, iterable):
        members = tuple(iterable)
        for member in members:
            if not isinstance(member, Parameter):
                refuse(TypeError, "ParameterTuple", "iterable", "made of Parameters", member)
        check_names_differ(members)
        return super().__new__(cls, members)

    def clone(self, prefix, init="same"):
        """Clones every member.

        Args:
            prefix (str): put before each name, with a dot.
            init (Tensor | str | Number | Initializer): the values, as for ``Parameter.clone``. Default: ``'same'``.
        Returns:
            ParameterTuple.
        Raises:
            ValueError: if ``prefix`` has other characters than letters, digits, ``_`` and ``.``, or is empty.
        Example:
            >>> ParameterTuple([Parameter(Tensor([1.0]), name="a")]).clone("m")[0].name
            'm.a'
        Source: mindspore.ParameterTuple.clone
        """
        if re.match(_TUPLE_PREFIX, prefix, re.ASCII) is None:
            letters = "made of letters, digits, '_' and '.', and not empty"
            refuse(ValueError, "ParameterTuple.clone", "prefix", letters, prefix)
        clones = []
        for parameter in self:
            clone = parameter.clone(init)
            clone.name = f"{prefix}.{parameter.name}"
            clones.append(clone)
        return ParameterTuple(clones)
