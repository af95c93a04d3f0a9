"""Gradient clipping by norm and by global norm."""

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.contracts import Array, Arrays, Bool, Real
from ..._contracts.kinds import Scalar
from ...engine.handle import Handle
from ...engine.transforms.lifting import is_inexact
from .._core.define import composite, op
from ..math.statistics import root

_MSG_TENSORS = "a Tensor, or a list or tuple of Tensors"


def _together(x, owner):
    """``x``, one Tensor or several, as a tuple of at least one."""
    tensors = (x,) if isinstance(x, Handle) else x
    if not isinstance(tensors, (tuple, list)) or not all(isinstance(each, Handle) for each in tensors):
        check.refuse(TypeError, owner, "x", _MSG_TENSORS, x)
    if not tensors:
        check.refuse(ValueError, owner, "x", "at least one Tensor", x)
    return tuple(tensors)


def _like(x, results):
    return results[0] if isinstance(x, Handle) else results


def _check_clip_norm(clip_norm):
    if clip_norm <= 0:
        check.refuse(ValueError, "clip_by_global_norm", "clip_norm", "a number above 0", clip_norm)


@op(name="_clip_by_global_norm", wide=True)
def _scaled_globally(x: Arrays, clip_norm: Scalar()):
    squares = sum(jnp.sum(jnp.square(each)).astype(jnp.float32) for each in x)
    maximum = clip_norm.astype(jnp.float32)
    total = jnp.maximum(jnp.sqrt(squares), maximum)
    return tuple([(each * maximum / total).astype(each.dtype) for each in x])


@composite()
def clip_by_global_norm(x, clip_norm: Scalar(_check_clip_norm) = 1.0, use_norm=None):
    """Clips gradients by their global norm: scales Tensors so that their joint norm is at most ``clip_norm``.

    Args:
        x (tuple[Tensor] | list[Tensor] | Tensor): float dtypes, any shapes.
        clip_norm (float | int): above 0. Default: ``1.0``.
        use_norm (None): must be None. Default: ``None``.
    Returns:
        tuple of Tensors, of the shapes and dtypes of ``x``; a Tensor for a Tensor.
    Raises:
        TypeError: if an argument has a wrong type.
        ValueError: if there is no Tensor, ``clip_norm`` is not above 0, or ``use_norm`` given.
    Example:
        >>> [each.tolist() for each in ops.clip_by_global_norm((Tensor([3.0]), Tensor([4.0])), 5.0)]
        [[3.0], [4.0]]
    Source: mindspore.ops.clip_by_global_norm
    """
    if use_norm is not None:
        check.refuse(ValueError, "clip_by_global_norm", "use_norm", "None", use_norm)
    return _like(x, _scaled_globally(_together(x, "clip_by_global_norm"), clip_norm))


@op(name="_total_norm", wide=True)
def _total_norm(x: Arrays, norm_type: Real):
    if len({each.dtype for each in x}) > 1:
        check.refuse(TypeError, "clip_by_norm", "x", "Tensors of the same dtype", [each.dtype.name for each in x])
    floats = [each.astype(jnp.promote_types(each.dtype, jnp.float32)) for each in x]
    if norm_type == jnp.inf:
        return jnp.max(jnp.stack([jnp.max(jnp.abs(each)) for each in floats]))
    norms = jnp.stack([root(jnp.sum(each**norm_type), norm_type) for each in floats])
    return root(jnp.sum(norms**norm_type), norm_type)


@op(name="_clip_by_norm", wide=True)
def _scaled(x: Arrays, total: Array, max_norm: Scalar()):
    factor = max_norm / (total + 1e-6)
    factor = jnp.where(factor < 1, factor, 1)
    return tuple([(each * factor).astype(each.dtype if is_inexact(each.dtype) else total.dtype) for each in x])


@composite()
def clip_by_norm(x, max_norm: Scalar(), norm_type: Real = 2.0, error_if_nonfinite: Bool = False):
    """Clips gradients by total norm: scales Tensors so that the norm of their norms is at most ``max_norm``.

    Powers use the signed elements: with an odd ``norm_type`` negative elements reduce the norm.

    Args:
        x (Tensor | list[Tensor] | tuple[Tensor]): float dtypes, all the same; any shapes.
        max_norm (float | int): the most that the norm may be.
        norm_type (float | int): the power; ``inf`` for the largest magnitude. Default: ``2.0``.
        error_if_nonfinite (bool): whether to raise if the norm is not finite; it is read on the host.
            Default: ``False``.
    Returns:
        Tensor, or tuple of Tensors, of the shapes and dtypes of ``x``.
    Raises:
        TypeError: if an argument has a wrong type, or dtypes differ.  RuntimeError: for a norm that is not finite.
    Example:
        >>> ops.clip_by_norm(Tensor([0.3, 0.4]), 1.0).tolist() == Tensor([0.3, 0.4]).tolist()
        True
    Source: mindspore.ops.clip_by_norm
    """
    tensors = _together(x, "clip_by_norm")
    total = _total_norm(tensors, norm_type)
    if error_if_nonfinite and not bool(total.isfinite()):
        raise RuntimeError(
            f"For 'clip_by_norm', the norm of order {norm_type} of all 'x' is {total.item()}, not finite."
        )
    return _like(x, _scaled(tensors, total, max_norm))
