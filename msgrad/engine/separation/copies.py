"""How often XLA's kernels compute what others compute as well: an estimate for a program on a CPU.

XLA fuses equations of small arrays and copies into each kernel what it depends on, up to values that are stored
anyway. Where a chain of such equations runs through all layers, the kernels of each layer are longer than those before.
"""

from ..interpreter.kernels import SUMS, kernels_of
from .inlining import variables

# What XLA does not fuse with the equations that take its result; sums are the ends of kernels, too.
_STORED = {
    *("dot_general", "conv_general_dilated", "gather", "scatter", "scatter-add", "sort", "while", "scan", "cond"),
    *("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"),
}
_ENDS = {*SUMS, "reduce_and", "reduce_or", "argmax", "argmin"}
_MOST = 8192  # equations that are looked at: the first ones tell, and the sets below take a bit for each


def copies(equations, results):
    """The equations in all kernels of a program, for each equation that it has.

    Args:
        equations, results (list): of the program, with those of the functions that it calls (`inlined`).
    """
    equations = equations[:_MOST]
    fused = {}  # by variable the equations, as bits, that a kernel computes for it
    stored, total = set(variables(results)), 0
    for number, equation in enumerate(equations):
        name, operands = equation.primitive.name, variables(equation.invars)
        if name in _STORED or not kernels_of(equation).small:
            stored.update(operands)
            continue
        computed = 1 << number
        for each in operands:
            computed |= fused.get(each, 0)
        if name in _ENDS:
            total += computed.bit_count()
        else:
            fused.update(dict.fromkeys(equation.outvars, computed))
    total += sum([fused[each].bit_count() for each in stored if each in fused])
    return total / max(len(equations), 1)
