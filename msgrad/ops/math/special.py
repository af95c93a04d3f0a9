"""Special functions: gamma, beta and zeta functions, and ``nextafter``."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy import special

from ..._contracts import check
from ..._contracts.contracts import Array, Operand, PositiveInt
from ...engine.handle import Handle
from ...tensor.numbers import number
from ...tensor.tensor import Tensor
from .._core.define import composite, op
from .._core.families import body, sources


def _same_floats(name, **operands):
    """The operands, which must be floats of the same dtype, broadcast against each other."""
    first = next(iter(operands.values()))
    for argument, x in operands.items():
        check.dtype(x, "f", argument, name)
        if x.dtype != first.dtype:
            check.refuse(TypeError, name, argument, f"a Tensor of {first.dtype}, as the first is", x.dtype.name)
        check.broadcastable(first.shape, x.shape, name)
    return jnp.broadcast_arrays(*operands.values())


_PAIR = """{summary}

    Args:
        {first}, {second} (Tensor): shapes that broadcast, one float dtype.
    Returns:
        Tensor of the broadcast shape, same dtype.
    Raises:
        TypeError: if an operand is not a Tensor of floats, or dtypes differ.  ValueError: if shapes do not broadcast.
    Example:
        >>> round(ops.{call}(Tensor([{left}]), Tensor([{right}])).item(), 5)
        {value}
    Source: {sources}
    """


def _pair(name, primitive, arguments, function, summary, example, is_method=True):
    first, second = arguments

    def compute(x, y):
        return function(*_same_floats(primitive, **{first: x, second: y}))

    left, right, value = example
    call = f"{primitive}()" if name.startswith("_") else name
    fields = {"first": first, "second": second, "left": left, "right": right, "value": value, "call": call}
    fields["sources"] = sources(name, primitive)
    definition = body(
        f"{name}({first}: Array, {second}: Array)", compute, _PAIR, summary=summary, primitive=primitive, **fields
    )
    return op(primitive, method=name if is_method else ())(definition)


igamma = _pair(
    "igamma",
    "Igamma",
    ("input", "other"),
    special.gammainc,
    "The regularised lower incomplete gamma function: the integral up to ``other``, of order ``input``.",
    (1.0, 1.0, 0.63212),
)
igammac = _pair(
    "igammac",
    "Igammac",
    ("input", "other"),
    special.gammaincc,
    "The regularised upper incomplete gamma function: the integral from ``other`` on, of order ``input``.",
    (1.0, 1.0, 0.36788),
)
_zeta = _pair(
    "_zeta",
    "Zeta",
    ("input", "other"),
    special.zeta,
    "The Hurwitz zeta function: the sum of ``(other + k)**-input`` over ``k`` from 0 on.",
    (2.0, 1.0, 1.64493),
    is_method=False,
)


@composite()
def zeta(input: Operand, other: Operand):
    """The Hurwitz zeta function: the sum of ``(other + k)**-input`` over ``k`` from 0 on.

    Args:
        input, other (Tensor | Number): shapes that broadcast, one float dtype; one of them is a Tensor.
    Returns:
        Tensor of the broadcast shape, same dtype.
    Raises:
        TypeError: if there is not a Tensor, one is not of floats, or dtypes differ.
        ValueError: if shapes do not broadcast.
    Example:
        >>> round(ops.zeta(Tensor([2.0]), 1).item(), 5)
        1.64493
    Source: mindspore.ops.zeta
    """
    if not isinstance(input, Handle):
        if not isinstance(other, Handle):
            check.refuse(TypeError, "zeta", "other", "a Tensor, since 'input' is a number", other)
        input = number(input, other.aval[1])
    elif not isinstance(other, Handle):
        other = number(other, input.aval[1])
    return _zeta(input, other)


@jax.custom_jvp
def _next(x, y):
    return jnp.nextafter(x, y)


@_next.defjvp
def _next_jvp(primals, tangents):
    return _next(*primals), jnp.broadcast_to(tangents[0], jnp.broadcast_shapes(*[each.shape for each in primals]))


nextafter = _pair(
    "nextafter",
    "NextAfter",
    ("input", "other"),
    _next,
    "The number next to ``input`` in the direction of ``other``.",
    (1.0, 2.0, 1.0),
)


@op(name="_lbeta")
def log_beta(x: Array, y: Array):
    """The logarithm of the beta function, ``lgamma(x) + lgamma(y) - lgamma(x + y)``.

    Args:
        x, y (Tensor): shapes that broadcast, one float dtype.
    Returns:
        Tensor of the broadcast shape, same dtype.
    Raises:
        TypeError: if an operand is not a Tensor of floats, or dtypes differ.  ValueError: if shapes do not broadcast.
    Example:
        >>> round(nn.LBeta()(Tensor([2.0]), Tensor([3.0])).item(), 4)
        -2.4849
    """
    return special.betaln(*_same_floats("LBeta", x=x, y=y))


@jax.custom_jvp
def _psi(order, x):
    return special.polygamma(order, x)


@_psi.defjvp
def _psi_jvp(primals, tangents):
    # JAX has no derivative of the zeta function, which it computes this by.
    (order, x), (_, dx) = primals, tangents
    return _psi(order, x), _psi(order + 1, x) * dx


@op("Polygamma")
def _polygamma(a: Array, x: Array):
    """The ``a``-th derivative of `digamma`.

    Args:
        a (Tensor): no axes, an int dtype, at least 1.
        x (Tensor): any shape, a float dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        TypeError: if an operand has another dtype.
    Example:
        >>> round(ops.Polygamma()(Tensor(1), Tensor([1.0])).item(), 5)
        1.64493
    Source: mindspore.ops.Polygamma
    """
    check.dtype(a, "i", "a", "Polygamma")
    check.dtype(x, "f", "x", "Polygamma")
    return _psi(a, x.astype(jnp.promote_types(x.dtype, jnp.float32))).astype(x.dtype)


@composite()
def polygamma(n: Operand, input: Array):
    """The ``n``-th derivative of `digamma`.

    Args:
        n (Tensor | int): no axes, an int dtype, at least 1.
        input (Tensor): any shape, a float dtype.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        TypeError: if an operand has another dtype.
    Example:
        >>> round(ops.polygamma(Tensor(1), Tensor([1.0])).item(), 5)
        1.64493
    Source: mindspore.ops.polygamma
    """
    return _polygamma(n if isinstance(n, Tensor) else Tensor(n), input)


@op("Mvlgamma(p)", method="mvlgamma")
def mvlgamma(input: Array, p: PositiveInt):
    """The logarithm of the gamma function of several variables.

    Args:
        input (Tensor): any shape, float32 or float64, above ``(p - 1) / 2``.
        p (int): how many variables, at least 1.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``p`` is below 1.
    Example:
        >>> round(ops.mvlgamma(Tensor([3.0]), 2).item(), 4)
        1.5502
    Source: mindspore.ops.mvlgamma, mindspore.ops.Mvlgamma, mindspore.Tensor.mvlgamma
    """
    return special.multigammaln(check.dtype(input, "f", "input", "Mvlgamma"), p)


@op("Betainc", name="_betainc")
def _betainc(a: Array, b: Array, x: Array):
    """The regularised incomplete beta function.

    Args:
        a, b (Tensor): the exponents, above 0, float32 or float64.
        x (Tensor): where the integral ends, in ``[0, 1]``; of the same shape and dtype.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an operand is not a Tensor of floats, or dtypes differ.
    Example:
        >>> round(ops.Betainc()(Tensor([1.0]), Tensor([1.0]), Tensor([0.25])).item(), 5)
        0.25
    Source: mindspore.ops.Betainc
    """
    return special.betainc(*_same_floats("Betainc", a=a, b=b, x=x))


@op("PopulationCount")
def population_count(input_x: Array):
    """Population count: the number of 1 bits.

    Args:
        input_x (Tensor): any shape, an int dtype.
    Returns:
        Tensor of uint8, of the same shape.
    Raises:
        TypeError: if ``input_x`` is not a Tensor of ints.
    Example:
        >>> ops.population_count(Tensor([0, 1, 7], mindspore.int16)).tolist()
        [0, 1, 3]
    Source: mindspore.ops.population_count, mindspore.ops.PopulationCount
    """
    return lax.population_count(check.dtype(input_x, "iu", "input_x", "PopulationCount")).astype(jnp.uint8)


@op("Eps", name="eps")
def _eps(x: Array):
    """The distance from 1 to the next number of the dtype.

    Args:
        x (Tensor): any shape, a float dtype.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``x`` is not a Tensor of floats.
    Example:
        >>> ops.eps(Tensor([4.0])).tolist()
        [1.1920928955078125e-07]
    Source: mindspore.ops.eps, mindspore.ops.Eps
    """
    return jnp.full_like(x, jnp.finfo(check.dtype(x, "f", "x", "Eps").dtype).eps)
