"""One run of a pipeline: its seed, and the resources to close at its end."""

import contextlib
import itertools
import os

from .. import config
from .draws import Draws, mixed

_WORD = (1 << 32) - 1


class Run:
    """The state that the nodes of one running pipeline share.

    Attributes:
        seed (int | None): the seed of ``config.set_seed``.
        closing (Closing): closes what ends with the run, such as worker processes.
        epoch (int): the number of the current epoch, from 0; repetitions within it are not counted.
        rows_of_batch (int): how many rows of the node being opened become one row of its parents.
        batch_columns (dict): by node of ``map``, until it is opened, the memory of batches for its rows.
    """

    def __init__(self):
        self.seed = config.chosen_seed()
        self._chance = int.from_bytes(os.urandom(8), "little")
        self._count = 0
        self.closing = Closing()
        self.epoch = 0
        self.rows_of_batch = 1
        self.batch_columns = {}
        self._passes = 1
        self._streams = []

    @contextlib.contextmanager
    def batched(self, count):
        """A context for opening nodes whose rows are batched by ``count``."""
        before, self.rows_of_batch = self.rows_of_batch, self.rows_of_batch * count
        try:
            yield
        finally:
            self.rows_of_batch = before

    @contextlib.contextmanager
    def repeated(self, count):
        """A context for opening nodes that are read ``count`` times in each epoch."""
        before, self._passes = self._passes, self._passes * count
        try:
            yield
        finally:
            self._passes = before

    def skip_epochs(self, count):
        """Skips ``count`` epochs: the nodes' random numbers continue where they would be after them."""
        for stream, passes, skipped in self._streams:
            for draws in itertools.islice(stream, count * passes):
                skipped(draws)

    def key(self, name):
        """The key (int) of a node's random numbers.

        With a seed it depends only on ``name`` (str), so that two datasets of equal length are shuffled alike: programs
        zip images with their masks. Without a seed each node has its own key.
        """
        if self.seed is not None:
            return mixed(self.seed, name)
        self._count += 1
        return mixed(self._chance, self._count)

    def epochs(self, name, is_shared=False, skipped=lambda draws: None):
        """Yields a `Draws` for each time that a node is read, indefinitely.

        Args:
            name (str): as for `key`.
            is_shared (bool): whether all processes must draw the same numbers, even without a seed. Default: ``False``.
            skipped (callable): called with the `Draws` of each skipped epoch, to advance other states.
        Returns:
            iterator of Draws.
        """
        stream = _Epochs(mixed(config.get_seed(), name) if is_shared else self.key(name), self.seed)
        self._streams.append((stream, self._passes, skipped))
        return stream


class Closing:
    """Functions to call when a run is closed, the last one first; those that are added later are called at once.

    A thread that reads ahead may make workers after the reader has left.

    Attributes:
        is_closed (bool): whether the run is over.
    """

    def __init__(self):
        self.is_closed, self._functions = False, []

    def callback(self, function):
        """Adds a function."""
        self._functions.append(function)
        if self.is_closed:
            self.close()

    def close(self):
        """Calls the functions, each once, whichever threads close the run, and whenever."""
        self.is_closed = True
        while True:
            try:
                function = self._functions.pop()
            except IndexError:  # none is left, or another thread has taken it
                return
            function()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()


class _Epochs:
    """Yields a `Draws` for each epoch from ``epoch`` on, determined by ``key`` (int), seed and epoch."""

    def __init__(self, key, seed):
        self.key, self.seed, self.epoch = key, seed, 0

    def __iter__(self):
        return self

    def __next__(self):
        key, epoch = mixed(self.key, self.epoch), self.epoch
        self.epoch += 1
        if self.seed is not None:
            return Draws(key, epoch, self.seed)
        return Draws(key, epoch, mixed(self.key, "seed") & _WORD, key & _WORD)
