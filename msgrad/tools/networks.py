"""Networks that a command names, as ``package.module:Net`` or ``file.py:make(depth=18)``."""

import ast
import importlib
import importlib.util
import os
import sys
from typing import Any

from ..alias import install
from ..nn.cell import Cell

_MSG_FORM = "a network is written MODULE:NAME or FILE.py:NAME, with literal arguments in parentheses: '{}'"
_MSG_MODULE = "the module of '{}' cannot be imported: {}"
_MSG_NAME = "'{}' has no name '{}'"
_MSG_KIND = "'{}' gives {}, not a Cell"


class NoNetworkError(ValueError):
    """A text names no network."""


def network(text):
    """The Cell that a text names; ``import mindspore`` in its module gives msgrad.

    Args:
        text (str): a module or file, a colon, and a Cell, or a class or function that gives one; arguments are Python
            literals.
    Raises:
        NoNetworkError: if there is no such network.  Exception: what its module or its constructor raises.
    Example:
        >>> network("msgrad.nn:Dense(2, out_channels=3)").weight.shape
        (3, 2)
    """
    module, _, call = text.partition(":")
    name, args, kwargs = _call(text, call)
    owner: Any = _module(text, module)
    for part in name.split("."):
        if not hasattr(owner, part):
            raise NoNetworkError(_MSG_NAME.format(module, name))
        owner = getattr(owner, part)
    net = owner if isinstance(owner, Cell) else owner(*args, **kwargs)
    if not isinstance(net, Cell):
        raise NoNetworkError(_MSG_KIND.format(text, f"a {type(net).__name__}"))
    return net


def _call(text, call):
    """The name and the arguments of ``Net`` or ``Net(1, x=2)``."""
    try:
        node = ast.parse(call, mode="eval").body
        args, kwargs = [], {}
        if isinstance(node, ast.Call):
            args = [ast.literal_eval(each) for each in node.args]
            kwargs = {each.arg: ast.literal_eval(each.value) for each in node.keywords}
            node = node.func
        names = ast.unparse(node)
        if not all(part.isidentifier() for part in names.split(".")) or None in kwargs:
            raise ValueError
    except (SyntaxError, ValueError, TypeError, RecursionError):
        raise NoNetworkError(_MSG_FORM.format(text)) from None
    return names, args, kwargs


def _module(text, module):
    install()
    folder = os.getcwd() if not module.endswith(".py") else os.path.dirname(os.path.abspath(module))
    if not sys.flags.safe_path and folder not in sys.path:
        sys.path.insert(0, folder)
    name = os.path.basename(module).removesuffix(".py") if module.endswith(".py") else module
    if not name or module.endswith(".py") and not os.path.isfile(module):
        raise NoNetworkError(_MSG_FORM.format(text) if not name else _MSG_MODULE.format(text, "there is no such file"))
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise NoNetworkError(_MSG_MODULE.format(text, error)) from None
