"""The rules of all primitives, by name: each takes a `Site` and `Padded` operands, and gives `Padded` results."""

from . import elementwise, indexing, loops, products, reductions, reshaping
from .sizes import NotUniform

# Primitives that only call another jaxpr, and the parameter that it is.
INNER = {
    "jit": "jaxpr",
    "closed_call": "call_jaxpr",
    "core_call": "call_jaxpr",
    "checkpoint": "jaxpr",
    "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr",
}
RULES = {
    name: rule
    for file in (elementwise, indexing, products, reductions, reshaping, loops)
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
