"""``mindspore.ops.composite``: functions whose arguments differ from those in ``mindspore.ops``."""

from ... import ops


def matmul(x1, x2, dtype=None):
    """The product of two matrices, or of stacks of them.

    Args:
        x1, x2 (Tensor): at least one axis each; leading axes broadcast.
        dtype (mindspore.dtype): of the result. Default: ``None``, that of the product.
    Returns:
        Tensor.
    Raises:
        TypeError, ValueError: as for `ops.matmul`.
    Example:
        >>> matmul(Tensor([1, 2]), Tensor([3, 4]), mindspore.float32).item()
        11.0
    Source: mindspore.ops.composite.matmul
    """
    product = ops.matmul(x1, x2)
    return product if dtype is None else product.astype(dtype)


def zeros_like(x):
    """Zeros of the shape and dtype of a Tensor; of a number, a zero.

    Args:
        x (Tensor | Number): any shape.
    Returns:
        Tensor or Number.
    Raises:
        TypeError: if ``x`` is neither.
    Example:
        >>> zeros_like(Tensor([1.0, 2.0])).tolist()
        [0.0, 0.0]
    Source: mindspore.ops.composite.zeros_like
    """
    if isinstance(x, (int, float)):
        return 0.0 if isinstance(x, float) else 0
    return ops.zeros_like(x)
