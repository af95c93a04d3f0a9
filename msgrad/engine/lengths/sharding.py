"""The rule of sharding constraints: the axes that are distributed over devices must not vary."""

from .layout import Padded
from .sizes import NotUniform


def check_parts(sharding, sizes, sample):
    """Checks that no axis is distributed over devices whose length varies.

    Args:
        sharding (Sharding): of an array.
        sizes (tuple of Size): its shape.
        sample (tuple of int): its shape at some sizes.
    Raises:
        NotUniform: if one is.
    """
    parts = sharding.shard_shape(sample)
    if any([part != length and not size.is_constant for part, length, size in zip(parts, sample, sizes, strict=True)]):
        raise NotUniform("an axis that varies is sharded over devices")


def _constrained(site, value):
    check_parts(site.params["sharding"], site.operands[0], site.equation.sample.invars[0].aval.shape)
    return [Padded(result, value.axes, value.is_zero) for result in site.bind(value.array)]


RULES = {"sharding_constraint": _constrained}
