"""Batch norm and instance norm."""

import functools

from ..._contracts import check
from ..._contracts.choices import FloatWithin, OneOf
from ..._contracts.contracts import Bool, NonNegativeFloat, PositiveInt, Real
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...engine.collectives.groups import group_of
from ...engine.processes.world import World
from ...initializer import initializer
from ...ops.nn.normalization import normalize_batch, normalize_instances
from ...ops.nn.sync_batch_norm import normalize_together
from ...tensor.parameter import Parameter
from ..cell import Cell

__all__ = [
    "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "SyncBatchNorm",
]  # fmt: skip


def _parameters(layer, dtype, affine, **inits):
    """Creates a layer's moving statistics and trainable ``gamma`` and ``beta``, one for each channel."""
    for name, init, attribute, is_trained in (
        ("mean", inits.get("moving_mean_init", "zeros"), "moving_mean", False),
        ("variance", inits.get("moving_var_init", "ones"), "moving_variance", False),
        ("gamma", inits["gamma_init"], "gamma", affine),
        ("beta", inits["beta_init"], "beta", affine),
    ):
        values = initializer(init, layer.num_features, dtype)
        setattr(layer, attribute, Parameter(values, name=name, requires_grad=is_trained))


class _Norm(Cell):
    """``gamma * (x - mean) / sqrt(variance + eps) + beta`` for each channel.

    Subclasses set ``_ranks_``, the accepted numbers of axes of the input.
    """

    _ranks_ = ()
    _statistics_ = ("moving_mean", "moving_variance")

    def __init__(self, num_features, eps, momentum):
        super().__init__()
        if not 0 <= momentum <= 1:
            check.refuse(ValueError, self.cls_name, "momentum", "in the range [0, 1]", momentum)
        self.num_features = num_features
        self.eps = eps

    def _check_rank(self, rank):
        if rank not in self._ranks_:
            check.refuse(ValueError, self.cls_name, "x", f"of {' or '.join(map(str, self._ranks_))} axes", rank)

    def _text(self, momentum):
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={momentum}, gamma={self.gamma}, "
            f"beta={self.beta}, moving_mean={self.moving_mean}, moving_variance={self.moving_variance}"
        )


class _BatchNorm(_Norm):
    """Normalisation by batch statistics; ``momentum`` is stored as the weight of new statistics."""

    @checked
    def __init__(
        self,
        num_features: PositiveInt,
        eps: Real = 1e-5,
        momentum: Real = 0.9,
        affine: Bool = True,
        gamma_init="ones",
        beta_init="zeros",
        moving_mean_init="zeros",
        moving_var_init="ones",
        use_batch_statistics: OneOf(None, True, False) = None,
        data_format: OneOf("NCHW", "NHWC") = "NCHW",
        dtype=dtypes.float32,
    ):
        super().__init__(num_features, eps, momentum)
        self.gamma_init, self.beta_init = gamma_init, beta_init
        self.moving_mean_init, self.moving_var_init = moving_mean_init, moving_var_init
        self.use_batch_statistics = use_batch_statistics
        self.format = data_format
        self.momentum = 1.0 - momentum
        moving = {"moving_mean_init": moving_mean_init, "moving_var_init": moving_var_init}
        _parameters(self, dtype, affine, gamma_init=gamma_init, beta_init=beta_init, **moving)

    def construct(self, x):
        """The normalised input; in training the moving statistics are updated."""
        self._check_rank(x.ndim)
        axis = 1 if self.format == "NCHW" else x.ndim - 1
        by_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        statistics = self.moving_mean, self.moving_variance
        return normalize_batch(x, self.gamma, self.beta, *statistics, by_batch, self.eps, self.momentum, axis)[0]

    def extend_repr(self):
        """The arguments and the Parameters."""
        return self._text(1.0 - self.momentum)


