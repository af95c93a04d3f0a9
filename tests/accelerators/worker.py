"""A process that compiles for one kind of device: ``python -m tests.accelerators.worker {h100,v5e}``.

It reads lists of subjects from standard input, compiles one program of each, and answers with one JSON object: what the
program calls and needs, or why it failed.
"""

import collections
import contextlib
import json
import re
import sys

import jax

from msgrad.engine import errors
from msgrad.engine.execution.executables import Executable
from msgrad.engine.lowering import tpu_lowering
from msgrad.ops.attention import kernels

from . import subjects
from .target import KINDS, sharding

NAMES = ("__cudnn$fmha", "tpu_custom_call")  # cuDNN's attention, Pallas' kernels
_PRECISION = re.compile(r"operand_precision=\{(\w+),")
_COLLECTIVE = re.compile(r"\b(all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute)(?:-start)?\(")


def traced(subject, where):
    """A subject's executable, traced, and its operands; ``where`` is the sharding of those that have none."""
    leaves, tree = jax.tree.flatten(subject.arguments)
    overwritten = len(jax.tree.leaves(subject.arguments[0])) if subject.is_step else 0
    shardings = subject.shardings or [where] * len(leaves)
    operands = [
        jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=each)
        for leaf, each in zip(leaves, shardings, strict=True)
    ]

    def flat(*leaves):
        return jax.tree.leaves(subject.function(*jax.tree.unflatten(tree, leaves)))

    executable = Executable(flat, (), tuple(range(overwritten)))
    jaxpr = executable.jitted().trace(*operands).jaxpr.jaxpr
    if tpu_lowering.is_current():
        tpu_lowering.check(jaxpr)  # as msgrad does before it compiles
    return executable, operands


def compiled(parts):
    """One program of all parts, which `traced` gave."""
    if len(parts) == 1:
        ((executable, operands),) = parts
    else:
        executables, operands = zip(*parts, strict=True)
        calls = [executable.jitted() for executable in executables]
        executable = Executable(lambda *lists: [call(*each) for call, each in zip(calls, lists, strict=True)], ())
    return executable.retried(lambda *operands: executable.jitted().trace(*operands).lower().compile(), *operands)


def described(executable):
    text, memory = executable.as_text(), executable.memory_analysis()
    return {
        "kernels": [name for name in NAMES if name in text],
        "precisions": sorted(set(_PRECISION.findall(text))),
        "collectives": collections.Counter(_COLLECTIVE.findall(text)),
        "arguments": memory.argument_size_in_bytes,
        "temporaries": memory.temp_size_in_bytes,
    }


def answer(names, where):
    """What the program of these subjects calls and needs, and under ``refused`` those that msgrad keeps out of it.

    Under ``error`` why the compiler refuses the program.
    """
    parts, refused = [], {}
    for name in names:
        try:
            subject = subjects.make(name)
            with subject.options():
                parts.append(traced(subject, where))
        except Exception as error:
            refused[name] = _text(error)
    if not parts:
        return {"refused": refused}
    try:
        with subject.options():  # which are those of all subjects in one program
            return {"refused": refused} | described(compiled(parts))
    except Exception as error:
        restated = errors.of_device(error) if isinstance(error, jax.errors.JaxRuntimeError) else error
        return {"refused": refused, "error": _text(restated)}


def _text(error):
    return f"{type(error).__name__}: {error}"[:500]


def main(kind):
    where = sharding(kind)
    # As if this process had the device: so each operation has the formulation that it has there.
    jax.default_backend = lambda: {"cuda": "gpu"}.get(KINDS[kind], KINDS[kind])
    kernels.platforms = lambda: (KINDS[kind],)
    tpu_lowering.is_current = lambda: KINDS[kind] == "tpu"
    out = sys.stdout
    for line in sys.stdin:
        with contextlib.redirect_stdout(sys.stderr):
            found = answer(json.loads(line), where)
        out.write(json.dumps(found) + "\n")
        out.flush()


if __name__ == "__main__":
    main(sys.argv[1])
