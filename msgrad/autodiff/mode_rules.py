"""Differences of gradients between PYNATIVE_MODE and GRAPH_MODE: one object for each mode.

Both modes compute the same gradients; they differ in which calls they accept, in the types of their errors, and in what
counts as a weight. `mode_rules` returns the object of the current mode.
"""

import warnings
from numbers import Number

import numpy as np

from ..engine.calls.staging import Policy
from ..engine.handle import Handle
from ..engine.pytrees import leaves_in, tensors_in
from ..tensor.broadcasting import can_broadcast
from ..tensor.param_info import has_parameter_info
from ..tensor.parameter import Parameter
from ._check import MSG_NO_BROADCAST

_MSG_STRUCTURE = "The sens must have the structure of the outputs, {} Tensors, but got {}."
_MSG_SHAPE = "The shape of the sens must be that of the output, {}, but got {}."
_MSG_DTYPE = "The dtype of the sens must be that of the output, {1}, but got {0}. Cast it first: sens.astype(...)."
_MSG_PLAIN_WEIGHT = "The weights to differentiate by must be Parameters, but one is a plain Tensor."
_MSG_ZEROS = (
    "A plain Tensor among the weights to differentiate by has no gradient, so zeros are returned for it. Make it a "
    "Parameter, or differentiate by it as an input, with grad_position."
)
_MSG_NESTED = "In PYNATIVE_MODE the weights must be a flat list or tuple of Parameters, but they are nested."
_MSG_WEIGHTS = "The weights must be a Parameter, or a list or tuple of Parameters, but got {!r}."
_MSG_NO_WEIGHT = "The weights must be Parameters, but one of them is {!r}."
_MSG_NO_OUTPUT = "The function returned an empty list or tuple, so there is nothing to differentiate."
_MSG_NOTHING = "The 'bprop' of '{}' must return a gradient for each input, but returned None: it may lack a 'return'."
_MSG_KEYWORD = "In GRAPH_MODE a gradient function takes its arguments by position: '{}' must not be a keyword."
_MSG_TOO_FEW = "The 'bprop' of '{}' must return a gradient for each of its {} inputs, but returned {}."


class _Pynative:
    """PYNATIVE_MODE.

    Attributes:
        position_error (type): for a position beyond the arguments.
        aux_error (type): for too few outputs with ``has_aux``.
        sens_error (type): for cotangents that are not Tensors.
        hook_error (type): for a hook that returns anything but a Tensor or None.
        fewest_outputs (int): of a function with ``has_aux``.
        needs_inputs (bool): whether a gradient by position needs arguments at the call.
        parameter_is_itself (bool): whether a Parameter passed as an argument is also differentiated as a weight.
        remembers_gradients (bool): whether a GradOperation called twice with one function returns the same object.
        binds_bprop (bool): whether the ``bprop`` of a Cell also gets arguments left at their defaults, and may return
            gradients for the Cell's own Parameters.
        default_weights (tuple | None): of ``get_by_list`` without any; None for the trainable Parameters it used.
    """

    position_error, aux_error, sens_error, hook_error = RuntimeError, ValueError, RuntimeError, RuntimeError
    fewest_outputs = 2
    needs_inputs = False
    parameter_is_itself = True
    remembers_gradients = False
    binds_bprop = True
    default_weights = None

    def check_call(self, is_bool, kwargs):
        """Raises if a gradient function was called without arguments."""

    def refuse_callable(self, fn):
        """Raises for ``fn``, which is not a function or Cell."""
        kind = type(fn).__name__
        if callable(fn):
            raise AttributeError(
                f"'{kind}' object has no attribute '__name__': wrap it in a function, def f(x): return fn(x)."
            )
        raise TypeError(f"The fn to differentiate must be a function or Cell, but got {kind}.")

    def is_weight(self, weight):
        """Whether there is a gradient with respect to ``weight``; for others it is zeros."""
        if isinstance(weight, Parameter):
            return weight.requires_grad  # the value of `ParamInfo.requires_grad`, without making the ParamInfo
        if has_parameter_info(weight):
            return weight.param_info.requires_grad
        warnings.warn(_MSG_ZEROS, stacklevel=2)
        return False

    def weights_in(self, weights):
        """The Parameters in ``weights``, which is not a flat list of them."""
        if isinstance(weights, (list, tuple)):
            strangers = [weight for weight in leaves_in(list(weights)) if not isinstance(weight, Handle)]
            raise RuntimeError(_MSG_NO_WEIGHT.format(strangers[0]) if strangers else _MSG_NESTED)
        raise TypeError(_MSG_WEIGHTS.format(weights))

    def check_outputs(self, value, cotangent):
        """Raises for an output ``value`` that cannot be differentiated with the given cotangent."""
        if isinstance(value, (tuple, list)) and not value:
            raise RuntimeError(_MSG_NO_OUTPUT)

    def matched(self, cotangent, outputs):
        """The Tensors in ``cotangent``, one for each of ``outputs``."""
        cotangents = tensors_in(cotangent)
        if len(cotangents) != len(outputs):
            raise RuntimeError(_MSG_STRUCTURE.format(len(outputs), len(cotangents)))
        return cotangents

    def check_shape(self, shape, expected):
        """Raises for a cotangent whose ``shape`` differs from the output's."""
        if not shape:
            raise RuntimeError(MSG_NO_BROADCAST.format(shape, expected))
        raise ValueError(_MSG_SHAPE.format(expected, shape))

    def check_gradients(self, gradients, args, name):
        """The gradients that the ``bprop`` of the Cell ``name`` returned for ``args`` (and Parameters), as a tuple.

        The form of r1.x, a tuple for the arguments and a dict for Parameters, counts as one tuple, in the dict's order.
        """
        if gradients is None:
            raise TypeError(_MSG_NOTHING.format(name))
        gradients = tuple(gradients) if isinstance(gradients, (tuple, list)) else (gradients,)
        if len(gradients) == 2 and isinstance(gradients[0], (tuple, list)) and isinstance(gradients[1], dict):
            if len(args) != 2 or not isinstance(args[1], dict):  # else it is the gradient of a dict
                gradients = (*gradients[0], *gradients[1].values())
        if len(gradients) < len(args) or not gradients:
            raise RuntimeError(_MSG_TOO_FEW.format(name, len(args), len(gradients)))
        return gradients


