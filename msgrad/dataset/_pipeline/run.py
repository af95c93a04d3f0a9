"""One run of a pipeline: its seed, and what it has to close at its end."""

import contextlib
import os

from .. import config
from .draws import Draws, mixed


class Run:
    """What the nodes of one running pipeline share.

    Attributes:
        closing (contextlib.ExitStack): what ends with the run, such as worker processes.
        epoch (int): the number of the epoch that is read, from 0 on; repetitions within it do not count.
        rows_of_batch (int): how many rows become one further up, for the node that is opened.
    """

    def __init__(self):
        self._seed = config.chosen_seed()
        self._chance = int.from_bytes(os.urandom(8), "little")
        self._count = 0
        self.closing = contextlib.ExitStack()
        self.epoch = 0
        self.rows_of_batch = 1

    @contextlib.contextmanager
    def batched(self, count):
        """Within it nodes are opened of whose rows ``count`` become one."""
        before, self.rows_of_batch = self.rows_of_batch, self.rows_of_batch * count
        try:
            yield
        finally:
            self.rows_of_batch = before

    def key(self, name):
        """The key (int) of a node's random numbers.

        With a seed it depends on ``name`` (str) alone, so that two datasets of one length are shuffled alike: programs
        zip images with their masks. Without, each node draws for itself.
        """
        if self._seed is not None:
            return mixed(self._seed, name)
        self._count += 1
        return mixed(self._chance, self._count)

    def epochs(self, name, is_shared=False):
        """Yields one `Draws` for each epoch of a node, without end.

        Args:
            name (str): as for `key`.
            is_shared (bool): whether several processes have to draw the same, seed or none. Default: ``False``.
        """
        key, epoch = mixed(config.get_seed(), name) if is_shared else self.key(name), 0
        while True:
            yield Draws(mixed(key, epoch))
            epoch += 1
