"""Formulas: methods of distributions that are written over values and parameters alone."""

import functools
import inspect

from ...._contracts.signature import function
from ....engine import dtypes
from ....engine.refusal import refuse

_INPUT = inspect.Parameter.POSITIONAL_OR_KEYWORD


def formula(body):
    """Makes a method of a formula, whose parameters say what it is of.

    ``value`` is a Tensor, cast to the distribution's dtype, or to that of the parameters where outcomes are ints.
    ``shape`` is a tuple, and arrives as that of the whole sample; the sample is cast to the distribution's dtype.
    Names that end in ``_b`` are parameters of another distribution of the same family, whose name, ``dist``, comes
    before them. All others are the distribution's parameters, in their order: a call may give them, else they are those
    of the constructor; they arrive broadcast to one shape, in one dtype.

    Args:
        body (function): ``body(self, value, loc, scale)``, say.
    Returns:
        function ``(self, value, loc=None, scale=None)``.
    """
    names = list(inspect.signature(body).parameters)[1:]
    first = names[:1] if names[:1] in (["value"], ["shape"]) else []
    others = [name for name in names if name.endswith("_b")]
    own = names[len(first) + len(others) :]
    prepare = _prepared_shape if first == ["shape"] else _prepared_value

    def run(self, dist, leading, others_given, own_given):
        if others:
            _check_family(self, dist)
        taken = self._check_param_type(*own_given)
        taken = taken if isinstance(taken, tuple) else (taken,)
        further = [
            self._check_value(each, name).astype(self.parameter_type)
            for each, name in zip(others_given, others, strict=True)
        ]
        result = body(self, *[prepare(self, each, taken) for each in leading], *further, *taken)
        return result.astype(self.dtype) if first == ["shape"] else result

    dist = "dist" if others else "None"
    groups = ", ".join(f"({''.join(f'{name}, ' for name in group)})" for group in (first, others, own))
    signature = _signature(first, others, own)
    made = function(body.__name__, signature, f"_run(self, {dist}, {groups})", {"_run": run})
    functools.update_wrapper(made, body)
    made.__signature__ = signature
    return made


def _signature(first, others, own):
    parameters = [inspect.Parameter("self", _INPUT)]
    parameters += [inspect.Parameter("dist", _INPUT)] if others else []
    parameters += [inspect.Parameter("shape", _INPUT, default=())] if first == ["shape"] else []
    parameters += [inspect.Parameter("value", _INPUT)] if first == ["value"] else []
    parameters += [inspect.Parameter(name, _INPUT) for name in others]
    parameters += [inspect.Parameter(name, _INPUT, default=None) for name in own]
    return inspect.Signature(parameters)


def _prepared_value(self, value, taken):
    dtype = self.dtype if self.dtype in dtypes.float_type else self.parameter_type
    return self._check_value(value, "value").astype(dtype)


def _prepared_shape(self, shape, taken):
    batch = taken[0].shape if taken else ()
    return self.checktuple(shape, "shape") + batch[: len(batch) - self.event_axes]


def _check_family(self, dist):
    if dist != self.family:
        refuse(ValueError, self.name, "dist", f"{self.family!r}, the other distribution's class", dist)
