"""Attention by the kernels of accelerators: cuDNN's on NVIDIA's GPUs, Pallas' flash attention on TPUs.

A kernel takes what its hardware can, and JAX differentiates it once, in reverse mode. Derivatives of higher order are
those of `in_blocks`.
"""

import contextlib
import functools
import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from .formulations import in_blocks
from .steps import FORBIDDING, Affine, Causal, Plus

_LEAST = 64  # length of queries and of keys from which on a kernel is used
_LARGEST_SIZE = 128  # of a head: more need Hopper
_LARGEST_BIAS = 1 << 28  # numbers of a bias, which cuDNN takes for all pairs, and its gradient
_FLASH_BLOCK = 128  # lengths that Pallas' flash attention takes are multiples of it


def platforms():
    """The accelerators that this process compiles for, by JAX's names of platforms (tuple)."""
    backend = jax.default_backend()
    if backend == "gpu" and "cuda" in jax.devices()[0].client.platform_version:
        return ("cuda",)
    return ("tpu",) if backend == "tpu" else ()


def kernels_for(q, k, v, steps, drop):
    """The kernels that compute this attention: by platform, a function of no arguments."""
    names = platforms()
    if not names or drop is not None or not may_fit(*_described(q, k, v)):
        return {}
    form = Affine()
    for step in steps:
        form = step.affine(form)
    found = {}
    if "cuda" in names and _is_for_cudnn(q, k, form.bias):
        found["cuda"] = functools.partial(_affine, _cudnn, q, k, v, form)
    if "tpu" in names and _is_for_flash(q, k, form.bias):
        found["tpu"] = functools.partial(_affine, _flash, q, k, v, form)
    if form.hidden:  # numbers that only a run tells
        is_exact = functools.reduce(jnp.logical_and, [each <= FORBIDDING for each in form.hidden])
        plain = functools.partial(in_blocks, q, k, v, steps)
        found = {name: functools.partial(jax.lax.cond, is_exact, kernel, plain) for name, kernel in found.items()}
    return found


def may_fit(q, k, v, dtypes):
    """Whether a kernel may take queries, keys and values of these shapes and dtypes."""
    is_same = len(set(dtypes)) == 1 and q[-1] == v[-1]
    return is_same and dtypes[0] in (jnp.bfloat16, np.float16) and min(q[-2], k[-2]) >= _LEAST


def _described(*arrays) -> Any:
    return *[x.shape for x in arrays], [x.dtype for x in arrays]


def _is_for_cudnn(q, k, bias):
    if q.shape[3] % 8 or q.shape[3] > _LARGEST_SIZE:
        return False
    if bias is None:
        return True
    pairs = q.shape[2] * k.shape[2]
    return q.shape[2] % 2 == k.shape[2] % 2 == 0 and math.prod(bias.shape[:2]) * pairs <= _LARGEST_BIAS


def _is_for_flash(q, k, bias):
    # It takes a bias of all pairs alone, which would need as much memory as the weights.
    return q.dtype == jnp.bfloat16 and q.shape[2] % _FLASH_BLOCK == k.shape[2] % _FLASH_BLOCK == 0 and bias is None


def _affine(kernel, q, k, v, form):
    """``kernel`` of scaled queries and of a bias in their dtype, between its lowest and highest numbers."""
    scaled = (q.astype(np.float32) * form.factor).astype(q.dtype)
    bias = form.bias
    if bias is not None:
        # As JAX does in masks of its own: cuDNN's sums of two lowest numbers would be infinite.
        limit = 2.0**41 if q.dtype == jnp.bfloat16 else 2.0**15
        bias = jnp.clip(bias, -limit, limit).astype(q.dtype)
        bias = jnp.broadcast_to(bias, (*bias.shape[:2], q.shape[2], k.shape[2]))
    return _differentiable(kernel, form.is_causal)(scaled, k, v, bias)


def _cudnn(is_causal, q, k, v, bias):
    q, k, v = (x.swapaxes(1, 2) for x in (q, k, v))
    attended = jax.nn.dot_product_attention(q, k, v, bias, scale=1.0, is_causal=is_causal, implementation="cudnn")
    return attended.swapaxes(1, 2)


def _flash(is_causal, q, k, v, bias):
    from jax.experimental.pallas.ops.tpu.flash_attention import flash_attention  # here: importing Pallas takes 0.4 s

    k, v = (jnp.repeat(x, q.shape[1] // x.shape[1], 1) for x in (k, v))
    return flash_attention(q, k, v, causal=is_causal, sm_scale=1.0)


@contextlib.contextmanager
def _as_kernels_need():
    # Pallas' kernels compute indices in 32 bits, and of half precision there is no product but the default one.
    with jax.enable_x64(False), jax.default_matmul_precision("default"):
        yield


class _Pull(NamedTuple):
    """The structure of a ``jax.vjp``, whose arrays are stored apart from it."""

    structure: object

    def __call__(self, *arrays):
        return jax.tree.unflatten(self.structure, arrays)


@functools.lru_cache(8)
def _differentiable(kernel, is_causal):
    """The kernel, whose second derivative is that of `in_blocks`."""

    def plain(q, k, v, bias):
        steps = [] if bias is None else [Plus(bias)]
        return in_blocks(q, k, v, [*steps, Causal(q.shape[2], k.shape[2])] if is_causal else steps)

    @jax.custom_vjp
    def attention(*operands):
        with _as_kernels_need():
            return kernel(is_causal, *operands)

    # The forward and the backward pass of the kernel are differentiated themselves for derivatives of second order.
    def forward(*operands):
        structure = []

        @jax.custom_vjp
        def attended_and_kept(*operands):
            with _as_kernels_need():
                attended, pull = jax.vjp(functools.partial(kernel, is_causal), *operands)
            arrays, structure[:] = jax.tree.leaves(pull), [jax.tree.structure(pull)]
            return attended, arrays

        def backward_of_it(operands, cotangents):
            return jax.vjp(plain, *operands)[1](cotangents[0])

        attended_and_kept.defvjp(lambda *operands: (attended_and_kept(*operands), operands), backward_of_it)
        attended, arrays = attended_and_kept(*operands)
        return attended, (operands, jax.tree_util.Partial(_Pull(*structure), *arrays))

    @jax.custom_vjp
    def backward(operands, made, cotangent):
        with _as_kernels_need():
            return made()(cotangent)

    def backward_of_backward(residuals, cotangents):
        operands, made, cotangent = residuals
        _, again = jax.vjp(lambda own, above: jax.vjp(plain, *own)[1](above), operands, cotangent)
        operands, cotangent = again(cotangents)
        return operands, jax.tree.map(_no_gradient, made), cotangent

    backward.defvjp(lambda *operands: (backward(*operands), operands), backward_of_backward)
    attention.defvjp(forward, lambda residuals, cotangent: backward(*residuals, cotangent))
    return attention


def _no_gradient(x):
    return jnp.zeros_like(x) if jnp.issubdtype(x.dtype, jnp.inexact) else np.zeros(x.shape, jax.dtypes.float0)