class BatchNorm1d(_BatchNorm):
    """Batch normalization of each feature of ``(N, C)`` or ``(N, C, L)``.

    In training (``set_train``) mean and variance are those of the batch, and the moving ones become
    ``momentum * moving + (1 - momentum) * batch`` with the unbiased variance; otherwise the moving ones are used.

    Args:
        num_features (int): ``C``.
        eps (float): added to the variance. Default: ``1e-5``.
        momentum (float): from 0 to 1. Default: ``0.9``.
        affine (bool): whether ``gamma`` and ``beta`` are trainable. Default: ``True``.
        gamma_init, beta_init, moving_mean_init, moving_var_init (Tensor | str | Initializer | Number): Default: ones,
            zeros, zeros, ones.
        use_batch_statistics (bool | None): whether to use the batch's statistics; None: in training. Default: ``None``.
        data_format (str): ``'NCHW'``, or ``'NHWC'`` with the channels last. Default: ``'NCHW'``.
        dtype (mindspore.dtype): of the Parameters. Default: ``float32``.
    Parameters: ``moving_mean`` (named ``mean``), ``moving_variance`` (``variance``), ``gamma``, ``beta``: each ``(C,)``
    Raises:
        TypeError, ValueError: for other values, and for an input of another rank or number of channels.
    Example:
        >>> nn.BatchNorm1d(2)(Tensor([[1.0, 2.0]])).shape
        (1, 2)
    Source: mindspore.nn.BatchNorm1d
    """

    _ranks_ = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalization of each channel of images, ``(N, C, H, W)``; arguments as for `BatchNorm1d`.

    Example:
        >>> nn.BatchNorm2d(3)(ops.ones((1, 3, 2, 2))).shape
        (1, 3, 2, 2)
    Source: mindspore.nn.BatchNorm2d
    """

    _ranks_ = (4,)


class BatchNorm3d(Cell):
    """Batch normalization of each channel of volumes, ``(N, C, D, H, W)``; arguments as for `BatchNorm1d`.

    Its Parameters are those of a `BatchNorm2d`, ``bn2d``.

    Example:
        >>> nn.BatchNorm3d(3)(ops.ones((1, 3, 2, 2, 2))).shape
        (1, 3, 2, 2, 2)
    Source: mindspore.nn.BatchNorm3d
    """

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.9,
        affine=True,
        gamma_init="ones",
        beta_init="zeros",
        moving_mean_init="zeros",
        moving_var_init="ones",
        use_batch_statistics=None,
        dtype=dtypes.float32,
    ):
        super().__init__()
        inits = gamma_init, beta_init, moving_mean_init, moving_var_init
        self.bn2d = BatchNorm2d(num_features, eps, momentum, affine, *inits, use_batch_statistics, dtype=dtype)

    def construct(self, x):
        """The normalised input; in training the moving statistics are updated."""
        if x.ndim != 5:
            check.refuse(ValueError, "BatchNorm3d", "x", "of 5 axes", x.shape)
        return self.bn2d(x.reshape((*x.shape[:2], -1, x.shape[4]))).reshape(x.shape)


class SyncBatchNorm(_BatchNorm):
    """`BatchNorm2d` with statistics over the batches of several processes.

    Args:
        process_groups (list[list[int]] | int | None): the ranks that share statistics, in groups; one that is in none,
            and each with ``0``, has its own. Default: ``None``, all together.
        Others: as for `BatchNorm1d`.
    Inputs: x (Tensor): two or four axes. Output: Tensor of the same shape and dtype.
    Raises:
        TypeError, ValueError: for other values, such as equal ranks, and for an input of another rank or number of
            channels.
    Example:
        >>> nn.SyncBatchNorm(2)(Tensor([[1.0, 2.0]])).shape
        (1, 2)
    Source: mindspore.nn.SyncBatchNorm
    """

    _ranks_ = (2, 4)

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.9,
        affine=True,
        gamma_init="ones",
        beta_init="zeros",
        moving_mean_init="zeros",
        moving_var_init="ones",
        use_batch_statistics=None,
        process_groups=None,
        dtype=dtypes.float32,
    ):
        inits = gamma_init, beta_init, moving_mean_init, moving_var_init
        super().__init__(num_features, eps, momentum, affine, *inits, use_batch_statistics, dtype=dtype)
        if process_groups not in (None, 0):
            _check_process_groups(process_groups)
        self.process_groups = process_groups
        self.group = _group_of(process_groups)

    def construct(self, x):
        """The normalised input; in training the moving statistics are updated."""
        by_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        if self.group.size == 1 or not by_batch:
            return super().construct(x)
        self._check_rank(x.ndim)
        weights = self.gamma, self.beta, self.moving_mean, self.moving_variance
        return normalize_together(x, *weights, self.eps, self.momentum, 1, self.group)


def _check_process_groups(groups):
    """Raises if ``groups`` is no list of lists of different ranks; the types of the errors are MindSpore's."""
    wrong, ranks = functools.partial(check.refuse, owner="SyncBatchNorm", argument="process_groups", got=groups), []
    if not isinstance(groups, list):
        wrong(ValueError, expected="a list of lists of ints, or None")
    for group in groups:
        if not isinstance(group, list):
            wrong(TypeError if isinstance(group, int) else ValueError, expected="a list of lists of ints, or None")
        ranks += group
    if not all([type(rank) is int for rank in ranks]):
        wrong(TypeError, expected="a list of lists of ints, or None")
    if len({*ranks}) < len(ranks) or not {*ranks} <= {*range(World.size)}:
        wrong(ValueError, expected=f"of different ranks below {World.size}, the number of processes")


