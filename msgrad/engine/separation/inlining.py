"""The equations of a jaxpr, with those of the functions that it calls in their place."""

import contextlib

import jax

from .._jax_private import CALLED, Literal, Var, computes_anew

_JITTED = {"jit": CALLED["jit"]}


def inlined(jaxpr, called=_JITTED):
    """The equations of a ``Jaxpr``, with those of functions of ``jax.jit`` in place of their calls.

    Args:
        called (dict): the primitives that are replaced, as in `_jax_private.CALLED`.
    Returns:
        tuple: the list of equations, each with results of its own; the list of results; and the constants of the
        functions, a dict by variable.
    """
    names, equations, consts = {each: each for each in (*jaxpr.constvars, *jaxpr.invars)}, [], {}
    _add(jaxpr, names, None, equations, consts, called)
    return equations, [_value(each, names) for each in jaxpr.outvars], consts


def variables(atoms):
    """The variables among operands or results, each once and in order, as a dict."""
    return dict.fromkeys([each for each in atoms if not isinstance(each, Literal)])


def _value(each, names):
    return each if isinstance(each, Literal) else names[each]


def scope(equation):
    """The scope in which operations are traced under the equation's name, for XLA and tools that read its programs."""
    name = str(equation.source_info.name_stack)
    return jax.named_scope(name) if name else contextlib.nullcontext()


def results_of(equation, operands, params=None):
    """The results of an equation at these operands, as a list; ``params`` stand in for its own parameters."""
    params = equation.primitive.get_bind_params(equation.params if params is None else params)
    results = equation.primitive.bind(*operands, **params)
    return list(results) if equation.primitive.multiple_results else [results]


def _add(jaxpr, names, scopes, equations, consts, called):
    for equation in jaxpr.eqns:
        operands = [_value(each, names) for each in equation.invars]
        source = equation.source_info
        if scopes is not None:
            source = source.replace(name_stack=scopes + source.name_stack)
        inner = _called(equation, called)
        if inner is None:
            results = [Var(each.aval) for each in equation.outvars]
            equations.append(equation.replace(invars=operands, outvars=results, source_info=source))
        else:
            inner, values = inner
            own = {each: Var(each.aval) for each in inner.constvars}
            consts.update(zip(own.values(), values, strict=True))
            inner_names = {**own, **dict(zip(inner.invars, operands, strict=True))}
            _add(inner, inner_names, source.name_stack, equations, consts, called)
            results = [_value(each, inner_names) for each in inner.outvars]
        names.update(zip(equation.outvars, results, strict=True))


def _called(equation, called):
    """The jaxpr of a function that an equation calls, and its constants; None for any other equation."""
    parameter = called.get(equation.primitive.name)
    if parameter is None or computes_anew(equation):
        return None
    closed = equation.params[parameter]
    return getattr(closed, "jaxpr", closed), getattr(closed, "consts", ())
