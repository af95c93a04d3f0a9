"""``mindspore.train.amp``: the steps of `auto_mixed_precision`, which libraries call separately."""

import sys
from typing import Any

from ...amp.mixed_precision import _lower_but, _lower_listed, _OutputTo16, _OutputTo32  # noqa: F401
from ...ops.legacy.left_out import leave_out


def _auto_black_list(network, black_list, dtype):
    """Lowers a network (Cell) to ``dtype`` in place, except the Cell classes (iterable of type) in ``black_list``.

    Returns:
        Cell, the network.
    """
    return _lower_but(network, tuple(black_list), dtype)


def _auto_mixed_precision_rewrite(network, dtype, *, white_list=None, black_list: Any = None):
    """Lowers a network (Cell) to ``dtype``: the classes in ``white_list``, or all but those in ``black_list``.

    Returns:
        Cell whose output is of float32.
    """
    if white_list is not None:
        return _lower_listed(network, tuple(white_list), dtype)
    return _OutputTo32(_lower_but(network, tuple(black_list), dtype))


_NODES = ("it casts nodes of a network that MindSpore's parser has read", "Use mindspore.amp.auto_mixed_precision.")
leave_out(
    sys.modules[__name__],
    "train.amp",
    [
        ("_insert_cast_for_operators(stree, dtype, force_cast, *, white_list=None, black_list=None)", _NODES),
        ("_insert_cast_for_operator(node, dtype)", _NODES),
        ("_remove_duplicated_cast(stree, dtype)", _NODES),
    ],
)
