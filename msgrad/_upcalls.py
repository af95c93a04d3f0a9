"""Upcalls: the functions and classes of upper floors that lower floors use, which cannot import them.

Each is declared here, with the file that fills it when it is imported: ``fill(sharded=_kept)``. Lower floors read it as
an attribute of this module, ``_upcalls.sharded(handle, sharding)``, each time they use it, which costs what a global
name does.
Tables that have many rows (the faces of operations, NumPy's rules) are filled by functions of their own files, and what
tools observe is an `engine.observation.Observer`.
"""

from collections.abc import Callable
from typing import Any, TypeVar, overload

_MSG_UNFILLED = "'_upcalls.{}' was used before 'msgrad/{}' was imported, which fills it. Import all of msgrad."
_MSG_UNKNOWN = "'{}' is no upcall: declare it in _upcalls.py, with the file that fills it."
_REQUIRED: Any = object()
_T = TypeVar("_T")
FILLED_BY = {}  # the file, below ``msgrad``, by the name of the upcall


class _Unfilled:
    """Stands for an upcall that must be filled before it is used."""

    def __init__(self, name):
        self.__name__ = name

    def __call__(self, *args, **kwargs):
        raise RuntimeError(_MSG_UNFILLED.format(self.__name__, FILLED_BY[self.__name__]))

    def __getattr__(self, name):
        self()


@overload
def upcall(filled_by: str) -> Callable[[_T], _T]: ...
@overload
def upcall(filled_by: str, until: None) -> Callable[[_T], _T | None]: ...
def upcall(filled_by: str, until: Any = _REQUIRED) -> Any:
    """Declares an upcall by the function or class that it decorates, whose body is only a description.

    Args:
        filled_by (str): the file, below ``msgrad``.
        until (None): what it is until then, for one that may never be filled. Default: its use is an error.
    """

    def declare(described):
        name = described.__name__
        FILLED_BY[name] = filled_by
        return _Unfilled(name) if until is _REQUIRED else until

    return declare


def fill(**functions):
    """Fills upcalls by name.

    Raises:
        NameError: if one is not declared.
    """
    for name in functions:
        if name not in FILLED_BY:
            raise NameError(_MSG_UNKNOWN.format(name))
    globals().update(functions)


# -- the engine ----------------------------------------------------------------------------------------------------


@upcall("tensor/tensor.py")
class Result:
    """The class of the handles that operations return."""

    _wrap: Any


@upcall("engine/recording/sharding.py")
def sharded(handle, sharding) -> Any:
    """A handle on the value of ``handle``, sharded by ``sharding`` where that fits; it is a recorded operation."""


@upcall("engine/collectives/status.py", until=None)
def check_before_read() -> None:
    """Raises if no value is to be read, since the processes ran different collectives."""


@upcall("engine/processes/global_arrays.py", until=None)
def gathered(array) -> Any:
    """A local array of a global one, of which this process holds a part; any other array unchanged."""


@upcall("engine/collectives/global_programs.py", until=None)
class ProcessesExecutable:
    """The `Executable` of a program of one of several processes, whose operands may be global arrays."""

    def __init__(self, fn, key_parts, donated=(), operations=0, plan=None, is_global=False): ...


@upcall("engine/collectives/global_programs.py")
def resharded(array, sharding) -> Any:
    """A sharded global array with another sharding."""


@upcall("engine/collectives/global_programs.py")
def of_first_process(arrays) -> list | None:
    """The local arrays of the first process where those of any other differ, else None."""


@upcall("_semantics/graph_code.py")
def in_graph(function, is_interpreted=False) -> Any:
    """Gives a function of the user the code that it has in graphs."""


@upcall("nn/cell.py")
class Versioned:
    """The class of objects (Cells) whose ``_version_`` each assignment of an attribute renews.

    Attributes:
        _uncounted_ (set of str): attributes that do not decide what a call computes.
    """

    _uncounted_: set


@upcall("tensor/printing.py")
def graph_lines(values) -> list | None:
    """The lines that ``print`` writes for values in a graph; None for values that print as elsewhere."""


# -- Tensors -------------------------------------------------------------------------------------------------------


@upcall("tensor/placeholder.py")
class Placeholder:
    """The class of Tensors with dynamic shapes: ``is_for(shape)``, ``become(tensor, shape, dtype)``."""

    is_for: Any
    become: Any


@upcall("initializer.py")
def initialized(init, shape, dtype) -> Any:
    """A Tensor with the values that ``init`` describes, for ``Parameter.clone``."""


@upcall("_compat/compiler/executors.py", until=None)
def prepare_tensor_class(cls) -> None:
    """Adds to a program's own Tensor class what libraries expect of it."""


# -- settings ------------------------------------------------------------------------------------------------------


@upcall("train/operator_strategies.py")
def save_operator_strategies(network, path) -> None:
    """Writes the strategies of a network's Primitives to a file."""


@upcall("train/operator_strategies.py")
def load_operator_strategies(network, path) -> None:
    """Gives the Primitives of a network the strategies of a file."""


@upcall("dataset/config.py", until=None)
def seed_datasets(seed) -> None:
    """Seeds the data pipelines, at each ``set_seed``."""


# -- operations and layers -----------------------------------------------------------------------------------------


@upcall("autodiff/custom.py")
def called_with_rule(compute, rule, args, name) -> Any:
    """``compute(*args)``, with the gradient ``rule(*args, output, cotangent)`` of the user's Primitive ``name``."""


@upcall("_compat/ops/kernels.py")
def kernel_of(primitive) -> Callable | None:
    """The implementation of a Primitive without code of its own, by its name, or None."""


@upcall("nn/probability/distribution/transformed_distribution.py", until=None)
def transformed_distribution(bijector, value) -> Any:
    """The transformed distribution of ``value`` if that is a Distribution, else None."""
