"""``mindspore.rewrite.common``: unique names, observers of changes, error texts."""

import abc
import ast
import enum

from ... import ops
from .reading import is_subtree  # noqa: F401  MindSpore's name, as the next one
from .reading import subtree_black_list as _subtree_black_list  # noqa: F401

_RULER = "-" * 100


class Event(enum.Enum):
    """A change of a network that is being rewritten.

    Source: mindspore.rewrite.common.event.Event
    """

    TopologicalChangeEvent = 0
    CodeChangeEvent = 1


class Observer(abc.ABC):
    """Observer of the events that it has added; a subclass defines ``_on_change(event)``.

    Source: mindspore.rewrite.common.observer.Observer
    """

    def __init__(self):
        self._events = set()

    def add_event(self, event):
        """Adds an event (Event) to listen to."""
        self._events.add(event)

    def remove_event(self, event):
        """Stops listening to an event (Event)."""
        self._events.discard(event)

    def on_change(self, event):
        """Calls ``_on_change`` for an event that has been added."""
        if event in self._events:
            self._on_change(event)

    @abc.abstractmethod
    def _on_change(self, event):
        """Handles an event; for subclasses."""


class Observable:
    """Tells its observers of events.

    Source: mindspore.rewrite.common.observable.Observable
    """

    def __init__(self):
        self._observers = []

    def reg_observer(self, observer):
        """Registers an observer (Observer)."""
        self._observers.append(observer)

    def changed(self, event):
        """Tells all observers of an event (Event)."""
        for observer in self._observers:
            observer.on_change(event)


class Namer:
    """Makes names unique by numbers at their end.

    Example:
        >>> namer = Namer()
        >>> [namer.get_name(name) for name in ("x", "x", "x_1")]
        ['x', 'x_1', 'x_1_1']
    Source: mindspore.rewrite.common.namer.Namer
    """

    def __init__(self):
        self._names = set()

    def get_name(self, origin_name):
        """The name (str) if it is unused, else the first unused one of ``name_1``, ``name_2``, ...; ``_`` stays."""
        name, number = origin_name, 0
        while name in self._names:
            number += 1
            name = f"{origin_name}_{number}"
        if origin_name not in ("_", ""):
            self._names.add(name)
        return name

    def add_name(self, name):
        """Notes that a name (str) is used."""
        self._names.add(name)


class TargetNamer(Namer):
    """Unique names of variables. Source: mindspore.rewrite.common.namer.TargetNamer"""

    def get_unique_name(self, origin_name):
        """As `get_name`."""
        return self.get_name(origin_name)


class NodeNamer(Namer):
    """Unique names of nodes. Source: mindspore.rewrite.common.namer.NodeNamer"""

    def get_name(self, node_or_name):
        """A unique name for a name (str), or for that of a node (Node)."""
        return super().get_name(node_or_name if isinstance(node_or_name, str) else node_or_name.get_name())


class FunctionNamer(Namer):
    """Unique names of functions, one object for a program. Source: mindspore.rewrite.common.namer.FunctionNamer"""

    _instance = None

    @classmethod
    def instance(cls):
        """The program's one object of this class."""
        cls._instance = cls._instance or cls()
        return cls._instance


class ClassNamer(FunctionNamer):
    """Unique names of rewritten classes: ``NetOpt`` for ``Net``. Source: mindspore.rewrite.common.namer.ClassNamer"""

    def get_name(self, origin_name):
        """A unique name (str) for the rewritten class of a name."""
        return super().get_name(f"{origin_name}Opt")


def error_str(reason, child_node=None, father_node=None):
    """The text of an error about code that cannot be rewritten.

    Args:
        reason (str): the reason.
        child_node, father_node (ast.AST | None): the code, and the code around it. Default: ``None``.
    Returns:
        str.
    Source: mindspore.rewrite.common.error_log.error_str
    """
    sources = [f"{_RULER}\n{ast.unparse(node)}\n{_RULER}\n" for node in (child_node, father_node) if node is not None]
    text = f"Unsupported grammar in MindSpore Rewrite, {reason}"
    return "\n".join([text, "in\n".join(sources)]) if sources else text


def clear_caches():
    """Clears MindSpore's caches of rewritten code; there are none here. Source: mindspore.rewrite.common.config"""


def is_functional(func_name):
    """Whether ``mindspore.ops`` has a function of this name (str)."""
    return callable(getattr(ops, func_name, None))


def get_functional(func_name):
    """The function of ``mindspore.ops`` of this name (str); None without one."""
    return getattr(ops, func_name, None)
