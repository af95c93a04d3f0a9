"""Candidate samplers: classes to contrast the true ones with, and how often each was to be expected.

A seed other than 0 fixes the sample.
"""

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Bool, Int, NonNegativeInt, PositiveInt
from .._core.define import composite, op
from . import kernels


@op()
def _expected(classes: Array, tries: Array, count, limit, unique, is_log):
    """How often a class is expected in a sample of ``count``, for which ``tries`` draws were made."""
    classes = classes.astype(np.float32)
    weight = np.float32(np.log(limit + 1))
    chance = jnp.log1p(1 / (classes + 1)) / weight if is_log else jnp.full_like(classes, 1 / limit)
    return -jnp.expm1(tries.astype(np.float32) * jnp.log1p(-chance)) if unique and is_log else chance * count


def _sample(owner, true_classes, num_true, num_sampled, unique, range_max, seed, is_log):
    if len(true_classes.shape) != 2 or true_classes.shape[1] != num_true:
        check.refuse(ValueError, owner, "true_classes", f"of two axes, the last of length {num_true}", true_classes)
    if unique and num_sampled > range_max:
        check.refuse(ValueError, owner, "num_sampled", f"at most 'range_max', {range_max}, if 'unique'", num_sampled)
    key = kernels.fixed(seed) if seed else kernels.draw()
    classes, tries = kernels.sampled(key, num_sampled, unique, range_max, is_log)
    classes = classes.astype(true_classes.dtype)
    return classes, *[_expected(of, tries, num_sampled, range_max, unique, is_log) for of in (true_classes, classes)]


@composite("UniformCandidateSampler(num_true, num_sampled, unique, range_max, seed=0, remove_accidental_hits=False)")
def uniform_candidate_sampler(
    true_classes: Array,
    num_true: PositiveInt,
    num_sampled: PositiveInt,
    unique: Bool,
    range_max: PositiveInt,
    seed: NonNegativeInt = 0,
    remove_accidental_hits: Bool = False,
):
    """Classes that are all equally likely.

    Args:
        true_classes (Tensor): shape ``(B, num_true)``, int32 or int64.
        num_true (int): how many true classes each example has.
        num_sampled (int): how many classes to draw.
        unique (bool): whether no class comes twice.
        range_max (int): classes are below it.
        seed (int): fixes the sample unless it is 0. Default: ``0``.
        remove_accidental_hits (bool): without effect, as in MindSpore on a CPU. Default: ``False``.
    Returns:
        tuple of three Tensors: classes ``(num_sampled,)``, and how often to expect the true ones ``(B, num_true)`` and
        those drawn, float32.
    Raises:
        TypeError: for arguments of other types.  ValueError: if there are too few classes, or for another shape.
    Example:
        >>> ops.uniform_candidate_sampler(Tensor([[1]]), 1, 3, False, 4)[1].tolist()
        [[0.75]]
    Source: mindspore.ops.uniform_candidate_sampler, mindspore.ops.UniformCandidateSampler
    """
    owner = "UniformCandidateSampler"
    return _sample(owner, true_classes, num_true, num_sampled, unique, range_max, seed, False)


@composite("LogUniformCandidateSampler(num_true=1, num_sampled=5, unique=True, range_max=5, seed=0)")
def log_uniform_candidate_sampler(
    true_classes: Array,
    num_true: PositiveInt = 1,
    num_sampled: PositiveInt = 5,
    unique: Bool = True,
    range_max: PositiveInt = 5,
    seed: Int = 0,
):
    """Classes that are the less likely the greater: ``c`` with probability ``log((c+2) / (c+1)) / log(range_max + 1)``.

    Args:
        true_classes (Tensor): shape ``(B, num_true)``, int64.
        num_true (int): how many true classes each example has. Default: ``1``.
        num_sampled (int): how many classes to draw. Default: ``5``.
        unique (bool): whether no class comes twice. Default: ``True``.
        range_max (int): classes are below it. Default: ``5``.
        seed (int): fixes the sample unless it is 0. Default: ``0``.
    Returns:
        tuple of three Tensors: classes ``(num_sampled,)``, and how often to expect the true ones ``(B, num_true)`` and
        those drawn, float32.
    Raises:
        TypeError: for arguments of other types.  ValueError: if there are too few classes, or for another shape.
    Example:
        >>> sorted(ops.log_uniform_candidate_sampler(Tensor([[1]]), 1, 5, True, 5)[0].tolist())
        [0, 1, 2, 3, 4]
    Source: mindspore.ops.log_uniform_candidate_sampler, mindspore.ops.LogUniformCandidateSampler
    """
    owner = "LogUniformCandidateSampler"
    return _sample(owner, true_classes, num_true, num_sampled, unique, range_max, seed, True)
