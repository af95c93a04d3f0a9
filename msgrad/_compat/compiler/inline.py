"""Inlining decorators of MindSpore's compiler, without effect on results."""

import functools
import inspect
import types

from ..._contracts.check import refuse


def lazy_inline(fn=None, attrs=None, policy=None):
    """Decorates a Cell's ``__init__``: a hint to compile equal Cells once; here it only stores ``cell_init_args``.

    Args:
        fn (function): ``__init__``.
        attrs (list[str] | str): the attributes that tell Cells apart. Default: ``None``, the arguments.
        policy (str): without effect. Default: ``None``.
    Returns:
        function: ``__init__``, which also sets ``cell_init_args``, a str of the class and what tells Cells apart.
    Example:
        >>> class Net(nn.Cell):
        ...     @mindspore.lazy_inline
        ...     def __init__(self):
        ...         super().__init__()
    Source: mindspore.lazy_inline
    """
    return _registering("lazy_inline_", attrs, fn)


def no_inline(fn=None):
    """A hint not to inline a function, without effect: XLA decides.

    Args:
        fn (function): the function.
    Returns:
        function: ``fn``, with the attribute ``no_inline``.
    Raises:
        AttributeError: if it is not a function.
    Example:
        >>> @mindspore.no_inline
        ... def double(x):
        ...     return x * 2
    Source: mindspore.no_inline
    """
    if fn is None:
        return no_inline
    if not isinstance(fn, (types.FunctionType, types.MethodType)):
        refuse(AttributeError, "no_inline", "fn", "a function", fn)
    getattr(fn, "__func__", fn).no_inline = True
    return fn


def cell_attr_register(fn=None, attrs=None):
    """Decorates a Cell's ``__init__``: sets ``cell_init_args``, a str of the class and what tells Cells apart.

    Args:
        fn (function): ``__init__``.
        attrs (list[str] | str): the attributes that tell Cells apart. Default: ``None``, the arguments.
    Returns:
        function: ``__init__``.
    Source: mindspore._extends.cell_attr_register
    """
    return _registering("", attrs, fn)


def _registering(prefix, attrs, fn):
    def decorate(init):
        signature = inspect.signature(init)

        @functools.wraps(init)
        def registering(self, *args, **kwargs):
            _, *arguments = signature.bind(self, *args, **kwargs).arguments.values()
            init(self, *args, **kwargs)
            if attrs is not None:
                names = [attrs] if isinstance(attrs, str) else attrs
                arguments = [getattr(self, name) for name in names if hasattr(self, name)]
            self.cell_init_args = f"{prefix}{type(self).__name__}{arguments}"

        return registering

    return decorate if fn is None else decorate(fn)