def _group_of(process_groups):
    """The group whose statistics this process shares: of the list with its rank, of all processes, or its own."""
    if process_groups is None:
        return group_of(tuple(range(World.size)))
    return group_of(tuple(next((ranks for ranks in process_groups or () if World.rank in ranks), (World.rank,))))


class _InstanceNorm(_Norm):
    """Normalisation of each channel of each sample by its own statistics."""

    @checked
    def __init__(
        self,
        num_features: PositiveInt,
        eps: FloatWithin("(0, 1)") = 1e-5,
        momentum: NonNegativeFloat = 0.1,
        affine: Bool = True,
        gamma_init="ones",
        beta_init="zeros",
        dtype=dtypes.float32,
    ):
        super().__init__(num_features, eps, momentum)
        self.momentum = momentum
        _parameters(self, dtype, affine, gamma_init=gamma_init, beta_init=beta_init)

    def construct(self, x):
        """The normalised input; the moving statistics are updated."""
        self._check_rank(x.ndim)
        return normalize_instances(
            x, self.gamma, self.beta, self.moving_mean, self.moving_variance, self.eps, self.momentum
        )

    def extend_repr(self):
        """The arguments and the Parameters."""
        return self._text(self.momentum)


class InstanceNorm1d(_InstanceNorm):
    """Instance normalization: normalises each channel of each sample of ``(N, C, L)``, in training and evaluation.

    The moving statistics become ``momentum * moving + (1 - momentum) * mean of the samples`` at every call, with the
    unbiased variance; they are not used.

    Args:
        num_features (int): ``C``.
        eps (float): added to the variance. Default: ``1e-5``.
        momentum (float): from 0 to 1. Default: ``0.1``.
        affine (bool): whether ``gamma`` and ``beta`` are trainable. Default: ``True``.
        gamma_init, beta_init (Tensor | str | Initializer | Number): Default: ones, zeros.
        dtype (mindspore.dtype): of the Parameters. Default: ``float32``.
    Inputs: x (Tensor): a float dtype. Output: Tensor of the same shape and dtype.
    Parameters: ``moving_mean`` (named ``mean``), ``moving_variance`` (``variance``), ``gamma``, ``beta``: each ``(C,)``
    Raises:
        TypeError, ValueError: for other values, and for an input of another rank or number of channels.
    Example:
        >>> nn.InstanceNorm1d(1)(Tensor([[[1.0, 3.0]]])).asnumpy().round(3).tolist()
        [[[-1.0, 1.0]]]
    Source: mindspore.nn.InstanceNorm1d
    """

    _ranks_ = (3,)


class InstanceNorm2d(_InstanceNorm):
    """Instance normalization of images, ``(N, C, H, W)``; arguments as for `InstanceNorm1d`.

    Example:
        >>> nn.InstanceNorm2d(3)(ops.ones((1, 3, 2, 2))).shape
        (1, 3, 2, 2)
    Source: mindspore.nn.InstanceNorm2d
    """

    _ranks_ = (4,)


class InstanceNorm3d(_InstanceNorm):
    """Instance normalization of volumes, ``(N, C, D, H, W)``; arguments as for `InstanceNorm1d`.

    Example:
        >>> nn.InstanceNorm3d(3)(ops.ones((1, 3, 2, 2, 2))).shape
        (1, 3, 2, 2, 2)
    Source: mindspore.nn.InstanceNorm3d
    """

    _ranks_ = (5,)
