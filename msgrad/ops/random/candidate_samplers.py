"""Candidate samplers: random negative classes, with the expected count of each class.

A seed other than 0 makes the sample reproducible; log-uniform samples are always reproducible, as in MindSpore.
"""

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Bool, Int, NonNegativeInt, PositiveInt
from ..._random.distributions import Candidates, LogCandidates
from ...tensor.tensor import Tensor
from .._core.define import composite, op
from . import kernels
from .primitives import Drawing

_KEY = 87654321  # the seed that MindSpore always uses


@op()
def _expected(classes: Array, tries: Array, count, limit, unique, is_log):
    """The expected count of a class in a sample of ``count`` classes, after ``tries`` draws."""
    classes = classes.astype(np.float32)
    weight = np.float32(np.log(limit + 1))
    chance = jnp.log1p(1 / (classes + 1)) / weight if is_log else jnp.full_like(classes, 1 / limit)
    once = -jnp.expm1(tries.astype(np.float32) * jnp.log1p(-chance))
    return jnp.where(tries == count, chance * count, once) if unique else chance * count


def _sample(owner, true_classes, num_true, num_sampled, unique, range_max, drawn, is_log, removes_hits=False):
    if len(true_classes.shape) != 2 or true_classes.shape[1] != num_true:
        check.refuse(ValueError, owner, "true_classes", f"of two axes, the last of length {num_true}", true_classes)
    if unique and num_sampled > range_max:
        check.refuse(ValueError, owner, "num_sampled", f"at most 'range_max', {range_max}, if 'unique'", num_sampled)
    excluded = true_classes if removes_hits else Tensor(np.empty(0, np.int32))
    classes, tries = kernels.sampled(drawn(), excluded, num_sampled, unique, range_max, is_log)
    classes = classes.astype(true_classes.dtype)
    return classes, *[_expected(of, tries, num_sampled, range_max, unique, is_log) for of in (true_classes, classes)]


def _excluded(true_classes, num_sampled, unique, range_max, seed, remove_accidental_hits):
    """The classes to exclude from a seeded sample, a tuple."""
    hits = kernels.known(true_classes) if remove_accidental_hits and unique and seed else None
    hits = () if hits is None else tuple(np.unique(hits).tolist())
    return hits if num_sampled + len(hits) <= range_max else ()


@composite()
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
        unique (bool): whether the classes are distinct.
        range_max (int): classes are below it.
        seed (int): fixes the sample unless it is 0. Default: ``0``.
        remove_accidental_hits (bool): whether true classes are not drawn, where there are others enough and ``unique``
            is given; with a seed, not inside of JAX's transformations. Default: ``False``.
    Returns:
        tuple of three Tensors: classes ``(num_sampled,)``, and how often to expect the true ones ``(B, num_true)`` and
        those drawn, float32.
    Raises:
        TypeError: for arguments of other types.  ValueError: if there are too few classes, or for another shape.
    Example:
        >>> ops.uniform_candidate_sampler(Tensor([[1]]), 1, 3, False, 4)[1].tolist()
        [[0.75]]
    Source: mindspore.ops.uniform_candidate_sampler
    """

    def drawn():
        excluded = _excluded(true_classes, num_sampled, unique, range_max, seed, remove_accidental_hits)
        return kernels.draw_from(Candidates, (seed, 0), (num_sampled,), unique, range_max, excluded)

    owner = "UniformCandidateSampler"
    return _sample(owner, true_classes, num_true, num_sampled, unique, range_max, drawn, False, remove_accidental_hits)


@composite()
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
        unique (bool): whether the classes are distinct. Default: ``True``.
        range_max (int): classes are below it. Default: ``5``.
        seed (int): picks another sample. Default: ``0``.
    Returns:
        tuple of three Tensors: classes ``(num_sampled,)``, and how often to expect the true ones ``(B, num_true)`` and
        those drawn, float32.
    Raises:
        TypeError: for arguments of other types.  ValueError: if there are too few classes, or for another shape.
    Example:
        >>> sorted(ops.log_uniform_candidate_sampler(Tensor([[1]]), 1, 5, True, 5)[0].tolist())
        [0, 1, 2, 3, 4]
    Source: mindspore.ops.log_uniform_candidate_sampler
    """

    def drawn():
        return kernels.draw_from(LogCandidates, (_KEY, seed), (num_sampled,), unique, range_max)

    owner = "LogUniformCandidateSampler"
    return _sample(owner, true_classes, num_true, num_sampled, unique, range_max, drawn, True)


class UniformCandidateSampler(
    Drawing,
    constructor="(num_true: PositiveInt, num_sampled: PositiveInt, unique: Bool, range_max: PositiveInt, "
    "seed: NonNegativeInt = 0, remove_accidental_hits: Bool = False)",
):
    """Classes that are all equally likely: `uniform_candidate_sampler`, whose samples go on from call to call.

    Args:
        num_true (int): how many true classes each example has.
        num_sampled (int): how many classes to draw.
        unique (bool): whether the classes are distinct.
        range_max (int): classes are below it.
        seed (int): fixes the samples unless it is 0. Default: ``0``.
        remove_accidental_hits (bool): as of the function. Default: ``False``.
    Inputs:
        true_classes (Tensor): shape ``(B, num_true)``, int32 or int64.
    Returns:
        tuple of three Tensors, as of the function.
    Raises:
        TypeError: for arguments of other types.  ValueError: if there are too few classes, or for another shape.
    Example:
        >>> ops.UniformCandidateSampler(1, 3, False, 4)(Tensor([[1]]))[1].tolist()
        [[0.75]]
    Source: mindspore.ops.UniformCandidateSampler
    """

    def __call__(self, true_classes: Array):
        options = self.num_sampled, self.unique, self.range_max

        def drawn():
            excluded = _excluded(true_classes, *options, self.seed, self.remove_accidental_hits)
            return self._draw(Candidates, options[:1], *options[1:], excluded, seeds=(self.seed, 0))

        return _sample(self.name, true_classes, self.num_true, *options, drawn, False, self.remove_accidental_hits)


class LogUniformCandidateSampler(
    Drawing,
    constructor="(num_true: PositiveInt = 1, num_sampled: PositiveInt = 5, unique: Bool = True, "
    "range_max: PositiveInt = 5, seed: Int = 0)",
):
    """Log-uniform candidate sampling, as `log_uniform_candidate_sampler`; the stream continues from call to call.

    Args:
        num_true (int): how many true classes each example has. Default: ``1``.
        num_sampled (int): how many classes to draw. Default: ``5``.
        unique (bool): whether the classes are distinct. Default: ``True``.
        range_max (int): classes are below it. Default: ``5``.
        seed (int): picks other samples. Default: ``0``.
    Inputs:
        true_classes (Tensor): shape ``(B, num_true)``, int64.
    Returns:
        tuple of three Tensors, as of the function.
    Raises:
        TypeError: for arguments of other types.  ValueError: if there are too few classes, or for another shape.
    Example:
        >>> sorted(ops.LogUniformCandidateSampler(1, 5, True, 5)(Tensor([[1]]))[0].tolist())
        [0, 1, 2, 3, 4]
    Source: mindspore.ops.LogUniformCandidateSampler
    """

    def __call__(self, true_classes: Array):
        options = self.num_sampled, self.unique, self.range_max

        def drawn():
            return self._draw(LogCandidates, options[:1], *options[1:], seeds=(_KEY, self.seed))

        return _sample(self.name, true_classes, self.num_true, *options, drawn, True)
