"""`Transform`: the base of the transforms for ``map``."""

import functools
import inspect
from typing import Any, Literal, overload

import numpy as np

from ..._contracts.enforcement import checked
from ...engine.handle import Handle
from ...engine.host import long_long
from .._pipeline.description import Described
from .._pipeline.draws import Draws, EngineDraws, LibraryDraws, draws_of
from .._pipeline.failures import pipeline_error
from .._pipeline.values import narrowed

_MSG_FAILED = "Exception thrown from dataset pipeline: for '{}', {}"


class Transform(Described):
    """A transform of one value, an array; a direct call also takes a Tensor, a list or a number.

    A subclass defines ``_apply``, or ``__call__``; ``map`` calls the latter as ``_in_map``, without what the user's own
    calls do to the dtypes of the result. Contracts in the annotations of its constructor are enforced.
    """

    _is_python = False  # whether MindSpore has it in Python only: see `Compose.__call__`

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "__init__" in vars(cls):
            cls.__init__ = checked(cls.__init__)
        if "__call__" in vars(cls):
            _give_dtypes(cls)

    _in_map: Any

    def __call__(self, value, *more) -> Any:
        if more:
            self._fail(f"it takes one value, but got {1 + len(more)}: give map(...) one of the 'input_columns'.")
        return narrowed(self._apply(value if type(value) is np.ndarray else self._taken(value)))

    def _taken(self, value):
        """The argument of `_apply` for a value that is not an array."""
        return value.asnumpy() if isinstance(value, Handle) else np.asarray(value)

    def _apply(self, value):
        """The new value."""
        raise NotImplementedError

    def _begun(self):
        """An equivalent transform, which those that follow in ``map`` may join; by default this one."""
        return self

    def _joined(self, following):
        """A faster transform equivalent to this one followed by the next one of ``map``, or None."""
        return None

    def _layout_after(self, layout):
        """For transforms that change each value of an image by itself: the layout of the result, ``HWC`` or ``CHW``.

        None for other transforms, and where this one takes another axis than that of ``layout`` for the channels.
        """
        return None

    def _written(self, empty, *values):
        """The result of a call, which may be written into memory that ``empty(shape, dtype)`` gives."""
        return self._in_map(*values)

    @overload
    def _draws(self, in_python: Literal[False] = False) -> Draws | EngineDraws: ...

    @overload
    def _draws(self, in_python: bool) -> Draws | EngineDraws | LibraryDraws: ...

    def _draws(self, in_python=False):
        """The random numbers for the current value: see `draws_of`."""
        return draws_of(self, in_python)

    def _fail(self, sentence):
        """Raises the error of a transform that cannot be applied; ``sentence`` is the reason.

        Raises:
            RuntimeError: always.
        """
        raise pipeline_error(_MSG_FAILED.format(type(self).__name__, sentence))


def _give_dtypes(cls):
    """Lets ``__call__`` of a class give MindSpore's dtypes of 64-bit ints, which print as such."""
    cls._in_map = call = cls.__call__

    @functools.wraps(call)
    def __call__(self, *values):  # noqa: N807
        return _given(call(self, *values))

    cls.__call__ = __call__


def _given(result):
    if type(result) is np.ndarray:
        return long_long(result)
    return tuple(map(_given, result)) if type(result) is tuple else result


_give_dtypes(Transform)


def not_random(function):
    """Marks a function or transform class as deterministic.

    Source: mindspore.dataset.transforms.not_random
    """
    function.random = False
    return function


def check_transforms(transforms, owner, hint=""):
    """``transforms``, a non-empty list of functions and transforms.

    Raises:
        TypeError: if it is not a list of them.  ValueError: if it is empty.
    """
    if not isinstance(transforms, list):
        raise TypeError(f"For '{owner}', the 'transforms' must be a list, but got {type(transforms).__name__}.")
    if not transforms:
        raise ValueError(f"For '{owner}', the 'transforms' must have at least one function, but the list is empty.")
    for index, each in enumerate(transforms):
        if not callable(each):
            raise TypeError(f"For '{owner}', the 'transforms' must be functions, but number {index} is {each!r}.")
        if inspect.isclass(each):
            raise ValueError(
                f"For '{owner}', number {index} of the 'transforms' is a class: write {each.__name__}(...)."
            )
    return transforms
