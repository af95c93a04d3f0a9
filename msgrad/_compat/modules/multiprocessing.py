"""``mindspore.multiprocessing``: Python's ``multiprocessing``.

A process forked after JAX has computed something may hang, so use ``set_start_method("spawn")`` if child processes
compute. Tensors are sent by pickle.
"""

from multiprocessing import *  # noqa: F403
from multiprocessing import __all__  # noqa: F401
