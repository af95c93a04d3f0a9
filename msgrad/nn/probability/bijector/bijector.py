"""Bijector: the base class of invertible functions between random variables."""

import functools
import inspect
from typing import Any

import numpy as np

from .... import _upcalls, ops
from ...._contracts import check
from ...._contracts.doc import filled
from ....engine.refusal import refuse, require
from ....tensor.tensor import Tensor
from .._parameters import FloatType, are_numbers, batch_shape, dtype_of, require_tensor
from .._parametrized import Parametrized

_TEXT = """{summary}

    Args:
        value (Tensor): where, a float dtype.
        args, kwargs: of formulas that take more.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``value`` is not a Tensor of floats.  AttributeError: if the class has no formula for it.
    Example:
        >>> nn.probability.bijector.Exp().{name}(Tensor([1.0])).shape
        (1,)
    Source: mindspore.nn.probability.bijector.Bijector.{name}
    """


def mapping(body):
    """Makes a method from a formula ``body(self, value, *parameters)``; the parameters are cast to value's dtype.

    The class checks that it has these parameters.
    """
    names = list(inspect.signature(body).parameters)[2:]

    def method(self, value):
        value = self._check_value_dtype(value)
        return body(self, value, *[self.cast_param_by_value(value, getattr(self, name)) for name in names])

    functools.update_wrapper(method, body)
    del method.__wrapped__  # the method's signature differs
    method.formula_of = names
    return method


def _check_mappings(cls):
    """Checks that each formula of a class takes parameters of the class's constructor.

    Raises:
        NameError: for a formula with other parameters, or that no method uses.
    """
    formulas = {name: member.formula_of for name, member in vars(cls).items() if hasattr(member, "formula_of")}
    constructor = list(inspect.signature(cls.__init__).parameters)[1:] if formulas else []
    for method, names in formulas.items():
        text = f"{cls.__name__}.{method}({', '.join(['value', *names])})"
        if method not in [f"_{each}" for each in _METHODS]:
            raise NameError(f"{text} is not a formula that a method uses: there are {', '.join(_METHODS)}.")
        if unknown := [name for name in names if name not in constructor]:
            raise NameError(f"{text}: {cls.__name__}({', '.join(constructor)}) has no parameter {', '.join(unknown)}.")


def _method(name, summary):
    def method(self, value, *args, **kwargs):
        return getattr(self, f"_{name}")(value, *args, **kwargs)

    method.__name__, method.__doc__ = name, filled(_TEXT, summary=summary, name=name)
    return method


_METHODS = ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian")


