"""A part: a MindSpore program in this process, from its first line: ``... .cold PROGRAM``.

The imports of MindSpore's names and JAX's connection to the device are not counted.
"""

import contextlib
import pathlib
import runpy
import sys
import time

from .turns import device, say

PROGRAMS = {
    "lenet": "LeNet, one gradient and step of Momentum",
    "decoding": "14 tokens by plain classes, the sequence grows",
    "operations": "eight operations at 40 new shapes each",
}
HERE = pathlib.Path(__file__).parent
FOLDERS = {"decoding": HERE}  # the others are programs of `tests.benchmarks.cold`


def main(program):
    import msgrad.alias

    msgrad.alias.install()
    import mindspore

    mindspore.Tensor([1.0]).asnumpy()
    name = device()
    start = time.perf_counter()
    with contextlib.redirect_stdout(sys.stderr):
        runpy.run_path(str(FOLDERS.get(program, HERE.parent / "cold") / f"{program}.py"), run_name="__main__")
    say(program=time.perf_counter() - start, device=name)


if __name__ == "__main__":
    main(*sys.argv[1:])
