"""The role of this process among parameter servers: none, for there are none."""

from .._compat.parallel.auto_parallel import get_ps_context as _get_ps_context  # noqa: F401
from .._compat.parallel.auto_parallel import reset_ps_context as _reset_ps_context  # noqa: F401
from .._compat.parallel.auto_parallel import set_ps_context as _set_ps_context  # noqa: F401


def _no():
    """False."""
    return False


_is_role_pserver = _is_role_sched = _is_role_worker = _is_ps_mode = _no
