"""What a tool may observe: while it watches, the engine tells it of each launch, new program, operation and host read.

One observer at a time. Where there is none, each of these points asks whether ``observer`` is None, which takes 4 ns: a
single addition takes 5.5 us, and no difference to an engine without these points was measured.
"""

observer = None


class Observer:
    """The calls that an observer gets; each does nothing here. As a context manager it is the one that observes."""

    def __enter__(self):
        global observer
        self._around, observer = observer, self
        return self

    def __exit__(self, *error):
        global observer
        observer = self._around

    def needed(self, site, program, detail):
        """A site needs a program that is not compiled: ``detail`` says what of it, or which transform."""

    def compiling(self, executable, replay):
        """What is launched in place of ``executable``, which was made for the program that was needed last."""
        return executable

    def launching(self, op, static, fn, arrays):
        """The results of ``fn(*arrays)``: a single operation is launched."""
        return fn(*arrays)

    def recorded(self, node, replayed):
        """An operation is recorded; ``replayed`` is the node of which it is a copy, or None."""

    def host_read(self):
        """Python reads a value that is only recorded."""
