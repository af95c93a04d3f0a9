"""Programs that end in different ways, with the exit status and the output that Python gives them.

Most end while XLA still computes values that nothing refers to. `test_endings` runs those marked by ``True``;
``python -m tests.programs.endings [TIMES]`` runs all of them in each way, several times.
"""

import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
from concurrent import futures

from ..tuning import xla_flags

# Results are still being computed when the last line is reached: a network that XLA runs for the first time.
UNREAD = """
import atexit, gc, os, sys, threading, time
import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor, nn, ops

def unread(size=200):
    layers = [nn.SequentialCell(nn.Dense(256, 256), nn.GELU(), nn.LayerNorm((256,))) for _ in range(2)]
    return nn.SequentialCell(*layers)(ops.ones((8, size, 256))).shape

def rows(count=100):
    return ds.GeneratorDataset(lambda: ((np.full(4, i, np.float32),) for i in range(count)), ["x"], shuffle=False)
"""

# name, program, exit status, standard output, whether the suite runs it
PROGRAMS = [
    ("a result", "print(unread())", 0, "(8, 200, 256)\n", True),
    ("GRAPH_MODE", "ms.set_context(mode=ms.GRAPH_MODE)\nprint(unread())", 0, "(8, 200, 256)\n", False),
    ("jit", "f = ms.jit(lambda x: ops.gelu(x @ x) @ x)\nprint(f(ops.ones((70, 70))).shape)", 0, "(70, 70)\n", False),
    ("a large result", "print(unread(2000))", 0, "(8, 2000, 256)\n", False),
    ("several results", "for _ in range(40): unread(20)", 0, "", False),
    ("a gradient", "x = ops.ones((500, 500))\nms.grad(lambda x: ops.gelu(x @ x).sum())(x)\ndel x", 0, "", False),
    ("vmap", "print(ms.vmap(lambda x: x @ x)(ops.ones((4, 300, 300))).shape)", 0, "(4, 300, 300)\n", False),
    ("a kept result", "y = ops.ones((900, 900))\ny = y @ y @ y", 0, "", False),
    ("a step", """
        net = nn.Dense(500, 500)
        optimizer = nn.Adam(net.trainable_params())
        step = ms.value_and_grad(lambda x: net(x).sum(), None, optimizer.parameters)
        for _ in range(3):
            loss, grads = step(ops.ones((500, 500)))
            optimizer(grads)
        """, 0, "", False),
    ("an exception", "unread()\nraise ValueError('wrong')", 1, "", False),
    ("an exception in an operation", "unread()\nops.ones(2) + ops.ones(3)", 1, "", False),
    ("sys.exit", "unread()\nsys.exit()", 0, "", False),
    ("sys.exit of a number", "unread()\nsys.exit(3)", 3, "", True),
    ("sys.exit of a text", "unread()\nsys.exit('no')", 1, "", False),
    ("os._exit", "unread()\nos._exit(4)", 4, "", False),
    ("os.abort", "unread()\nos.abort()", -6, "", False),
    ("a thread", "threading.Thread(target=unread).start()", 0, "", True),
    ("an exception in a thread", "threading.Thread(target=lambda: unread() + 1).start()", 0, "", False),
    ("sys.exit in a thread", "threading.Thread(target=lambda: (unread(), sys.exit(5))).start()", 0, "", False),
    ("a daemon", "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\nunread()", 0, "", False),
    ("a computing daemon", """
        thread = threading.Thread(target=lambda: [unread(10) for _ in range(3)], daemon=True)
        thread.start()
        thread.join()
        """, 0, "", False),
    ("atexit", "atexit.register(lambda: print(unread()))", 0, "(8, 200, 256)\n", True),
    ("an exception in atexit", "atexit.register(lambda: unread() + 1)", 0, "", False),
    ("a finalizer", """
        class Last:
            def __del__(self):
                print('deleted')
        last = Last()
        last.itself = last
        unread()
        """, 0, "deleted\n", False),
    ("files", "open(os.devnull, 'w').write('x')\nprint('written', end='')\nunread()", 0, "written", False),
    ("a dataset", "for row in rows(): pass\nunread()", 0, "", False),
    ("an iterator left early", "print(next(rows(10**6).create_tuple_iterator())[0].sum())", 0, "0.0\n", False),
    ("workers left early", """
        data = rows(10**6).map(lambda x: x + 1, ["x"], num_parallel_workers=2).batch(2)
        print(next(data.create_tuple_iterator())[0].sum())
        unread()
        """, 0, "12.0\n", False),
    ("processes left early", """
        data = rows(10**4).map(lambda x: x + 1, ["x"], num_parallel_workers=2, python_multiprocessing=True)
        print(next(data.create_tuple_iterator())[0].sum())
        """, 0, "4.0\n", True),
    ("an exception in a dataset", "for row in rows().map(lambda x: x.no, ['x']): pass", 1, "", False),
    ("jax", "import jax\njax.jit(lambda x: jax.nn.gelu(x @ x))(jax.numpy.ones((900, 900)))", 0, "", False),
]  # fmt: skip
WAYS = {  # the command, and what the program begins with
    "msgrad run": (["-m", "msgrad", "run", "program.py"], ""),
    "msgrad run -m": (["-m", "msgrad", "run", "-m", "program"], ""),
    "msgrad.alias": (["program.py"], "import msgrad.alias; msgrad.alias.install()"),
    "import msgrad": (["program.py"], ""),
    "msgrad launch": (["-m", "msgrad", "launch", "--worker_num=2", "program.py"], ""),
}
WHOLE = os.environ | {"MSGRAD_TIERS": "off", "MSGRAD_QUIET": "1", "PYTHONUNBUFFERED": ""}


def ended(text, way, folder):
    """Runs a program in a folder of its own: its exit status, its standard output, and its errors."""
    arguments, first = WAYS[way]
    text = f"{first}\n{UNREAD}\n{textwrap.dedent(text)}\n"
    if way == "import msgrad":
        text = text.replace("mindspore", "msgrad")
    (folder / "program.py").write_text(text)
    flags = xla_flags()
    environment = WHOLE | ({} if flags is None else {"XLA_FLAGS": flags})
    ran = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    return ran.returncode, ran.stdout, ran.stderr


def main(times):
    """Runs all programs in each way, two at a time, and prints those that end otherwise."""

    def difference(case):
        (name, text, *expected, _), way, _ = case
        with tempfile.TemporaryDirectory() as folder:
            *result, errors = ended(text, way, pathlib.Path(folder))
        if way == "msgrad launch":  # which prints more, and ends with its own status
            result, expected = [result[0] == 0], [expected[0] == 0]
        return result != expected and f"{way}, {name}: {result}\n{errors[-500:]}"

    cases = list(itertools.product(PROGRAMS, WAYS, range(times)))
    with futures.ThreadPoolExecutor(2) as pool:
        differences = list(filter(None, pool.map(difference, cases)))
    print(*differences, f"{len(cases)} runs, {len(differences)} ended otherwise", sep="\n")


if __name__ == "__main__":
    main(int(*sys.argv[1:] or [1]))
