"""The faces of an operation: functions, Primitives and Tensor methods, each one row, ``target`` and signature text.

A row's signature is MindSpore's; `generation.passing` says how its parameters match the target's. A parameter may have
its own contract, which is enforced before the target's; a parameter in ``hints`` has no effect on results.
"""

import inspect

from ..._contracts import contracts
from ..._names import contents
from ...tensor.sparse import COOTensor, CSRTensor
from ...tensor.tensor import Tensor
from .generation.functions import renamed
from .generation.overloads import method_of, overload_of
from .generation.primitive_classes import primitive_class
from .tables import Members, Table

PRIMITIVES = Table(contents.PRIMITIVES)  # every Primitive class by name
METHODS = Members(Tensor, contents.METHODS)  # every Tensor method that is attached here by name
OPERATORS = Members(Tensor, contents.OPERATORS)  # Python's operators on Tensors, by method
COO_METHODS = Members(COOTensor, contents.COO_METHODS)  # methods of sparse Tensors, including operators
CSR_METHODS = Members(CSRTensor, contents.CSR_METHODS)


class Dialect:
    """A module of functions that are faces of operations: ``mindspore.ops`` itself, ``mindspore.mint``.

    Args:
        path (str): MindSpore's name of the module.
        further (dict): contracts that rows may name, besides those of `contracts`. Default: ``None``.
        names (dict of str): the names of functions by the file that defines them, as for `Table`. Default: ``None``.

    Attributes:
        functions (Table of function): every function by name; names that begin with ``_`` are private to a file.
    Example:
        >>> mint = Dialect("mindspore.mint")
        >>> mint.face(ops.sum, "total(input, dim: Int = 0)")(Tensor([1.0, 2.0])).item()
        3.0
        >>> list(mint.public())
        ['total']
    """

    def __init__(self, path, further=None, names=None):
        self.path = path
        self.module = path.replace("mindspore", "msgrad", 1)
        self.functions = Table(names)
        self._contracts = contracts.NAMES | (further or {})

    def face(self, target, text, hints=(), fixed=None, **rename):
        """Defines a function that calls another one with renamed parameters.

        Args:
            target (function): the function to call.
            text (str): name and signature, ``"sum(input, dim=None, keepdim=False)"``; a parameter may have a contract.
            hints (tuple[str]): parameters that are not passed on.
            fixed (dict): constant arguments of the target, by name.
            rename (dict): the target's parameter for a parameter of the row.
        Returns:
            The function.
        """
        return self.add(*renamed(target, text, hints, fixed, rename, self.path, self._contracts))

    def overload(self, name, *rows):
        """Defines a function with several signatures; the first one that matches a call is used.

        Args:
            name (str): of the function.
            rows: each ``(target, text)`` or ``(target, text, options)``, as for `method`, but ``text`` is the whole
                signature.
        Returns:
            The function.
        """
        return self.add(name, overload_of(f"{self.path}.{name}", rows, self._contracts))

    def add(self, name, function):
        """Registers a function; a public one is pickled by its name in this module."""
        if name[0] != "_":
            function.__module__, function.__qualname__ = self.module, name
        return register(self.functions, name, function)

    def share(self, names, origin=None):
        """Registers functions that are identical in another module.

        Args:
            names (str): of the functions, with spaces between.
            origin (Dialect): the other module. Default: ``mindspore.ops``.
        """
        for name in names.split():
            register(self.functions, name, (origin or OPS).functions[name])

    def public(self):
        """The functions that programs may use, by name."""
        return {name: face for name, face in self.functions.items() if name[0] != "_"}


OPS = Dialect("mindspore.ops", names=contents.FUNCTIONS)
FUNCTIONS = OPS.functions
face = OPS.face


def primitive(
    target, text, hints=(), fixed=None, table=PRIMITIVES, path="mindspore.ops", module="msgrad.ops", **rename
):
    """Defines a Primitive that calls a function; its class is created on first use.

    Args:
        target (function): the function to call.
        text (str): ``"Gather(batch_dims=0)"``, its name and its constructor's parameters; the call takes the others, or
            those in a second pair of parentheses: ``"ReduceSum(keep_dims=False)(x, axis=())"``. A parameter of the
            constructor may have its own contract; without one and the target's, its default's type decides.
        hints, fixed, rename: as for `Dialect.face`.
        table (Table): where it is registered. Default: `PRIMITIVES`, those of ``mindspore.ops``.
        path (str): MindSpore's name of its module. Default: ``"mindspore.ops"``.
        module (str): the class's ``__module__``. Default: ``"msgrad.ops"``.
    """
    name = text.partition("(")[0]
    define(table, name, lambda: primitive_class(target, text, hints, fixed, path, module, rename))


def completed(*names):
    """Decorates the last step of Primitives' constructors, which checks combinations of arguments and adds attributes.

    Args:
        names (str): of the Primitives.
    """

    def define(step):
        for each in names:
            PRIMITIVES[each]._complete = step
        return step

    return define


def method(name, *rows):
    """Defines a Tensor method, created on first use: the first row whose signature matches a call is used.

    Args:
        name (str): of the method.
        rows: each ``(target, text)`` or ``(target, text, options)``: ``text`` the signature without the Tensor itself,
            ``options`` a dict of arguments of `Dialect.face` and renames; ``min_args``, the smallest number of
            positional arguments besides the Tensor; ``is_last_in_graphs``, whether other rows come first in a graph;
            ``alone``, the operation that ``target`` calls for a Tensor alone, which is then called at once.
    """
    define(METHODS, name, lambda: method_of(name, rows))


def attach(member, names):
    """Makes ``member`` a Tensor method under one name or several."""
    for each in (names,) if isinstance(names, str) else names or ():
        register(METHODS, each, member)


def register(table, name, value):
    """Registers a face in its table; a repeated name is an error."""
    define(table, name, lambda: value)
    table[name] = value
    return value


def define(table, name, make):
    """Registers in its table a face that ``make()`` creates on first use; a repeated name is an error."""
    if table.is_defined(name):
        raise NameError(f"'{name}' is defined twice: {_place(table.get(name, name))} and {_place(make())}.")
    table.define(name, make)


def _place(member):
    code = getattr(inspect.unwrap(member) if callable(member) else member, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else repr(member)