class Bijector(Parametrized):
    """An invertible function; a Cell whose first argument is the name of the method: ``exp("forward", x)``.

    Called with a Distribution, it returns a TransformedDistribution. A subclass defines formulas: ``_forward``,
    ``_inverse``, ``_forward_log_jacobian``, ``_inverse_log_jacobian``.

    Args:
        is_constant_jacobian (bool): whether the Jacobian is constant. Default: ``False``.
        is_injective (bool): whether it is injective. Default: ``True``.
        name (str): of the bijector.
        dtype (mindspore.dtype): of the values that it takes. Default: ``None``, any float dtype.
        param (dict): the constructor's arguments; under ``"param_dict"`` a dict of the parameters.
    Raises:
        TypeError: for arguments of other types.
    Example:
        >>> exp = nn.probability.bijector.Exp()
        >>> exp("inverse", exp("forward", Tensor([0.0]))).tolist()
        [0.0]
        >>> exp(nn.probability.distribution.Normal(0.0, 1.0)).cdf(Tensor([1.0])).tolist()
        [0.5]
    Source: mindspore.nn.probability.bijector.Bijector
    """

    _shown_: Any = ()  # the parameters that ``repr`` shows
    common_dtype: Any = None

    # Functions that user-defined formulas use.
    cast_base, dtype_base, shape_base = ops.Cast(), ops.DType(), ops.Shape()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        _check_mappings(cls)

    def __init__(self, is_constant_jacobian=False, is_injective=True, name=None, dtype=None, param=None):
        super().__init__()
        owner = type(self).__name__
        self._name = require(name, str, owner, "name")
        self._dtype = None if dtype is None else FloatType.take(dtype, "dtype", owner)
        self._is_constant_jacobian = check.boolean(is_constant_jacobian, "is_constant_jacobian", owner)
        self._is_injective = check.boolean(is_injective, "is_injective", owner)
        parameters = {} if param is None else param
        self._parameters = {
            key: value for key, value in parameters.items() if key not in ("self", "param") and key[0] != "_"
        }
        self.default_parameters, self.parameter_names = [], []
        if "bijector" not in parameters:
            named = parameters.get("param_dict")
            self._batch_shape = None if named is None else batch_shape(named, owner)
            self._is_scalar_batch = named is not None and are_numbers(named)

    def _declare_(self, name, is_constant_jacobian=False, **parameters):
        """Initializes a bijector with these parameters; most constructors only call this.

        Args:
            name, is_constant_jacobian: as for the constructor.
            parameters (dict): by name.
        """
        param = {**parameters, "name": name, "param_dict": parameters}
        Bijector.__init__(self, is_constant_jacobian, name=name, param=param)
        for key, value in parameters.items():
            setattr(self, f"_{key}", self._add_parameter(value, key))

    @property
    def dtype(self):
        """The dtype of the values that it takes; None for any float dtype."""
        return self._dtype

    @property
    def is_constant_jacobian(self):
        """Whether the Jacobian is constant (bool)."""
        return self._is_constant_jacobian

    @property
    def is_injective(self):
        """Whether it is injective (bool)."""
        return self._is_injective

    @property
    def batch_shape(self):
        """The shape to which the parameters broadcast (tuple)."""
        return self._batch_shape

    def extend_repr(self):
        """The parameters if they are numbers, else their shape."""
        if not self._shown_:
            return ""
        if not self.is_scalar_batch:
            return f"batch_shape = {self.batch_shape}"
        return ", ".join(f"{name} = {getattr(self, name)}" for name in self._shown_)

    def _add_parameter(self, value, name):
        """Stores a parameter as a Tensor; returns it."""
        owner = type(self).__name__
        if value is None or isinstance(value, bool):
            refuse(TypeError, owner, name, "a float, a list, an array or a Tensor", value)
        parameter = value if isinstance(value, Tensor) else Tensor(value)
        FloatType.take(dtype_of(parameter), name, owner)
        shared = self.dtype or self.common_dtype or parameter.dtype
        if parameter.dtype is not shared:
            refuse(TypeError, owner, name, f"of the dtype of the other parameters, {shared}", value)
        self.common_dtype = shared
        self.default_parameters.append(value)
        self.parameter_names.append(name)
        return parameter

    def _check_value(self, value, name):
        """``value``, a Tensor."""
        return require_tensor(value, name, self._name)

    checktensor = _check_value

    def _check_value_dtype(self, value):
        """``value``, a Tensor of the bijector's dtype."""
        dtype = require_tensor(value, "value", self._name).dtype
        if self.dtype is None:
            FloatType.take(dtype, "value", self._name)
        elif dtype is not self.dtype:
            refuse(TypeError, self._name, "value", f"a Tensor of {self.dtype}", value)
        return value

    def cast_param_by_value(self, value, para):
        """``para`` (Tensor) in the dtype of ``value`` (Tensor)."""
        return para.astype(value.dtype)

    def shape_mapping(self, shape):
        """The shape of the result for values of shape ``shape`` (tuple), broadcast with the parameters.

        Raises:
            ValueError: if the two do not broadcast.
        Source: mindspore.nn.probability.bijector.Bijector.shape_mapping
        """
        return np.broadcast_shapes(shape, self.batch_shape)

    forward = _method("forward", "The value that ``value`` becomes.")
    inverse = _method("inverse", "The value that becomes ``value``.")
    forward_log_jacobian = _method("forward_log_jacobian", "The logarithm of the derivative of `forward` at ``value``.")
    inverse_log_jacobian = _method("inverse_log_jacobian", "The logarithm of the derivative of `inverse` at ``value``.")

    def __call__(self, *args, **kwargs):
        transformed = None
        if args and _upcalls.transformed_distribution is not None:
            transformed = _upcalls.transformed_distribution(self, args[0])
        return super().__call__(*args, **kwargs) if transformed is None else transformed

    def construct(self, name, *args, **kwargs):
        """Calls the method of that name.

        Args:
            name (str): ``"forward"``, ``"inverse"``, ``"forward_log_jacobian"`` or ``"inverse_log_jacobian"``.
            args, kwargs: the method's.
        Raises:
            ValueError: for another name.
        Source: mindspore.nn.probability.bijector.Bijector.construct
        """
        if name not in _METHODS:
            refuse(ValueError, self._name, "name", f"one of {_METHODS}", name)
        return getattr(self, name)(*args, **kwargs)
