"""``mindspore.multiprocessing``: Python's ``multiprocessing``.

A process that is forked after JAX has computed something may hang, so choose ``set_start_method("spawn")`` where
children compute as well. Tensors travel by pickle.
"""

from multiprocessing import *  # noqa: F403
from multiprocessing import __all__  # noqa: F401
