"""Formulas: methods of distributions written as functions of values and parameters."""

import functools
import inspect

from ...._contracts.signature import function
from ....engine import dtypes
from ....engine.refusal import refuse

_INPUT = inspect.Parameter.POSITIONAL_OR_KEYWORD

# The arguments of each formula before the parameters.
_FIRST = {
    **dict.fromkeys(("_mean", "_mode", "_sd", "_var", "_entropy"), []),
    **dict.fromkeys(("_prob", "_log_prob", "_cdf", "_log_cdf", "_survival_function", "_log_survival"), ["value"]),
    "_sample": ["shape"],
    "_kl_loss": ["dist"],
}


def formula(body):
    """Makes a method from a formula; `check_formulas` checks its parameters against those of the class.

    ``value`` is a Tensor, cast to the distribution's dtype, or to that of the parameters if outcomes are ints.
    ``shape`` is the shape (tuple) of the whole sample, which is cast to the distribution's dtype. ``loc_b`` is the
    parameter ``loc`` of another distribution of the same family, whose name, ``dist``, comes first in calls. The others
    are the distribution's parameters, from the call or from the constructor; they are broadcast to one shape and dtype.

    Args:
        body (function): such as ``body(self, value, loc, scale)``.
    Returns:
        function ``(self, value, loc=None, scale=None)``.
    """
    names = list(inspect.signature(body).parameters)[1:]
    first = names[:1] if names[:1] in (["value"], ["shape"]) else []
    other_names = [name for name in names if name.endswith("_b")]
    own = names[len(first) + len(other_names) :]
    prepare = _prepared_shape if first == ["shape"] else _prepared_value

    def run(self, dist, leading, others_given, own_given):
        if other_names:
            _check_family(self, dist)
        parameters = self._check_param_type(*own_given)
        parameters = parameters if isinstance(parameters, tuple) else (parameters,)
        further = [
            self._check_value(each, name).astype(self.parameter_type)
            for each, name in zip(others_given, other_names, strict=True)
        ]
        result = body(self, *[prepare(self, each, parameters) for each in leading], *further, *parameters)
        return result.astype(self.dtype) if first == ["shape"] else result

    dist = "dist" if other_names else "None"
    groups = ", ".join(f"({''.join(f'{name}, ' for name in group)})" for group in (first, other_names, own))
    signature = _signature(first, other_names, own)
    method = function(body.__name__, signature, f"_run(self, {dist}, {groups})", {"_run": run})
    functools.update_wrapper(method, body)
    method.__signature__ = signature
    method.formula_of = names
    return method


def check_formulas(cls):
    """Checks that each formula of a class takes the class's parameters, by name and in order.

    These are the parameters of the constructor up to ``seed``, renamed by ``_names_in_calls_``. The KL divergence may
    name those of the distribution itself ``loc_a``, next to ``loc_b``.

    Raises:
        NameError: for a formula with other parameters, or that no method uses.
    """
    formulas = {name: member.formula_of for name, member in vars(cls).items() if hasattr(member, "formula_of")}
    if not formulas:
        return
    constructor = list(inspect.signature(cls.__init__).parameters)[1:]
    declared = constructor[: constructor.index("seed")] if "seed" in constructor else constructor
    own = [cls._names_in_calls_.get(name, name) for name in declared]
    for method, names in formulas.items():
        _check_formula(f"{cls.__name__}.{method}", names, _FIRST.get(method), own)


def _check_formula(path, names, first, own):
    if first is None:
        accepted = ", ".join(_FIRST)
        raise NameError(f"{path}({', '.join(names)}) is not a formula that a method uses: there are {accepted}.")
    if first == ["dist"]:
        theirs = [f"{name}_b" for name in own]
        expected = [theirs + own, theirs + [f"{name}_a" for name in own]]
    else:
        expected = [first + own]
    if names not in expected:
        raise NameError(f"{path}({', '.join(names)}) must be a formula of ({') or ('.join(map(', '.join, expected))}).")


def _signature(first, other_names, own):
    parameters = [inspect.Parameter("self", _INPUT)]
    parameters += [inspect.Parameter("dist", _INPUT)] if other_names else []
    parameters += [inspect.Parameter("shape", _INPUT, default=())] if first == ["shape"] else []
    parameters += [inspect.Parameter("value", _INPUT)] if first == ["value"] else []
    parameters += [inspect.Parameter(name, _INPUT) for name in other_names]
    parameters += [inspect.Parameter(name, _INPUT, default=None) for name in own]
    return inspect.Signature(parameters)


def _prepared_value(self, value, parameters):
    dtype = self.dtype if self.dtype in dtypes.float_type else self.parameter_type
    return self._check_value(value, "value").astype(dtype)


def _prepared_shape(self, shape, parameters):
    batch = parameters[0].shape if parameters else ()
    return self.checktuple(shape, "shape") + batch[: len(batch) - self._event_axes_]


def _check_family(self, dist):
    if dist != self._family_:
        refuse(ValueError, self.name, "dist", f"{self._family_!r}, the other distribution's class", dist)
