"""Reads the text of a compiled program (XLA's optimized HLO): instructions in the order of the schedule."""

import math
import re
from typing import NamedTuple

# Bytes of a number, by XLA's names.
_SIZES = {
    **dict.fromkeys(("pred", "s8", "u8", "f8e4m3fn", "f8e5m2", "s4", "u4"), 1),
    **dict.fromkeys(("s16", "u16", "f16", "bf16"), 2),
    **dict.fromkeys(("s32", "u32", "f32"), 4),
    **dict.fromkeys(("s64", "u64", "f64", "c64"), 8),
    "c128": 16,
}
_ARRAY = re.compile(r"(\w+)\[([\d,]*)\](\{[^}]*\})?")
_LINE = re.compile(r"\s*(ROOT )?%?([\w.-]+) = ")
_OPCODE = re.compile(r"\s*([\w-]+)\(")
_NAME = re.compile(r"%([\w.-]+)")
_OP_NAME = re.compile(r'op_name="([^"]*)"')
_CALLED = re.compile(r"(?:calls|body|to_apply|true_computation|false_computation)=%?([\w.-]+)")
_BRANCHES = re.compile(r"branch_computations=\{([^}]*)\}")
_TRIPS = re.compile(r'"known_trip_count":\{"n":"(\d+)"\}')


class Instruction(NamedTuple):
    """One line.

    Attributes:
        name (str), opcode (str): its own.
        shape (str): of the result, as text.
        operands (list of str): the names of others.
        called (list of str): the computations that it calls.
        op_name (str): where it is from.
        rest (str): its attributes.
        is_root (bool): whether it is the result of its computation.
    """

    name: str
    opcode: str
    shape: str
    operands: list
    called: list
    op_name: str
    rest: str
    is_root: bool

    @property
    def result(self):
        """The shape of the result, as text, without the operand that the start of a transfer returns beside it."""
        if not self.opcode.endswith("-start") or self.opcode == "all-reduce-start" or self.shape[0] != "(":
            return self.shape
        return _elements(self.shape)[0 if self.opcode == "copy-start" else 1]

    @property
    def bytes(self):
        """The size of the result in the device's memory."""
        return bytes_of(self.result)

    @property
    def sent(self):
        """The size of the result in whatever memory it is."""
        return bytes_of(self.result, on_chip=True)

    @property
    def trips(self):
        """How often the body of a loop runs, as far as the compiler knows."""
        found = _TRIPS.search(self.rest)
        return int(found[1]) if found else 1


def bytes_of(shape, on_chip=False):
    """Bytes of all arrays in a shape; without those ``on_chip``, in a TPU's memory ``S(1)``."""
    total = 0
    for kind, axes, layout in _ARRAY.findall(shape):
        if on_chip or "S(" not in layout:
            total += _SIZES.get(kind, 0) * math.prod([int(n) for n in axes.split(",") if n])
    return total


def _elements(shape):
    """The elements of a tuple's shape."""
    elements, depth = [""], 0
    for char in shape[1:-1]:
        depth += (char in "([{") - (char in ")]}")
        if char == "," and not depth:
            elements.append("")
        else:
            elements[-1] += char
    return elements


class Module:
    """A program.

    Attributes:
        computations (dict): a list of `Instruction` by name.
        entry (list): that of the whole program.
    """

    def __init__(self, text):
        self.computations, self.entry, current = {}, [], None
        for line in text.splitlines():
            if line.endswith("{") and " -> " in line:
                name = line.removeprefix("ENTRY ").lstrip("%").split(" ", 1)[0]
                current = self.computations[name] = []
                if line.startswith("ENTRY"):
                    self.entry = current
            elif line.startswith("}"):
                current = None
            elif current is not None and (instruction := _parsed(line)) is not None:
                current.append(instruction)

    def body_of(self, instruction):
        """The computations that a loop, a branch or a call runs, and how often."""
        if instruction.opcode == "while":
            body = re.search(r"body=%?([\w.-]+)", instruction.rest)
            return [(self.computations.get(body[1], []), instruction.trips)]
        if instruction.opcode in ("conditional", "call", "async-start"):
            return [(self.computations.get(name, []), 1) for name in instruction.called]
        return []


def _parsed(line):
    head = _LINE.match(line)
    if head is None:
        return None
    start = head.end()
    end = _end_of_shape(line, start)
    opcode = _OPCODE.match(line, end)
    if opcode is None:
        return None
    close = _closing(line, opcode.end() - 1)
    rest = line[opcode.start(1) :] if opcode[1] == "parameter" else line[close:]
    op_name, branches = _OP_NAME.search(rest), _BRANCHES.search(rest)
    called = _CALLED.findall(rest) + (_NAME.findall(branches[1]) if branches else [])
    operands = _NAME.findall(line, opcode.end(), close)
    name = op_name[1] if op_name else ""
    shape = line[start:end]
    return Instruction(head[2], opcode[1], shape, operands, called, name, rest, head[1] is not None)


def _end_of_shape(line, start):
    if line[start] == "(":
        return _closing(line, start) + 1
    end = line.find(" ", start)
    return len(line) if end < 0 else end


def _closing(line, start):
    """The position of the parenthesis that closes that at ``start``."""
    depth = 0
    for position in range(start, len(line)):
        if line[position] == "(":
            depth += 1
        elif line[position] == ")":
            depth -= 1
            if not depth:
                return position
    return len(line)
