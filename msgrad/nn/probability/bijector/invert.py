"""The inverse of a bijector."""

from ....engine.refusal import require
from .bijector import Bijector


class Invert(Bijector):
    """The inverse of another bijector: its `forward` is the other's `inverse`.

    Args:
        bijector (Bijector): the other one.
        name (str): Default: ``''``, ``'Invert'`` and the other's name.
    Raises:
        TypeError: if ``bijector`` is not a Bijector.
    Example:
        >>> nn.probability.bijector.Invert(nn.probability.bijector.Exp()).forward(Tensor([1.0])).tolist()
        [0.0]
    Source: mindspore.nn.probability.bijector.Invert
    """

    def __init__(self, bijector, name=""):
        require(bijector, Bijector, "Invert", "bijector")
        name = name or f"Invert{bijector.name}"
        parameters = {"bijector": bijector, "name": name}
        super().__init__(bijector.is_constant_jacobian, bijector.is_injective, name, bijector.dtype, parameters)
        self._bijector = bijector
        self._batch_shape = bijector.batch_shape
        self._is_scalar_batch = bijector.is_scalar_batch

    @property
    def bijector(self):
        """The inverted bijector (Bijector)."""
        return self._bijector

    def _forward(self, x):
        return self.bijector.inverse(x)

    def _inverse(self, y):
        return self.bijector.forward(y)

    def _forward_log_jacobian(self, x):
        return self.bijector.inverse_log_jacobian(x)

    def _inverse_log_jacobian(self, y):
        return self.bijector.forward_log_jacobian(y)
