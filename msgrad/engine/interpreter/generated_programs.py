"""A program of many plans as a Python function made for it, which calls that of each plan (`generated`).

It passes operands and results in a third of the time that indices in a list take, and drops each value after its last
use. Its code depends on nothing but which values each plan takes and gives, the *wiring*: programs that differ in
shapes alone have one code, which Python compiles once.
"""

import types

from ..bounded import Bounded, share_of_memory
from .generated import code_of, source_of

_WIRING, _CALL = 1000, 300  # bytes that a wiring takes, and each of its calls, with the code
_kept = Bounded(share_of_memory(1 << 26))
_LAUNCHES = 2  # of programs of one wiring, before its code is made, which takes as long as it saves in three


class Wiring:
    """Which values the calls of programs take and give.

    Args:
        calls (tuple of tuple): in order, the indices of the values that a call takes (a tuple), the index of its first
            result, and the number of these.
        count (int): of leaves, whose indices are -1, -2 and so on.
        wanted (tuple of int): the indices of the results.
    """

    def __init__(self, calls, count, wanted):
        self._parts, self._code, self._launches = (calls, count, wanted), None, 0

    def is_worth_code(self):
        """Whether the next launch, which is counted, is to be by a function."""
        self._launches += 1
        return self._launches > _LAUNCHES

    def function_of(self, functions):
        """The function of the leaves that gives the results of a program, as a tuple.

        Args:
            functions (list): of each call (`generated.called_function_of`).
        """
        if self._code is None:
            self._code = _code_of(*self._parts)
        return types.FunctionType(self._code, {f"f{k}": function for k, function in enumerate(functions)})

    def drop(self):
        """Drops the code; the next program that needs it makes it again."""
        _known.pop(self._parts, None)


def wiring_of(calls, count, wanted):
    """The `Wiring` of a program, a kept one if there is one for these arguments of `Wiring`."""
    key = tuple(calls), count, wanted
    wiring = _known.get(key)
    if wiring is None:
        wiring = _known[key] = Wiring(*key)
        _kept.add(wiring, _WIRING + _CALL * len(key[0]))
    return wiring


_known = {}


def _code_of(calls, count, wanted):
    parameters = [f"x{k}" for k in range(count)]
    names = {~k: name for k, name in enumerate(parameters)}
    last = {index: k for k, (inputs, *_) in enumerate(calls) for index in inputs}
    last |= dict.fromkeys(wanted)
    free, lines = [], []
    for k, (inputs, first, number) in enumerate(calls):
        call = f"f{k}({', '.join([names[index] for index in inputs])})"
        # What no later call takes gives its name to a result, which frees it.
        free += [names[index] for index in dict.fromkeys(inputs) if last[index] == k and index >= 0]
        results = range(first, first + number)
        for index in results:
            names[index] = free.pop() if free else f"v{index}"
        lines.append(f"{', '.join([names[index] for index in results])} = {call}")
        free += [names[index] for index in results if index not in last]
    lines.append(f"return {', '.join([names[index] for index in wanted])},")
    return code_of(source_of(", ".join(parameters), lines))
