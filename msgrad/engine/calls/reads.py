"""What a staged call may read besides its arguments: a walk over its code, its objects and their containers.

Nothing tells which attributes and items Python reads. So the walk follows names: from the code of a function to the
globals that it loads, and to the attributes of those names of all objects that it reaches. msgrad's own Cells read
some by names that are data (`Update`), so what their constructors set is taken as read. The walk may reach more than is
read, which only means that a change of that is noticed, too.
"""

import argparse
import collections
import dis
import functools
import inspect
import sys
import types
from collections.abc import Set

import numpy as np

from ... import _upcalls
from ..handle import Handle

_NAME = __name__.partition(".")[0]
_OURS = {_NAME, "mindspore"}  # public classes have the module of MindSpore's
# Their state is not the user's: neither their code nor their objects are followed.
_MACHINERY = tuple([f"{_NAME}.{folder}" for folder in ("engine", "_contracts", "_names", "ops._core")])
_FOREIGN = sys.stdlib_module_names | {"jax", "jaxlib", "numpy", "_distutils_hack", "__future__"} - {"__main__"}
_FOREIGN |= {"_pytest", "pytest", "pluggy"}  # each `assert` of a test names a module from which all tests are reached
PLAIN = (Handle, bool, int, float, complex, str, bytes, type(None), type(Ellipsis), types.CodeType)
_NAMESPACES = (types.SimpleNamespace, argparse.Namespace)
_SEQUENCES = (list, set, collections.deque)
# Called without being named: a call, an operator, `in`, `len`, `for`, `with`.
_IMPLICIT = {name for kind in (int, list, dict) for name in vars(kind) if name.startswith("__")}
_IMPLICIT -= {"__init__", "__new__", "__doc__"}
_IMPLICIT |= {"__call__", "__next__", "__enter__", "__exit__", "__matmul__", "__getattr__", "__get__", "__str__"}
_IMPLICIT |= {"construct", "bprop"}
_WRAPPERS = (property, staticmethod, classmethod, functools.partial, functools.cached_property)
_LARGEST_ARRAY = 1 << 16  # bytes, which are compared at each call: 64 kB take 5 us
# What MindSpore's compiler leaves to Python: it asks for an attribute, uses an operator, or calls what is no function.
_INTERPRETED = (property, functools.cached_property, functools._lru_cache_wrapper)
_COMPILED = ("__call__", "__len__", "__enter__", "__exit__")  # the only special methods that it reads
_WRAPPED = ("__func__", "__wrapped__", "fget", "func", "args", "keywords")


class Versions:
    """The versions of the objects of class ``_upcalls.Versioned`` (Cells).

    Attributes:
        latest (int): the newest of all.
    """

    latest = 0