class _Graph(_Pynative):
    """GRAPH_MODE."""

    position_error, aux_error, sens_error, hook_error = IndexError, RuntimeError, TypeError, TypeError
    fewest_outputs = 1
    needs_inputs = True
    parameter_is_itself = False
    remembers_gradients = True
    binds_bprop = False
    default_weights = ()

    def check_call(self, is_bool, kwargs):
        if is_bool:
            raise RuntimeError("In GRAPH_MODE the 'grad_position' must be an int, but got a bool.")
        if kwargs:
            raise TypeError(_MSG_KEYWORD.format(next(iter(kwargs))))

    def refuse_callable(self, fn):
        kind = type(fn).__name__
        raise RuntimeError(f"For 'GradOperation', the 'fn' must be a function or Cell, but got {kind}.")

    def is_weight(self, weight):
        if not has_parameter_info(weight):
            raise RuntimeError(_MSG_PLAIN_WEIGHT)
        return True

    def weights_in(self, weights):
        if isinstance(weights, (list, tuple, dict)):
            for weight in leaves_in(weights):
                if not isinstance(weight, Handle):
                    kind = ValueError if isinstance(weight, (Number, str)) else TypeError
                    raise kind(_MSG_NO_WEIGHT.format(weight))
            return tensors_in(weights)
        if isinstance(weights, str) or not hasattr(weights, "__iter__"):
            raise ValueError(_MSG_WEIGHTS.format(weights))
        raise TypeError(_MSG_WEIGHTS.format(weights))

    def check_outputs(self, value, cotangent):
        if cotangent is not None and isinstance(value, list) != isinstance(cotangent, list):
            raise TypeError("The sens must have the structure of the outputs, a list for a list.")

    def matched(self, cotangent, outputs):
        cotangents = tensors_in(cotangent)[: len(outputs)]
        if len(cotangents) != len(outputs):
            error = IndexError if isinstance(cotangent, (tuple, list)) else TypeError
            raise error(_MSG_STRUCTURE.format(len(outputs), len(cotangents)))
        return cotangents

    def check_shape(self, shape, expected):
        if not can_broadcast(shape, expected):
            raise ValueError(_MSG_SHAPE.format(expected, shape))

    def check_gradients(self, gradients, args, name):
        if not isinstance(gradients, tuple):
            raise TypeError(f"The 'bprop' of '{name}' must return a tuple, but returned {type(gradients).__name__}.")
        if len(gradients) < len(args):
            raise RuntimeError(_MSG_TOO_FEW.format(name, len(args), len(gradients)))
        return gradients


_PYNATIVE, _GRAPH = _Pynative(), _Graph()


def mode_rules():
    """The object of the mode that is set."""
    return _GRAPH if Policy.staged else _PYNATIVE


def is_function(fn):
    """Whether ``fn`` is a function or Cell; MindSpore refuses other callables (a partial, a NumPy ufunc)."""
    return callable(fn) and (hasattr(fn, "construct") or hasattr(fn, "__name__")) and not isinstance(fn, np.ufunc)


def check_cotangent(sens, output):
    """Raises for a cotangent that does not match ``output``."""
    (shape, dtype), (expected, expected_dtype) = sens.aval, output.aval
    if dtype != expected_dtype:
        raise TypeError(_MSG_DTYPE.format(sens.dtype, output.dtype))
    if shape != expected:
        mode_rules().check_shape(shape, expected)
