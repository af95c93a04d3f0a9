"""Floating-point operations of a recorded operation, counted in its jaxpr; a multiplication and an addition are two.

Exact for matrix products and convolutions. Everything else counts one for each element of its result, a reduction one
for each of its operand, and what only moves data nothing. A loop that ends by a condition counts as one iteration.
"""

import math

from ...engine._jax_private import jaxprs_in_parameters
from ..operation_counts import of_convolution, of_product

_FREE = {
    *("bitcast_convert_type", "broadcast_in_dim", "concatenate", "convert_element_type", "copy", "device_put"),
    *("dynamic_slice", "dynamic_update_slice", "expand_dims", "gather", "iota", "pad", "reshape", "rev", "scatter"),
    *("select_n", "sharding_constraint", "slice", "split", "squeeze", "stop_gradient", "transpose"),
}


def flops_of(node):
    """The floating-point operations of a recorded operation (a ``Node``), an int."""
    return round(_of_jaxpr(node.fn.trace()[0].jaxpr))


def _of_jaxpr(jaxpr):
    return sum(map(_of_equation, jaxpr.eqns))


def _of_equation(equation):
    name, parameters = equation.primitive.name, equation.params
    inner = [_of_jaxpr(getattr(each, "jaxpr", each)) for each in jaxprs_in_parameters(parameters)]
    if name == "dot_general":
        return of_product(equation)
    if name == "conv_general_dilated":
        return of_convolution(equation)
    if name.startswith(("reduce", "arg")):  # with the function that it reduces by
        return sum([_size(variable) for variable in equation.invars])
    if name == "scan":
        return parameters["length"] * sum(inner)
    if name in ("cond", "platform_index"):
        return max(inner, default=0)
    if inner:
        return sum(inner)
    return 0 if name in _FREE else _results(equation)


def _results(equation):
    return sum(map(_size, equation.outvars))


def _size(variable):
    return math.prod(getattr(variable.aval, "shape", ()))
