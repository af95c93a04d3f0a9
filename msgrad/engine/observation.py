"""Hooks for tools: an `Observer` is called at each launch, new program, recorded operation and host read.

One observer at a time. Without one, each hook tests whether ``observer`` is None, which takes 4 ns: a
single addition takes 5.5 us, and no difference to an engine without hooks was measured.
"""

observer = None


class Observer:
    """Base of observers: hooks that do nothing. As a context manager it receives the engine's calls."""

    def __enter__(self):
        global observer
        self._around, observer = observer, self
        return self

    def __exit__(self, *error):
        global observer
        observer = self._around

    def needed(self, site, program, detail):
        """A site needs a program that is not compiled; ``detail`` names the results wanted, or the transform."""

    def compiling(self, executable, replay):
        """Returns what is launched in place of ``executable``, made for the program of the last `needed`."""
        return executable

    def launching(self, op, static, fn, arrays):
        """Launches a single operation: returns ``fn(*arrays)``."""
        return fn(*arrays)

    def recorded(self, node, replayed):
        """An operation is recorded; ``replayed`` is the node that it copies, or None."""

    def host_read(self):
        """Python reads a value that is recorded but not yet computed."""

    def fetched(self, array):
        """Python asks for the values of a ``jax.Array``."""

    def initial(self, shape, dtype):
        """Returns the ``jax.Array`` of a Tensor that an Initializer would fill; None: it is filled."""

    def copying(self, array, copy, sharding=None):
        """Copies an array: returns ``copy(array)``.

        That is where a launch overwrites it though something else refers to it, or where it moves to a ``sharding``.
        """
        return copy(array)
