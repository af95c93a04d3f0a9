"""Queries of the parameter server mode, which is not supported: every answer is False."""

import sys

from .._common.auto_parallel import get_ps_context as _get_ps_context  # noqa: F401
from .._common.auto_parallel import reset_ps_context as _reset_ps_context  # noqa: F401
from .._common.auto_parallel import set_ps_context as _set_ps_context  # noqa: F401
from ..ops.legacy.left_out import leave_out


def _no():
    """False."""
    return False


_is_role_pserver = _is_role_sched = _is_role_worker = _is_ps_mode = _no


_CACHE = ("it sets up a cache of a parameter server", "Keep a Parameter of all rows, and read them with ops.gather.")
leave_out(
    sys.modules[__name__],
    "parallel._ps_context",
    [
        ("_insert_hash_table_size(name, cache_vocab_size, embedding_size, vocab_size, param_key=-1)", _CACHE),
        ("_set_cache_enable(cache_enable)", _CACHE),
        ("_set_cache_size(cache_size)", _CACHE),
        ("_set_sparse_format(sparse_format)", _CACHE),
    ],
)
