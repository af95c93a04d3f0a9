"""``mindspore.multiprocessing``: Python's own. Children that compute had better be started by ``spawn``."""

import multiprocessing
from multiprocessing import *  # noqa: F403

__all__ = list(multiprocessing.__all__)
