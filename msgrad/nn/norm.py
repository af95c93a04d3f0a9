"""Normalisation layers."""

from .. import ops
from ..engine import dtypes
from ..initializer import initializer
from ..ops import check
from ..ops.contracts import Bool, Int, OneOf, PositiveInt, Real, checked
from ..ops.normalization import normalize_batch
from ..tensor.parameter import Parameter
from .cell import Cell

__all__ = ["BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "LayerNorm"]


class _BatchNorm(Cell):
    """``gamma * (x - mean) / sqrt(variance + eps) + beta`` for each channel.

    Subclasses say in ``ranks`` how many axes the input may have.
    """

    ranks = ()

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
        super().__init__()
        if not 0 <= momentum <= 1:
            check.refuse(ValueError, self.cls_name, "momentum", "in the range [0, 1]", momentum)
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.use_batch_statistics = use_batch_statistics
        self.format = data_format

        def made(init, name, requires_grad):
            return Parameter(initializer(init, num_features, dtype), name=name, requires_grad=requires_grad)

        self.moving_mean = made(moving_mean_init, "mean", False)
        self.moving_variance = made(moving_var_init, "variance", False)
        self.gamma = made(gamma_init, "gamma", affine)
        self.beta = made(beta_init, "beta", affine)

    def construct(self, x):
        """The normalised input; in training the moving statistics are updated."""
        self._check_rank(x.ndim)
        axis = 1 if self.format == "NCHW" else x.ndim - 1
        by_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        statistics = self.moving_mean, self.moving_variance
        return normalize_batch(x, self.gamma, self.beta, *statistics, by_batch, self.eps, 1 - self.momentum, axis)[0]

    def _check_rank(self, rank):
        if rank not in self.ranks:
            check.refuse(ValueError, self.cls_name, "x", f"of {' or '.join(map(str, self.ranks))} axes", rank)

    def extend_repr(self):
        """The arguments and the Parameters."""
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, gamma={self.gamma}, "
            f"beta={self.beta}, moving_mean={self.moving_mean}, moving_variance={self.moving_variance}"
        )


class BatchNorm1d(_BatchNorm):
    """Normalises each feature over the batch: ``(N, C)`` or ``(N, C, L)`` to the same.

    In training (``set_train``) mean and variance are those of the batch, and the moving ones become
    ``momentum * moving + (1 - momentum) * batch`` with the unbiased variance; else the moving ones are used.

    Args:
        num_features (int): ``C``.
        eps (float): added to the variance. Default: ``1e-5``.
        momentum (float): from 0 to 1. Default: ``0.9``.
        affine (bool): whether ``gamma`` and ``beta`` are trainable. Default: ``True``.
        gamma_init, beta_init, moving_mean_init, moving_var_init (Tensor | str | Initializer | Number): Default: ones,
            zeros, zeros, ones.
        use_batch_statistics (bool | None): always or never the batch's; None: in training. Default: ``None``.
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

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Normalises each channel of images, ``(N, C, H, W)``; arguments as for `BatchNorm1d`.

    Example:
        >>> nn.BatchNorm2d(3)(ops.ones((1, 3, 2, 2))).shape
        (1, 3, 2, 2)
    Source: mindspore.nn.BatchNorm2d
    """

    ranks = (4,)


class BatchNorm3d(_BatchNorm):
    """Normalises each channel of volumes, ``(N, C, D, H, W)``; arguments as for `BatchNorm1d`.

    Example:
        >>> nn.BatchNorm3d(3)(ops.ones((1, 3, 2, 2, 2))).shape
        (1, 3, 2, 2, 2)
    Source: mindspore.nn.BatchNorm3d
    """

    ranks = (5,)


class LayerNorm(Cell):
    """Normalises over the axes from ``begin_norm_axis`` on, then ``gamma * y + beta``.

    Args:
        normalized_shape (tuple[int] | list[int]): the lengths of the axes from ``begin_params_axis`` on.
        begin_norm_axis, begin_params_axis (int): Default: ``-1``.
        gamma_init, beta_init (Tensor | str | Initializer | Number): Default: ones, zeros.
        epsilon (float): added to the variance. Default: ``1e-7``.
        dtype (mindspore.dtype): of the Parameters. Default: ``float32``.
    Parameters: ``gamma`` and ``beta`` of shape ``normalized_shape``.
    Raises:
        TypeError: if ``normalized_shape`` is no tuple or list.  ValueError: if it is empty or does not fit the input.
    Example:
        >>> nn.LayerNorm([2])(Tensor([[1.0, 3.0]])).asnumpy().round(3).tolist()
        [[-1.0, 1.0]]
    Source: mindspore.nn.LayerNorm
    """

    @checked
    def __init__(
        self,
        normalized_shape,
        begin_norm_axis: Int = -1,
        begin_params_axis: Int = -1,
        gamma_init="ones",
        beta_init="zeros",
        epsilon: Real = 1e-7,
        dtype=dtypes.float32,
    ):
        super().__init__()
        if not isinstance(normalized_shape, (tuple, list)):
            check.refuse(TypeError, "LayerNorm", "normalized_shape", "a tuple or list of ints", normalized_shape)
        if not normalized_shape:
            check.refuse(ValueError, "LayerNorm", "normalized_shape", "of at least one length", normalized_shape)
        self.normalized_shape = normalized_shape
        self.begin_norm_axis = begin_norm_axis
        self.begin_params_axis = begin_params_axis
        self.epsilon = epsilon
        self.gamma = Parameter(initializer(gamma_init, normalized_shape, dtype), name="gamma")
        self.beta = Parameter(initializer(beta_init, normalized_shape, dtype), name="beta")
        self.layer_norm = ops.LayerNorm(begin_norm_axis, begin_params_axis, epsilon)

    def construct(self, input_x):
        """The normalised input, of its shape and dtype."""
        return self.layer_norm(input_x, self.gamma, self.beta)[0]

    def extend_repr(self):
        """The arguments and the Parameters."""
        return (
            f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
            f"begin_params_axis={self.begin_params_axis}, gamma{self.gamma}, beta={self.beta}"
        )
