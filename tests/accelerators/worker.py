"""A process that compiles for one kind of device: ``python -m tests.accelerators.worker {h100,v5e}``.

It reads names of subjects from standard input, and answers each with one JSON object: what the compiled program calls
and needs, or why it failed.
"""

import collections
import contextlib
import json
import re
import sys

from msgrad.engine import tpu_lowering
from msgrad.engine.execution.executables import Executable
from msgrad.ops.attention import kernels

from . import subjects
from .target import KINDS, sharding

NAMES = ("__cudnn$fmha", "tpu_custom_call")  # cuDNN's attention, Pallas' kernels
_COLLECTIVE = re.compile(r"\b(all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute)(?:-start)?\(")


def compiled(subject, where):
    """A subject's executable; ``where`` is the sharding of arguments that have none."""
    import jax

    leaves, tree = jax.tree.flatten(subject.arguments)
    shardings = subject.shardings or [where] * len(leaves)
    shapes = [
        jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=each)
        for leaf, each in zip(leaves, shardings, strict=True)
    ]
    overwritten = len(jax.tree.leaves(subject.arguments[0])) if subject.is_step else 0

    def flat(*leaves):
        return jax.tree.leaves(subject.function(*jax.tree.unflatten(tree, leaves)))

    executable = Executable(flat, (), tuple(range(overwritten)))

    def compile_(*shapes):
        traced = executable.jitted().trace(*shapes)
        if tpu_lowering.is_current():
            tpu_lowering.check(traced.jaxpr.jaxpr)  # as msgrad does before it compiles
        return traced.lower().compile()

    return executable.retried(compile_, *shapes)


def described(executable):
    text, memory = executable.as_text(), executable.memory_analysis()
    return {
        "kernels": [name for name in NAMES if name in text],
        "collectives": collections.Counter(_COLLECTIVE.findall(text)),
        "arguments": memory.argument_size_in_bytes,
        "temporaries": memory.temp_size_in_bytes,
    }


def main(kind):
    where = sharding(kind)
    kernels.platforms = lambda: (KINDS[kind],)  # as if this process had the device
    tpu_lowering.is_current = lambda: KINDS[kind] == "tpu"
    out = sys.stdout
    for line in sys.stdin:
        try:
            with contextlib.redirect_stdout(sys.stderr):
                answer = described(compiled(subjects.make(*line.split()), where))
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:500]}
        out.write(json.dumps(answer) + "\n")
        out.flush()


if __name__ == "__main__":
    main(sys.argv[1])
