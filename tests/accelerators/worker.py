"""A process that compiles for one kind of device: ``python -m tests.accelerators.worker {h100,v5e}``.

It reads names of subjects from standard input, and answers each with one JSON object: the kernels that the compiled
program calls, or why it failed.
"""

import contextlib
import json
import sys

from msgrad.ops.attention import kernels

from . import subjects
from .target import KINDS, sharding

NAMES = ("__cudnn$fmha", "tpu_custom_call")  # cuDNN's attention, Pallas' kernels


def main(kind):
    where = sharding(kind)
    kernels.platforms = lambda: (KINDS[kind],)  # as if this process had the device
    import jax

    out = sys.stdout
    for line in sys.stdin:
        try:
            with contextlib.redirect_stdout(sys.stderr):
                function, arguments = subjects.make(*line.split())
                leaves, tree = jax.tree.flatten(arguments)
                shapes = [jax.ShapeDtypeStruct(each.shape, each.dtype, sharding=where) for each in leaves]

                def flat(*leaves, function=function, tree=tree):
                    return jax.tree.leaves(function(*jax.tree.unflatten(tree, leaves)))

                text = jax.jit(flat).lower(*shapes).compile().as_text()
            answer = {"kernels": [name for name in NAMES if name in text]}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:500]}
        out.write(json.dumps(answer) + "\n")
        out.flush()


if __name__ == "__main__":
    main(sys.argv[1])
