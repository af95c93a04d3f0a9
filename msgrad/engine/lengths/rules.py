"""The rules of all primitives, by name: each takes a `Site` and `Padded` operands, and gives `Padded` results."""

from . import elementwise, indexing, loops, products, random_bits, reductions, reshaping, windows
from .sizes import NotUniform

RULES = {
    name: rule
    for file in (elementwise, indexing, products, random_bits, reductions, reshaping, windows, loops)
    for name, rule in file.RULES.items()
}
CONDITIONS = {"pad": reshaping.pad_conditions}  # the sizes that must not be negative for a rule to be right


def rule_of(equation):
    """The rule of an equation whose sizes vary.

    Raises:
        NotUniform: if its primitive has none.
    """
    name = equation.primitive.name
    if name not in RULES:
        raise NotUniform(f"{name} has no rule for padding")
    return RULES[name]
