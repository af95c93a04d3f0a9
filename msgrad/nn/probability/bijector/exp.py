"""The exponential bijector."""

from .power_transform import PowerTransform


class Exp(PowerTransform):
    """``exp(value)``.

    Args:
        name (str): Default: ``'Exp'``.
    Raises:
        TypeError: if ``name`` is not a str.
    Example:
        >>> nn.probability.bijector.Exp().inverse(Tensor([1.0])).tolist()
        [0.0]
    Source: mindspore.nn.probability.bijector.Exp
    """

    def __init__(self, name="Exp"):
        super().__init__(name=name)

    def extend_repr(self):
        """The name of the function."""
        return "exp"
