"""The programs of a generation whose cache grows, compiled for a device that is not here.

``python -m tests.accelerators.generation {h100,v5e} [tokens]`` says how long they take over the program of one length.
"""

import importlib
import os
import sys

import jax

import msgrad.alias
from msgrad.engine.jax_options import Tracing
from msgrad.engine.lowering import tpu_lowering

from ..benchmarks.lengths.rows import Sizes, text, weights
from .padded import compiled_by
from .target import KINDS, environment, sharding

SIZES = Sizes(layers=4, width=256, heads=8, words=1000, places=128)
PROMPT, TOKENS = 8, 64


def programs(tokens=TOKENS):
    """What is compiled where each length is new, and a CPU plays the accelerator: (`Executable`, operands) in order."""
    msgrad.alias.install()
    model = importlib.import_module("tests.benchmarks.lengths.mindspore_model")
    net = model.Transformer(SIZES, weights(SIZES))
    return compiled_by(lambda: net.generate(text(SIZES, PROMPT)[:, :-1].copy(), tokens, "growing"))


def compiled_seconds(executable, operands, where):
    """The processor seconds of compiling it for a device with this sharding, those of the assembler included."""
    specs = jax.tree.map(lambda array: jax.ShapeDtypeStruct(array.shape, array.dtype, sharding=where), operands)
    begun = sum(os.times()[:4])
    with Tracing():
        executable.retried(lambda *specs: executable.jitted().trace(*specs).lower().compile(), *specs)
    return sum(os.times()[:4]) - begun


def main(kind, tokens=TOKENS):
    where = sharding(kind)
    tpu_lowering.is_current = lambda: KINDS[kind] == "tpu"
    seconds, large = 0.0, []  # of all, and of those of more than one operation: the prompt's, and one for each length
    for executable, operands in programs(int(tokens)):
        each = compiled_seconds(executable, operands, where)
        seconds += each
        large += [each] if executable.operations else []
        print(f"{each:6.2f} s  {executable.owner}, {executable.operations or 1} operations", flush=True)
    print(f"{tokens} lengths take {len(large)} programs, and {seconds:.1f} s of compiling for {kind} in all")
    print(f"the program of one length takes {large[1]:.1f} s: all take {seconds / large[1]:.1f} times as long")


if __name__ == "__main__":
    if "MSGRAD_CACHE" not in os.environ:  # the compilers read the others when they are loaded
        os.execve(sys.executable, [sys.executable, "-m", __spec__.name, *sys.argv[1:]], environment(sys.argv[1]))
    main(*sys.argv[1:])
