"""``beta * input + alpha * product``, for the products of `matmul`."""

import jax.numpy as jnp

from ..._contracts import check, contracts
from ..._contracts.signature import parse
from ...engine.refusal import InWords
from ...engine.transforms.lifting import is_inexact
from .._core.define import op
from .._core.faces import method
from .._core.families import body, sources
from .matmul import by_vector, check_dtypes, vectors
from .products import product

_SCALED = """``beta * {addend} + alpha * product`` with the product of ``{first}`` and ``{second}``.

    Args:
        {addend} (Tensor): a shape that broadcasts to that of the product.
        {first}, {second} (Tensor): shapes {shapes}; all of the same dtype.
        beta, alpha (Number): the factors. Default: ``1``.
    Returns:
        Tensor.
    Raises:
        TypeError: if dtypes differ.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.{name}({example}, beta=0).shape
        {shape}
    Source: {sources}
    """


def _scaled_sum(text, method_text, product, of_ints="kept", **fields):
    """Defines an operation; ``of_ints`` is the treatment of int operands with a float factor.

    The result is rounded to ints (``"kept"``), in floats (``"floats"``), or an error (``"refused"``).
    """
    name, sig = parse(text, contracts.NAMES)
    addend, first, second, _, _ = sig.parameters

    def compute(base, left, right, beta, alpha):
        check_dtypes(base, left, name)
        check_dtypes(base, right, name)
        total = product(left, right)
        factors = [jnp.asarray(beta), jnp.asarray(alpha)]
        is_scaled = not is_inexact(base.dtype) and any(is_inexact(each.dtype) for each in factors)
        if is_scaled and of_ints == "refused":
            check.refuse(TypeError, name, "beta' and 'alpha", "ints for Tensors of ints", InWords("floats"))
        if is_scaled and of_ints == "floats":
            base, total = base.astype(jnp.float32), total.astype(jnp.float32)
        beta, alpha = [each.astype(base.dtype) for each in factors]
        return beta * base + alpha * total

    named = {"addend": addend, "first": first, "second": second, "sources": sources(name, methods=[name])}
    definition = op()(body(text, compute, _SCALED, **named, **fields))
    method(name, (definition, method_text))
    return definition


def _of_matrices(left, right):
    for matrix, argument in ((left, "mat1"), (right, "mat2")):
        if matrix.ndim != 2:
            check.refuse(ValueError, "addmm", argument, "a matrix", matrix.shape)
    return product(left, right)


addmm = _scaled_sum(
    "addmm(input: Array, mat1: Array, mat2: Array, *, beta: Operand = 1, alpha: Operand = 1)",
    "(mat1, mat2, *, beta=1, alpha=1)",
    _of_matrices,
    "floats",
    shapes="``(M, K)`` and ``(K, N)``",
    example="ops.ones((2, 4)), ops.ones((2, 3)), ops.ones((3, 4))",
    shape="(2, 4)",
)
addmv = _scaled_sum(
    "addmv(input: Array, mat: Array, vec: Array, *, beta: Operand = 1, alpha: Operand = 1)",
    "(mat, vec, *, beta=1, alpha=1)",
    lambda mat, vec: by_vector(mat, vec, "addmv"),
    shapes="``(M, K)`` and ``(K,)``",
    example="ops.ones(2), ops.ones((2, 3)), ops.ones(3)",
    shape="(2,)",
)
addr = _scaled_sum(
    "addr(x: Array, vec1: Array, vec2: Array, *, beta: Operand = 1, alpha: Operand = 1)",
    "(vec1, vec2, beta=1, alpha=1)",
    lambda a, b: vectors(a.reshape(-1), b.reshape(-1), "addr"),
    shapes="of ``M`` and of ``N`` elements, flattened",
    example="ops.ones((2, 3)), ops.ones(2), ops.ones(3)",
    shape="(2, 3)",
)
addbmm = _scaled_sum(
    "addbmm(input: Array, batch1: Array, batch2: Array, *, beta: Operand = 1, alpha: Operand = 1)",
    "(batch1, batch2, *, beta=1, alpha=1)",
    lambda a, b: product(a, b).sum(0),
    "floats",
    shapes="``(B, M, K)`` and ``(B, K, N)``, summed over B",
    example="ops.ones((2, 4)), ops.ones((5, 2, 3)), ops.ones((5, 3, 4))",
    shape="(2, 4)",
)
baddbmm = _scaled_sum(
    "baddbmm(input: Array, batch1: Array, batch2: Array, beta: Operand = 1, alpha: Operand = 1)",
    "(batch1, batch2, *, beta=1, alpha=1)",
    product,
    "refused",
    shapes="``(B, M, K)`` and ``(B, K, N)``",
    example="ops.ones((5, 2, 4)), ops.ones((5, 2, 3)), ops.ones((5, 3, 4))",
    shape="(5, 2, 4)",
)
