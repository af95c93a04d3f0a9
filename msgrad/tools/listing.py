"""A recorded program for display: as a listing, a jaxpr or StableHLO, with XLA's cost estimate."""

import functools
import re

import jax

from ..engine.jax_options import Tracing, spec

_LOCATION = re.compile(r'^(#loc\d+) = loc\("([^"]*)".*\)$')
_REFERENCE = re.compile(r" loc\((#loc\d*|unknown|\"[^\"]*\")\)")
_ORIGIN = re.compile(r"[\w.]+\[[^\[\]()]*?:\d+\]")


class Listing:
    """A program and the compiled function that runs it.

    Args:
        program (Program): the recording.
        fn (function): the function that JAX compiles: the program itself, or a derivative of it.
        specs (tuple): shapes and dtypes of the arguments of ``fn``.
        names (list of str): the names of the program's leaves. Default: None.
    """

    def __init__(self, program, fn, specs, names=None):
        self.program = program
        self._fn = fn
        self._specs = specs
        self._names = names

    def __str__(self):
        return self.jaxpr_text()

    __repr__ = __str__

    @functools.cached_property
    def _traced(self):
        with Tracing():
            return self._fn.trace(*self._specs)

    @functools.cached_property
    def _compiled(self):
        with Tracing():
            return self._traced.lower().compile()

    @property
    def jaxpr(self):
        """The jaxpr that JAX traces, a ``ClosedJaxpr``."""
        return self._traced.jaxpr

    def listing(self):
        """The recorded operations, one per line, with the user's line."""
        lines = str(self.program).splitlines()
        for position, name in enumerate(self._names or ()):
            lines[position] += f"  # {name}"
        return _aligned(lines)

    def jaxpr_text(self):
        """The jaxpr; a comment on each equation names its operation and the user's line."""
        return self.jaxpr.jaxpr.pretty_print(name_stack=True)

    def stablehlo(self):
        """The program that XLA compiles, with the same comments."""
        with Tracing():
            lines = self._traced.lower().as_text(debug_info=True).splitlines()
        matches = [_LOCATION.match(line) for line in lines]
        locations = {match[1]: match[2] for match in matches if match is not None}
        lines_with_origins = []
        for line in lines:
            if line and not line.startswith("#loc"):
                reference = _REFERENCE.findall(line)
                origins = _ORIGIN.findall(locations.get(reference[-1], "")) if reference else []
                line = _REFERENCE.sub("", line)
                lines_with_origins.append(f"{line}  # {origins[-1]}" if origins else line)  # the innermost
        return _aligned(lines_with_origins).replace("  # ", "  // ")

    def cost(self):
        """XLA's cost analysis of the compiled program.

        Returns:
            dict: ``flops``, ``transcendentals``, ``bytes accessed``, and the bytes of ``arguments``, ``results`` and
            ``temporaries``; figures that a backend does not report are omitted.
        """
        counts = self._compiled.cost_analysis() or {}
        figures = {name: int(counts[name]) for name in ("flops", "transcendentals", "bytes accessed") if name in counts}
        memory = self._compiled.memory_analysis()
        if memory is not None:
            figures["arguments"] = memory.argument_size_in_bytes
            figures["results"] = memory.output_size_in_bytes
            figures["temporaries"] = memory.temp_size_in_bytes
        return figures


def of_launched(launched):
    """The `Listing` of a `Launched`."""
    return Listing(launched.program, launched.fn.jitted(), launched.specs)


def of_program(program, wanted, names):
    """The `Listing` of a Program that computes the values ``wanted``; ``names`` are those of its leaves."""
    specs = [spec(shape, dtype) for shape, dtype in program.leaves]

    def recorded(*leaves):
        return program.replay(leaves, wanted)

    return Listing(program, jax.jit(recorded), specs, names)


def _aligned(lines):
    """Lines with their comments aligned in one column."""
    parts = [line.partition("  # ") for line in lines]
    width = min(max((len(text) for text, mark, _ in parts if mark), default=0), 100)
    return "\n".join(f"{text:{width}}  # {comment}" if mark else text for text, mark, comment in parts)
