"""The rules of all primitives, by name: each takes a `Site` and `Padded` operands, and gives `Padded` results."""

from . import elementwise, indexing, loops, products, random_bits, reductions, reshaping, sharding, windows
from .sizes import NotUniform

RULES = {
    name: rule
    for file in (elementwise, indexing, products, random_bits, reductions, reshaping, windows, loops, sharding)
    for name, rule in file.RULES.items()
}
CONDITIONS = {"pad": reshaping.pad_conditions}  # the sizes that must not be negative for a rule to be right
_WINDOWS = ("window_dimensions", "window_strides", "padding")
# The parameters that may be sizes, as their rules take them. Any other says what is computed: a number among them that
# follows a size, such as an exponent or an axis, is none, and the bucket's would be wrong.
_SIZED = {
    "broadcast_in_dim": ("shape",),
    "cond": ("branches",),
    "conv_general_dilated": ("padding",),
    "dynamic_slice": ("slice_sizes",),
    "gather": ("slice_sizes",),
    "iota": ("shape",),
    "pad": ("padding_config",),
    "random_bits": ("shape",),
    **dict.fromkeys(windows.RULES, _WINDOWS),
    "reshape": ("new_sizes",),
    "scan": ("jaxpr", "length"),
    "slice": ("start_indices", "limit_indices"),
    "split": ("sizes",),
    "tile": ("reps",),
    "while": ("cond_jaxpr", "body_jaxpr"),
}


def rule_of(equation):
    """The rule of an equation whose sizes vary.

    Raises:
        NotUniform: if its primitive has none, or a parameter of it varies that is no size.
    """
    name = equation.primitive.name
    if name not in RULES:
        raise NotUniform(f"{name} has no rule for padding")
    for parameter in equation.resized:
        if parameter not in _SIZED.get(name, ()):
            raise NotUniform(f"{name}, whose {parameter} varies")
    return RULES[name]
