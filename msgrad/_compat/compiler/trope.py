"""``mindspore._extends.parse.trope``: Python's operators as functions, for MindSpore's parser."""

import builtins
from operator import (  # noqa: F401
    add,
    and_,
    contains,
    delitem,
    eq,
    floordiv,
    ge,
    getitem,
    gt,
    inv,
    invert,
    is_,
    is_not,
    le,
    lshift,
    lt,
    matmul,
    mod,
    mul,
    ne,
    neg,
    not_,
    or_,
    pos,
    rshift,
    setitem,
    sub,
    truediv,
    truth,
    xor,
)

bool, getattr, setattr, len, iter, next, pow, range = (
    builtins.bool,
    builtins.getattr,
    builtins.setattr,
    builtins.len,
    builtins.iter,
    builtins.next,
    builtins.pow,
    builtins.range,
)


def not_contains(collection, item):
    """Whether ``item`` is not in ``collection``."""
    return item not in collection
