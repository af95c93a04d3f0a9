"""A process that compiles for one kind of device: ``python -m tests.accelerators.worker {h100,v5e}``.

It reads names of subjects from standard input, and answers each with one JSON object: ``{}``, or why it failed.
"""

import contextlib
import json
import sys

from . import subjects
from .target import sharding


def main(kind):
    where = sharding(kind)
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

                jax.jit(flat).lower(*shapes).compile()
            answer = {}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:500]}
        out.write(json.dumps(answer) + "\n")
        out.flush()


if __name__ == "__main__":
    main(sys.argv[1])
