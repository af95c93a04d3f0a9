"""TransformedDistribution: a distribution transformed by a bijector."""

import math

import numpy as np

from .... import _upcalls, ops
from ....engine.refusal import require
from .._parameters import FloatType
from ..bijector.bijector import Bijector
from .distribution import Distribution


class TransformedDistribution(Distribution):
    """The distribution of ``bijector.forward(x)``, where ``x`` has another distribution.

    It has a `mean` only if the bijector is linear, and no `sd`, `entropy` or `kl_loss`.

    Args:
        bijector (Bijector): it must be non-decreasing.
        distribution (Distribution): of ``x``, of a float dtype; it gets the parameters passed to calls.
        seed (int): stored without effect; ``distribution`` draws the samples. Default: ``None``, 0.
        name (str): Default: ``'transformed_distribution'``.
    Raises:
        TypeError: for arguments of other types.
    Example:
        >>> normal = nn.probability.distribution.Normal(0.0, 1.0)
        >>> log_normal = nn.probability.distribution.TransformedDistribution(nn.probability.bijector.Exp(), normal)
        >>> log_normal.cdf(Tensor([1.0])).tolist()
        [0.5]
    Source: mindspore.nn.probability.distribution.TransformedDistribution
    """

    def __init__(self, bijector, distribution, seed=None, name="transformed_distribution"):
        owner = type(self).__name__
        require(bijector, Bijector, owner, "bijector")
        require(distribution, Distribution, owner, "distribution")
        dtype = FloatType.take(distribution.dtype, "dtype", owner)
        parameters = {"bijector": bijector, "distribution": distribution, "seed": seed, "name": name}
        super().__init__(seed, dtype, name, parameters)
        self._bijector = bijector
        self._distribution = distribution
        self._is_scalar_batch = distribution.is_scalar_batch and bijector.is_scalar_batch
        self._batch_shape = distribution.batch_shape
        self.default_parameters = distribution.default_parameters
        self.parameter_names = distribution.parameter_names
        self.parameter_type = distribution.parameter_type
        shapes = (distribution.batch_shape, bijector.batch_shape)
        self._broadcast_shape = None if None in shapes else np.broadcast_shapes(*shapes)

    @property
    def bijector(self):
        """The bijector that transforms (Bijector)."""
        return self._bijector

    @property
    def distribution(self):
        """The distribution that is transformed (Distribution)."""
        return self._distribution

    @property
    def is_linear_transformation(self):
        """Whether the bijector is linear (bool)."""
        return self.bijector.is_constant_jacobian

    def _cdf(self, value, *args, **kwargs):
        return self.distribution.cdf(self.bijector.inverse(value), *args, **kwargs)

    def _log_prob(self, value, *args, **kwargs):
        density = self.distribution.log_prob(self.bijector.inverse(value), *args, **kwargs)
        # Outside the support the derivative may be infinite too, and the sum NaN.
        return ops.where(density == -math.inf, density, density + self.bijector.inverse_log_jacobian(value))

    def _sample(self, *args, **kwargs):
        return self.bijector.forward(self.distribution.sample(*args, **kwargs))

    def _mean(self, *args, **kwargs):
        if not self.is_linear_transformation:
            raise ValueError(
                f"For '{self.name}', the mean is not the transformed mean of the distribution, unless the bijector is "
                "linear. Use the mean of many samples: sample((10000,)).mean(0)."
            )
        return self.bijector.forward(self.distribution.mean(*args, **kwargs))


def _transformed(bijector, value):
    return TransformedDistribution(bijector, value) if isinstance(value, Distribution) else None


_upcalls.fill(transformed_distribution=_transformed)