@functools.lru_cache(4096)
def _names_in(code):
    """The global names in a code object and in its inner ones, and the names that may be attributes."""
    loaded = {each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    # Texts as well: `getattr(self, "rate")`.
    attributes = {*code.co_names, *[each for each in code.co_consts if isinstance(each, str) and each.isidentifier()]}
    for inner in code.co_consts:
        if type(inner) is types.CodeType:
            inner_loaded, inner_attributes = _names_in(inner)
            loaded, attributes = loaded | inner_loaded, attributes | inner_attributes
    return loaded, attributes


@functools.lru_cache(4096)
def _set_by_constructors(cls):
    """The names of attributes that msgrad's constructors may set in an object of the versioned class ``cls``."""
    names = set()
    for base in cls.__mro__:
        init = vars(base).get("__init__")
        if inspect.isfunction(init) and _root_of(base.__module__) in _OURS and base not in _upcalls.Versioned.__mro__:
            # Their parameters as well: layers that are rows store each one (`setattr`).
            names.update(inspect.signature(init).parameters, inspect.unwrap(init).__code__.co_names)
    return names


def _root_of(module):
    return (module or "").partition(".")[0]


def _is_special(name):
    return name.startswith("__") and name.endswith("__") and name not in _COMPILED


def _is_foreign(module):
    return _root_of(module) in _FOREIGN or (module or "").startswith(_MACHINERY)


def _is_assigned(cell):
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


class Reads:
    """What is reached from ``roots`` (functions, objects).

    Args:
        roots (iterable): where the walk starts.
        is_graph (bool): whether functions of the user get the code that they have in graphs. Default: ``False``.
    Attributes:
        names (set of str): attributes that some code reached may read.
        slots (list): pairs of a namespace (the ``__dict__`` of an object or class, the globals of a function) and the
            names in it that are read.
        versioned (list): the objects that note when an attribute changes, each with the names of attributes (set) that
            it may read although no code names them.
        objects (list of dict): the ``__dict__`` of the other objects.
        sequences, dicts, arrays, functions, cells (list): the lists, sets and deques; dicts; small NumPy arrays;
            functions of the user; cells of their closures.
    """

    def __init__(self, roots, is_graph=False):
        self.names, self._is_graph = set(_IMPLICIT), is_graph
        self.slots, self.versioned, self.objects = [], [], []
        self.sequences, self.dicts, self.arrays, self.functions, self.cells = [], [], [], [], []
        self._seen = {}
        self._interpreted = set()  # the ids of functions that MindSpore leaves to Python
        self._of_cells = set()  # the ids of properties of Cells, which it reads
        self._namespaces = []
        self._unread = collections.defaultdict(list)  # values of attributes that no code has named yet, by name
        self._pending = list(roots)
        while self._pending:
            self._visit(self._pending.pop())
        for namespace in self._namespaces:
            names = [name for name in namespace if name in self.names]
            if names:
                self.slots.append((namespace, names))
        del self._seen, self._unread, self._namespaces, self._interpreted, self._of_cells

    def _visit(self, value):
        kind = type(value)
        if isinstance(value, PLAIN) or id(value) in self._seen:
            return
        self._seen[id(value)] = value  # kept, so that no other object gets its id
        if kind is types.FunctionType:
            self._visit_function(value)
        elif kind is types.MethodType:
            self._pending += (value.__func__, value.__self__)
        elif isinstance(value, (tuple, frozenset)):
            self._pending += value
        elif isinstance(value, _upcalls.Versioned):
            own = _set_by_constructors(kind)
            self.versioned.append((value, own))
            self._read_attributes(vars(value), own)
            self._pending += [each for each in vars(value).values() if isinstance(each, _upcalls.Versioned)]
            self._pending.append(kind)
        elif isinstance(value, _SEQUENCES):
            self.sequences.append(value)
            self._pending += value
        elif isinstance(value, dict):
            # A registry of a versioned object is a part of that.
            if not hasattr(kind, "is_versioned"):
                self.dicts.append(value)
            self._pending += value.values()
        elif isinstance(value, np.ndarray):
            if value.flags.writeable and value.nbytes <= _LARGEST_ARRAY:
                self.arrays.append(value)
        elif isinstance(value, _WRAPPERS) or "__wrapped__" in getattr(value, "__dict__", ()):
            wrapped = [getattr(value, name, None) for name in _WRAPPED]
            if isinstance(value, _INTERPRETED) and id(value) not in self._of_cells:
                self._interpreted.update(map(id, wrapped))
            self._pending += wrapped
        elif isinstance(value, type):
            self._visit_class(value)
        elif isinstance(value, types.ModuleType):
            if _root_of(value.__name__) not in _OURS and not _is_foreign(value.__name__):
                self._read_namespace(vars(value))
        else:
            self._visit_object(value, kind)

    def _visit_function(self, function):
        module = function.__globals__.get("__name__")  # none in what a user made by `exec`
        if _is_foreign(module):
            self._pending.append(getattr(function, "__wrapped__", None))  # `functools.wraps`, `lru_cache`
            return
        closure = function.__closure__ or ()
        if _root_of(module) in _OURS:
            self._pending += [cell.cell_contents for cell in closure if _is_assigned(cell)]
            self._mention(set(function.__code__.co_names))
            return
        if self._is_graph:
            _upcalls.in_graph(function, id(function) in self._interpreted or _is_special(function.__name__))
        loaded, attributes = _names_in(function.__code__)
        self._mention(attributes)
        for cell in filter(_is_assigned, closure):
            self._pending.append(cell.cell_contents)
            if not isinstance(cell.cell_contents, type):  # `__class__`
                self.cells.append(cell)
        self.functions.append(function)
        self._pending += [function.__defaults__, function.__kwdefaults__, vars(function).get("__wrapped__")]
        names = [name for name in loaded if name in function.__globals__]
        self._pending += [function.__globals__[name] for name in names]
        names = [name for name in names if not isinstance(function.__globals__[name], types.ModuleType)]
        if names:
            self.slots.append((function.__globals__, names))

    def _visit_class(self, cls):
        if _is_foreign(cls.__module__) or issubclass(cls, Handle) or cls in _upcalls.Versioned.__mro__:
            return
        if _root_of(cls.__module__) in _OURS:
            self._read_attributes(vars(cls))
        else:
            if issubclass(cls, _upcalls.Versioned):
                self._of_cells.update([id(each) for each in vars(cls).values() if isinstance(each, property)])
            self._read_namespace(vars(cls))
        self._pending += cls.__mro__[1:]

    def _visit_object(self, value, kind):
        if _is_foreign(kind.__module__) and not isinstance(value, _NAMESPACES) or not hasattr(value, "__dict__"):
            return
        if _root_of(kind.__module__) in _OURS:
            # A transform holds the function that it is of; the rest of it does not change.
            self._pending += [each for each in vars(value).values() if callable(each)]
            return
        self.objects.append(vars(value))
        self._read_namespace(vars(value))
        self._pending.append(kind)

    def _read_namespace(self, namespace):
        self._namespaces.append(namespace)
        self._read_attributes(namespace)

    def _read_attributes(self, namespace, own: Set[str] = frozenset()):
        """Visits the attributes that are among ``own``, or that some code names, now or later."""
        for name, value in namespace.items():
            if name in self.names or name in own:
                self._pending.append(value)
            else:
                self._unread[name].append(value)

    def _mention(self, names):
        for name in names - self.names:
            self._pending += self._unread.pop(name, ())
        self.names |= names
