"""Batch norm and group norm layers."""

from typing import Any

from ..._contracts.contracts import Bool, PositiveInt, Real
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...engine.refusal import refuse
from ...initializer import initializer
from ...nn.cell import Cell
from ...ops.collective.process_group import group_of
from ...ops.nn.sync_batch_norm import normalize_together
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from . import functional

__all__ = ["BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "GroupNorm", "SyncBatchNorm"]


class _BatchNorm(Cell):
    """Normalisation by batch statistics; subclasses set ``ranks``, the accepted numbers of axes of the input."""

    running_mean: Any
    running_var: Any
    num_batches_tracked: Any
    weight: Any
    bias: Any

    _ranks_ = ()
    _statistics_ = ("running_mean", "running_var")

    @checked
    def __init__(
        self,
        num_features: PositiveInt,
        eps: Real = 1e-5,
        momentum: Real | None = 0.1,
        affine: Bool = True,
        track_running_stats: Bool = True,
        dtype=None,
    ):
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        self.dtype = dtypes.float32 if dtype is None else dtype
        self.weight = self._each("ones", "weight", True) if affine else None
        self.bias = self._each("zeros", "bias", True) if affine else None
        self.running_mean = self.running_var = self.num_batches_tracked = None
        if track_running_stats:
            self.running_mean = self._each("zeros", "running_mean", False)
            self.running_var = self._each("ones", "running_var", False)
            count = Tensor(0, dtypes.int64)
            self.num_batches_tracked = Parameter(count, name="num_batches_tracked", requires_grad=False)

    def _each(self, init, name, is_trained):
        return Parameter(initializer(init, (self.num_features,), self.dtype), name=name, requires_grad=is_trained)

    def construct(self, input):
        """The normalised input; in training the running statistics are updated."""
        self._check(input)
        momentum = self._counted_momentum()
        has_statistics = not self.training or self.track_running_stats
        statistics = (self.running_mean, self.running_var) if has_statistics else (None, None)
        by_batch = self.training or self.running_mean is None
        return functional.batch_norm(input, *statistics, self.weight, self.bias, by_batch, momentum, self.eps)

    def _check(self, input):
        if input.ndim not in self._ranks_:
            refuse(ValueError, self.cls_name, "input", f"of {' or '.join(map(str, self._ranks_))} axes", input)

    def _counted_momentum(self):
        """Counts the batch; returns its momentum."""
        is_tracked = self.training and self.track_running_stats
        if is_tracked:
            self.num_batches_tracked._write_(self.num_batches_tracked + 1)
        if self.momentum is None:
            return 1.0 / float(self.num_batches_tracked) if is_tracked else 0.0
        return self.momentum

    def reset_running_stats(self):
        """Resets the running statistics."""
        if self.track_running_stats:
            self.running_mean._write_(self._each("zeros", "running_mean", False))
            self.running_var._write_(self._each("ones", "running_var", False))
            self.num_batches_tracked._write_(Tensor(0, dtypes.int64))

    def reset_parameters(self):
        """Resets all Parameters."""
        self.reset_running_stats()
        if self.affine:
            self.weight._write_(self._each("ones", "weight", True))
            self.bias._write_(self._each("zeros", "bias", True))

    def extend_repr(self):
        """The arguments."""
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(_BatchNorm):
    """Batch normalization of each feature of ``(N, C)`` or ``(N, C, L)``.

    In training (``set_train``) mean and variance are those of the batch, and the running ones become
    ``(1 - momentum) * running + momentum * batch`` with the unbiased variance; else the running ones are used.

    Args:
        num_features (int): ``C``.
        eps (float): added to the variance. Default: ``1e-5``.
        momentum (float | None): the part that new statistics have; None: the mean over all batches. Default: ``0.1``.
        affine (bool): whether there are ``weight`` and ``bias``. Default: ``True``.
        track_running_stats (bool): whether there are running statistics. Default: ``True``.
        dtype (mindspore.dtype | None): of the Parameters. Default: ``None``, float32.
    Parameters: ``weight``, ``bias``, ``running_mean``, ``running_var``: each ``(C,)`` or None;
        ``num_batches_tracked``, an int64.
    Raises:
        TypeError, ValueError: for other values, and for an input of another rank or number of channels.
    Example:
        >>> mint.nn.BatchNorm1d(2)(Tensor([[1.0, 2.0]])).shape
        (1, 2)
    Source: mindspore.mint.nn.BatchNorm1d
    """

    _ranks_ = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalization of each channel of images, ``(N, C, H, W)``; arguments as for `BatchNorm1d`.

    Example:
        >>> mint.nn.BatchNorm2d(3)(ops.ones((1, 3, 2, 2))).shape
        (1, 3, 2, 2)
    Source: mindspore.mint.nn.BatchNorm2d
    """

    _ranks_ = (4,)


class BatchNorm3d(_BatchNorm):
    """Batch normalization of each channel of volumes, ``(N, C, D, H, W)``; arguments as for `BatchNorm1d`.

    Example:
        >>> mint.nn.BatchNorm3d(3)(ops.ones((1, 3, 2, 2, 2))).shape
        (1, 3, 2, 2, 2)
    Source: mindspore.mint.nn.BatchNorm3d
    """

    _ranks_ = (5,)


class SyncBatchNorm(_BatchNorm):
    """`BatchNorm1d` for any rank, with statistics over the batches of several processes.

    Args:
        process_group (str | None): the processes. Default: ``None``, all.
        others: as for `BatchNorm1d`.
    Raises:
        TypeError, ValueError: for other values, and for an input of another number of channels.
    Example:
        >>> mint.nn.SyncBatchNorm(2)(Tensor([[1.0, 2.0]])).shape
        (1, 2)
    Source: mindspore.mint.nn.SyncBatchNorm
    """

    _ranks_ = tuple(range(2, 9))

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        process_group=None,
        dtype=None,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, dtype)
        self.process_group = process_group
        self.group = group_of(process_group)

    def construct(self, input):
        """The normalised input; in training the running statistics are updated."""
        if self.group.size == 1 or not self.training:
            return super().construct(input)
        self._check(input)
        momentum = self._counted_momentum()
        weight, bias = self.weight, self.bias
        if not self.affine:
            weight, bias = self._each("ones", "weight", False), self._each("zeros", "bias", False)
        mean, variance = self.running_mean, self.running_var
        if not self.track_running_stats:
            mean, variance = self._each("zeros", "mean", False), self._each("ones", "variance", False)
        return normalize_together(input, weight, bias, mean, variance, self.eps, momentum, 1, self.group)


class GroupNorm(Cell):
    """Group normalization over each group of channels and all further axes, then ``weight * y + bias``.

    Args:
        num_groups (int): a divisor of ``num_channels``.
        num_channels (int): the length of axis 1.
        eps (float): added to the variance. Default: ``1e-5``.
        affine (bool): whether ``weight`` and ``bias`` are trainable. Default: ``True``.
        dtype (mindspore.dtype | None): of the Parameters. Default: ``None``, float32.
    Inputs: input (Tensor): shape ``(N, C, ...)``, a float dtype. Output: Tensor of the same shape and dtype.
    Parameters: ``weight`` (ones) and ``bias`` (zeros) of shape ``(C,)``.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.
    Example:
        >>> mint.nn.GroupNorm(1, 2)(ops.ones((1, 2, 3))).shape
        (1, 2, 3)
    Source: mindspore.mint.nn.GroupNorm
    """

    @checked
    def __init__(
        self, num_groups: PositiveInt, num_channels: PositiveInt, eps: Real = 1e-5, affine: Bool = True, dtype=None
    ):
        super().__init__()
        if num_channels % num_groups:
            refuse(ValueError, "GroupNorm", "num_channels", f"divisible by 'num_groups', {num_groups}", num_channels)
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        shape, dtype = (num_channels,), dtypes.float32 if dtype is None else dtype
        self.weight = Parameter(initializer("ones", shape, dtype), name="weight", requires_grad=affine)
        self.bias = Parameter(initializer("zeros", shape, dtype), name="bias", requires_grad=affine)

    def construct(self, input):
        """The normalised input."""
        return functional.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extend_repr(self):
        """The arguments."""
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}, eps={self.eps}, affine={self.affine}"
