"""Pickles as data: a machine that builds plain values and tensors, and neither imports nor calls anything.

A pickle is a program for a stack machine. This machine knows the instructions that such files have; a name of a class
or function (``GLOBAL``) stays a name. What a pickle would build by it is a `Foreign`, unless ``builders`` has the name.
"""

import pickletools
import struct
import sys

from ...train._files.messages import DamagedError

_KEYS = (str, int, float, bool, bytes, type(None))  # others would be hashed, tuples without a bound of their depth
_HARMLESS = ("argparse", "collections", "datetime", "pathlib", "_codecs", "types", "enum")  # of Python's own modules
_PLAIN = {"set", "frozenset", "bytearray", "complex", "slice", "range", "object", "list", "dict", "tuple"}  # builtins
_MSG_CODE = "it calls {}, as harmful files do; nothing was run"
_MSG_INSTRUCTION = "its pickle has the instruction {}, which files of weights do not have"
_MSG_STACK = "its pickle is broken off or mixed up"


class Name(str):
    """The name of a class or function, ``'module.name'``."""

    __slots__ = ()


class Foreign:
    """An object that was not built, since only its own class could build it."""

    __slots__ = ("name",)

    def __init__(self, name):
        self.name = name


class _Bounded:
    """A file that is never asked for more bytes than it has left."""

    def __init__(self, file, size):
        self._file = file
        self._size = size

    def read(self, count):
        return self._file.read(min(count, max(self._size - self._file.tell(), 0)))

    def readline(self):
        return self._file.readline(self._size)


def read(file, size, builders, persistent):
    """The value of the pickle that begins at a file's position; the file is then behind it.

    Args:
        file (binary file): it can seek.
        size (int): of the file, in bytes.
        builders (dict[str, function]): for calls of these names; arguments are not trusted.
        persistent (function): the value of a persistent id, which is not trusted either.
    Raises:
        DamagedError: if it is no pickle, is broken off, or has an instruction or a name that weights do not need.
    """
    machine = _Machine(builders, persistent)
    try:
        for instruction, argument, _ in pickletools.genops(_Bounded(file, size)):
            machine.step(instruction.name, argument)
        return machine.stack.pop()
    except DamagedError:
        raise
    except (ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError, RecursionError, struct.error):
        raise DamagedError(_MSG_STACK) from None


class _Machine:
    def __init__(self, builders, persistent):
        self.stack = []
        self.marks = []  # lengths of the stack
        self.memo = {}
        self.builders = builders
        self.persistent = persistent

    def step(self, name, argument):
        """One instruction."""
        if name in _PUSHES:
            self.stack.append(argument)
        elif name in _CONSTANTS:
            self.stack.append(_CONSTANTS[name]())
        elif name in _STEPS:
            _STEPS[name](self, argument)
        elif name not in ("PROTO", "FRAME", "STOP"):
            raise DamagedError(_MSG_INSTRUCTION.format(name))

    def to_mark(self):
        """The values above the last mark."""
        return self.last(len(self.stack) - self.marks.pop())

    def last(self, count):
        if not 0 <= count <= len(self.stack):
            raise DamagedError(_MSG_STACK)
        values = self.stack[len(self.stack) - count :]
        del self.stack[len(self.stack) - count :]
        return values

    def put(self, argument):
        self.memo[len(self.memo) if argument is None else argument] = self.stack[-1]

    def get(self, argument):
        self.stack.append(self.memo[argument])

    def tuple(self, values):
        self.stack.append(tuple(values))

    def extend(self, values):
        holder = self.stack[-1]
        if not isinstance(holder, Foreign):
            holder.extend(values)

    def set_items(self, values):
        holder = self.stack[-1]
        if isinstance(holder, Foreign):
            return
        for key, value in zip(values[::2], values[1::2], strict=True):
            holder[key if isinstance(key, _KEYS) else Foreign("key")] = value

    def push_name(self, module, name):
        module = "builtins" if module == "__builtin__" else module  # of Python 2
        self.stack.append(_checked(Name(f"{module}.{name}")))

    def reduce(self, name, arguments):
        """A call of ``name``."""
        if not isinstance(name, Name) or not isinstance(arguments, tuple):
            name = name.name if isinstance(name, Foreign) else "what is no function"
            self.stack.append(Foreign(name))
            return
        build = self.builders.get(name)
        self.stack.append(Foreign(name) if build is None else build(*arguments))


