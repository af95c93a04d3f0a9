"""Normalisation layers."""

from ..engine import dtypes
from ..initializer import initializer
from ..ops import check, normalization
from ..tensor.parameter import Parameter
from .cell import Cell


class _BatchNorm(Cell):
    """``gamma * (x - mean) / sqrt(variance + eps) + beta`` for each channel.

    Subclasses say in ``ranks`` how many axes the input may have, and in ``_check_rank`` the error for another number.
    """

    ranks = ()

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
        data_format="NCHW",
        dtype=dtypes.float32,
    ):
        super().__init__()
        name = self.cls_name
        if not isinstance(num_features, int) or isinstance(num_features, bool):
            raise TypeError(
                f"For '{name}', the type of 'num_features' should be 'int', "
                f"but got type '{type(num_features).__name__}'."
            )
        if num_features < 1:
            raise ValueError(f"For '{name}', the 'num_features' must be at least 1, but got {num_features}.")
        if not 0 <= momentum <= 1:
            raise ValueError(f"For '{name}', the 'momentum' must be a number in range [0, 1], but got {momentum}.")
        if use_batch_statistics is not None and not isinstance(use_batch_statistics, bool):
            raise ValueError(
                f"For '{name}', the 'use_batch_statistics' must be a boolean value or None, "
                f"but got {use_batch_statistics}."
            )
        if data_format not in ("NCHW", "NHWC"):
            raise ValueError(
                f"For '{name}', the 'format' must be str and must be in '['NCHW', 'NHWC']', but got '{data_format}'."
            )
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.use_batch_statistics = use_batch_statistics
        self.format = data_format

        def made(init, name, requires_grad):
            return Parameter(initializer(init, num_features, dtype), name=name, requires_grad=requires_grad)

        self.moving_mean = made(moving_mean_init, "mean", False)
        self.moving_variance = made(moving_var_init, "variance", False)
        self.gamma = made(gamma_init, "gamma", check.boolean(affine, "affine", name))
        self.beta = made(beta_init, "beta", affine)

    def construct(self, x):
        """The normalised input; in training the moving statistics are updated."""
        self._check_rank(x.ndim)
        axis = 1 if self.format == "NCHW" else x.ndim - 1
        if x.shape[axis] != self.num_features:
            raise ValueError(
                f"For BatchNorm, scale.shape[0] should be equal to input_x's channel dimension: {x.shape[axis]}, "
                f"bug got scale.shape[0]: {self.num_features}."
            )
        by_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        statistics = self.moving_mean, self.moving_variance
        if not by_batch:
            return normalization.normalized(x, self.gamma, self.beta, *statistics, self.eps, axis)
        y, mean, variance = normalization.normalized_by_batch(
            x, self.gamma, self.beta, *statistics, self.eps, self.momentum, axis
        )
        self.moving_mean.write(mean)
        self.moving_variance.write(variance)
        return y

    def _check_rank(self, rank):
        if rank not in self.ranks:
            raise ValueError(f"For '{self.cls_name}', the in_shape must have {self.ranks[0]} dims, but got {rank}.")

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

    def _check_rank(self, rank):
        if rank not in self.ranks:
            raise ValueError(f"For 'BatchNorm1d', the must have 2 dims or 3 dims, but got {rank}.")


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

    def __init__(
        self,
        normalized_shape,
        begin_norm_axis=-1,
        begin_params_axis=-1,
        gamma_init="ones",
        beta_init="zeros",
        epsilon=1e-7,
        dtype=dtypes.float32,
    ):
        super().__init__()
        if not isinstance(normalized_shape, (tuple, list)):
            raise TypeError(
                "For 'LayerNorm', the type of 'normalized_shape' must be tuple[int] or list[int], "
                f"but got {normalized_shape} and the type is {type(normalized_shape)}."
            )
        if not normalized_shape:
            raise ValueError(
                "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, "
                f"but got normalized_shape = {normalized_shape}"
            )
        self.normalized_shape = normalized_shape
        self.begin_norm_axis = begin_norm_axis
        self.begin_params_axis = begin_params_axis
        self.epsilon = epsilon
        self.gamma = Parameter(initializer(gamma_init, normalized_shape, dtype), name="gamma")
        self.beta = Parameter(initializer(beta_init, normalized_shape, dtype), name="beta")

    def construct(self, input_x):
        """The normalised input, of its shape and dtype."""
        if input_x.shape[self.begin_params_axis :] != self.gamma.shape:
            shape = ", ".join(map(str, input_x.shape))
            own = ", ".join(map(str, self.gamma.shape))
            raise ValueError(
                "For 'LayerNorm', gamma or beta shape must match input shape, but got input shape: "
                f"[const vector]{{{shape}}}, gamma shape: [const vector]{{{own}}}, beta shape: [const vector]{{{own}}}."
            )
        return normalization.layer_normalized(input_x, self.gamma, self.beta, self.begin_norm_axis, self.epsilon)

    def extend_repr(self):
        """The arguments and the Parameters."""
        return (
            f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
            f"begin_params_axis={self.begin_params_axis}, gamma{self.gamma}, beta={self.beta}"
        )
