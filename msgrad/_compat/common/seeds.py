"""``mindspore.common.seed``: the pairs of seeds of MindSpore's random Primitives.

msgrad's random numbers come from one generator (`seed`); these functions are for programs that need a pair.
"""

from ..._common.seeding import get_seed

DEFAULT_GRAPH_SEED = 87654321
_WORD = 2**64


def _truncate_seed(seed):
    """An int below 2**64 - 1."""
    return seed % (_WORD - 1)


def _get_graph_seed(op_seed, kernel_name):
    """``(global seed, seed of the operation)``, 0 where neither was set."""
    return _truncate_seed(get_seed() or 0), _truncate_seed(op_seed or 0)


_get_seed = _get_graph_seed  # (``ops.function.random_func``)


def _set_prim_op_user_data(prim, key, value):
    """Stores an attribute in the Primitive; returns it.  (``ops.function.random_func``)"""
    return prim.add_prim_attr(key, value)
