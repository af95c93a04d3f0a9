"""Floating-point operations of matrix products and convolutions in jaxprs, two for a multiplication and an addition."""

import math


def contracted(equation):
    """How many pairs a ``dot_general`` adds up for each element of its result."""
    (left, _), _ = equation.params["dimension_numbers"]
    return math.prod([equation.invars[0].aval.shape[axis] for axis in left])


def of_product(equation):
    """The operations of a ``dot_general``; of complex numbers as if they were real."""
    return 2 * math.prod(equation.outvars[0].aval.shape) * contracted(equation)


def of_convolution(equation):
    """The operations of a ``conv_general_dilated``, without those by the zeros that dilation puts between values."""
    kernel, channels_and_window = equation.invars[1].aval.shape, equation.params["dimension_numbers"].rhs_spec[1:]
    products = math.prod([kernel[axis] for axis in channels_and_window])
    return 2 * math.prod(equation.outvars[0].aval.shape) * products / math.prod(equation.params["lhs_dilation"])