def _checked(name):
    """``name``, unless it is of Python's own library, which has no weights but all that a harmful file needs."""
    root, _, own = name.partition(".")
    if own in _PLAIN if root == "builtins" else root in _HARMLESS or root not in sys.stdlib_module_names | {"nt"}:
        return name
    raise DamagedError(_MSG_CODE.format(f"{name!r:.80}"))


_PUSHES = set(
    "INT BININT BININT1 BININT2 LONG LONG1 LONG4 FLOAT BINFLOAT STRING BINSTRING SHORT_BINSTRING UNICODE BINUNICODE "
    "SHORT_BINUNICODE BINUNICODE8 BINBYTES SHORT_BINBYTES BINBYTES8 BYTEARRAY8".split()
)
_CONSTANTS = {
    "NONE": lambda: None, "NEWTRUE": lambda: True, "NEWFALSE": lambda: False,
    "EMPTY_LIST": list, "EMPTY_SET": list, "EMPTY_DICT": dict, "EMPTY_TUPLE": tuple,
}  # fmt: skip


def _dict(machine, _):
    values = machine.to_mark()
    machine.stack.append({})
    machine.set_items(values)


def _named_on_the_stack(machine, _):
    module, name = machine.last(2)
    if not isinstance(module, str) or not isinstance(name, str):
        raise DamagedError(_MSG_STACK)
    machine.push_name(module, name)


_STEPS = {
    "MARK": lambda machine, _: machine.marks.append(len(machine.stack)),
    "POP": lambda machine, _: machine.stack.pop(),
    "POP_MARK": lambda machine, _: machine.to_mark(),
    "DUP": lambda machine, _: machine.stack.append(machine.stack[-1]),
    "PUT": _Machine.put, "BINPUT": _Machine.put, "LONG_BINPUT": _Machine.put, "MEMOIZE": _Machine.put,
    "GET": _Machine.get, "BINGET": _Machine.get, "LONG_BINGET": _Machine.get,
    "TUPLE": lambda machine, _: machine.tuple(machine.to_mark()),
    "TUPLE1": lambda machine, _: machine.tuple(machine.last(1)),
    "TUPLE2": lambda machine, _: machine.tuple(machine.last(2)),
    "TUPLE3": lambda machine, _: machine.tuple(machine.last(3)),
    "LIST": lambda machine, _: machine.stack.append(machine.to_mark()),
    "FROZENSET": lambda machine, _: machine.stack.append(machine.to_mark()),
    "DICT": _dict,
    "APPEND": lambda machine, _: machine.extend(machine.last(1)),
    "APPENDS": lambda machine, _: machine.extend(machine.to_mark()),
    "ADDITEMS": lambda machine, _: machine.extend(machine.to_mark()),
    "SETITEM": lambda machine, _: machine.set_items(machine.last(2)),
    "SETITEMS": lambda machine, _: machine.set_items(machine.to_mark()),
    "GLOBAL": lambda machine, argument: machine.push_name(*argument.split(" ", 1)),
    "STACK_GLOBAL": _named_on_the_stack,
    "REDUCE": lambda machine, _: machine.reduce(*machine.last(2)),
    "NEWOBJ": lambda machine, _: machine.reduce(*machine.last(2)),
    "NEWOBJ_EX": lambda machine, _: machine.reduce(*machine.last(3)[:2]),
    "BUILD": lambda machine, _: machine.stack.pop(),  # attributes, such as the versions of a state dict
    "BINPERSID": lambda machine, _: machine.stack.append(machine.persistent(machine.stack.pop())),
}  # fmt: skip
