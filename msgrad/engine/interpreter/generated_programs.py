"""A program of many plans as a Python function made for it, which calls that of each plan (`generated`).

It passes operands and results in a third of the time that indices in a list take, and drops each value after its last
use. Its source depends on nothing but which values each plan takes, so for programs that differ in shapes alone Python
compiles it once.
"""

from .generated import function_from


def function_of(calls, count, wanted):
    """The function of ``count`` arrays, the leaves, that gives the values ``wanted`` of a program, as a tuple.

    Args:
        calls (list of tuple): in order, a function (`generated.called_function_of`), the indices of the values that it
            takes, the index of its first result, and the number of these.
        count (int): of leaves, whose indices are -1, -2 and so on.
        wanted (sequence of int): indices.
    """
    parameters = [f"x{k}" for k in range(count)]
    names = {~k: name for k, name in enumerate(parameters)}
    last = {index: k for k, (_, inputs, *_) in enumerate(calls) for index in inputs}
    last |= dict.fromkeys(wanted)
    known, numbers, free, lines = {}, {}, [], []
    for k, (function, inputs, first, number) in enumerate(calls):
        position = numbers.setdefault(function, len(numbers))
        known[f"f{position}"] = function
        call = f"f{position}({', '.join([names[index] for index in inputs])})"
        # What no later call takes gives its name to a result, which frees it.
        free += [names[index] for index in dict.fromkeys(inputs) if last[index] == k and index >= 0]
        results = range(first, first + number)
        for index in results:
            names[index] = free.pop() if free else f"v{index}"
        lines.append(f"{', '.join([names[index] for index in results])} = {call}")
        free += [names[index] for index in results if index not in last]
    lines.append(f"return {', '.join([names[index] for index in wanted])},")
    return function_from(", ".join(parameters), lines, known)
