"""Processor time of PYNATIVE_MODE's Python: ``python -m tests.benchmarks.recording``.

Training steps are *recorded*: their launches hand back arrays of zeros at once, so what is left is Python. Single
operations, chains of them and steps of an optimizer are also *run*, with the tiers that a user has, beside PyTorch's
(``--torch PYTHON``) and JAX's (``--jax``, operations alone). ``--before CHECKOUT`` adds another checkout of msgrad, in
turns. Each figure is the least of many steps: microseconds of the thread that records, and of all threads where
something is run.
"""

import argparse
import functools
import itertools
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).parents[2]
SHORTEST, STEPS = 0.5, 5  # seconds of a turn, and steps that it has at least
RATE, MOMENTUM = 0.01, 0.9
COUNTS = 1_000, 10_000  # of Parameters
NETWORKS = {  # the sizes of data cost Python nothing, so they are small
    "ResNet-50": ("resnet50", {"batch": 1, "side": 64, "blocks": (3, 4, 6, 3)}),
    "GPT-2": ("gpt2", {"batch": 1, "length": 128, "layers": 12, "width": 768, "heads": 12, "words": 50304}),
}
OPERATIONS = {  # single operations: as PyTorch and as JAX spell them, where that is otherwise; None: not at all
    "x + y": (),
    "x * 2.0": (),
    "x > 0": (),
    "x[0]": (),
    "x[1:3]": (),
    "x.sum(1)": (),
    "x.max()": (),
    "x.reshape(16, 8)": (),
    "ops.exp(x)": ("torch.exp(x)", "jnp.exp(x)"),
    "ops.relu(x)": ("torch.relu(x)", "jax.nn.relu(x)"),
    "ops.softmax(x, -1)": ("torch.softmax(x, -1)", "jax.nn.softmax(x, -1)"),
    "ops.matmul(x, z)": ("torch.matmul(x, z)", "jnp.matmul(x, z)"),
    "ops.stack((x, y))": ("torch.stack((x, y))", "jnp.stack((x, y))"),
    "ops.clamp(x, 0.0, 1.0)": ("torch.clamp(x, 0.0, 1.0)", "jnp.clip(x, 0.0, 1.0)"),
    "ops.arange(10)": ("torch.arange(10)", "jnp.arange(10)"),
    "x.mean()": (),
    "ops.sigmoid(x)": ("torch.sigmoid(x)", "jax.nn.sigmoid(x)"),
    "ops.layer_norm(x, (16,), x[0], x[1])": ("torch.nn.functional.layer_norm(x, (16,), x[0], x[1])", None),
    "ops.var(x, 1)": ("torch.var(x, 1)", "jnp.var(x, 1)"),
    "ops.cumsum(x, 0)": ("torch.cumsum(x, 0)", "jnp.cumsum(x, 0)"),
    "ops.split(x, 4)": ("torch.split(x, 4)", "jnp.split(x, 2)"),
    "x[indices]": (),
    "x[mask]": (),
    "x.__setitem__(indices, 0.0)": ("x.__setitem__(indices, 0.0)", None),
    "x.__setitem__((0, 1), 1.0)": ("x.__setitem__((0, 1), 1.0)", None),
    "x.__setitem__(0, y[0])": ("x.__setitem__(0, y[0])", None),
    "float(x[0, 0])": (),
    "(x + y).asnumpy()": ("(x + y).numpy()", "numpy.asarray(x + y)"),
    "Tensor(1.0)": ("torch.tensor(1.0)", "jnp.asarray(1.0)"),
    "x.shape": (),
    "float(chain(x, y, 1)[0, 0])": (),
    "float(chain(x, y, 10)[0, 0])": (),
    "float(chain(x, y, 100)[0, 0])": (),
}


# -- in a process of msgrad or of PyTorch -----------------------------------------------------------------------------


def training_step(name, precision):
    """A training step as a user writes it in PYNATIVE_MODE: the gradient, then the optimizer."""
    import importlib

    import mindspore as ms
    from mindspore import Tensor, nn

    file, sizes = NETWORKS[name]
    work = importlib.import_module(f"tests.benchmarks.accelerator.{file}")
    network, loss = work.mindspore_loss(sizes)
    network.set_train()
    if precision == "bf16":
        network = ms.amp.auto_mixed_precision(network, "O2", dtype=ms.bfloat16)
    optimizer = nn.Momentum(network.trainable_params(), RATE, MOMENTUM)
    gradient = ms.value_and_grad(lambda x, y: loss(network, x, y), None, optimizer.parameters)
    x, y = map(Tensor, work.data(sizes))
    return lambda: optimizer(gradient(x, y)[1])


def optimizer_step(count):
    """A step of Momentum over ``count`` Parameters of four elements."""
    import numpy as np
    from mindspore import Parameter, Tensor, nn

    values = np.ones(4, np.float32)
    optimizer = nn.Momentum([Parameter(Tensor(values), name=f"p{k}") for k in range(count)], RATE, MOMENTUM)
    gradients = tuple([Tensor(values) for _ in range(count)])
    return lambda: optimizer(gradients)


def operation(source):
    from mindspore import Tensor, ops

    return called(source, Tensor, ops=ops, Tensor=Tensor)


def called(source, tensor, **names):
    """A function that evaluates ``source``, an operation on 8 x 16 elements."""
    import numpy as np

    data = np.linspace(-1, 1, 128, dtype=np.float32).reshape(8, 16)
    names |= {"x": tensor(data), "y": tensor(data[::-1].copy()), "z": tensor(data.T.copy()), "chain": chain}
    names |= {"indices": tensor(np.array([0, 2, 5])), "mask": tensor(data > 0)}
    return eval(f"lambda: {source}", names)


def chain(x, y, count):
    """The sum of ``x`` and ``count`` times ``y``, one operation after the other."""
    for _ in range(count):
        x = x + y
    return x


def torch_optimizer_step(count):
    import torch

    parameters = [torch.ones(4, requires_grad=True) for _ in range(count)]
    for each in parameters:
        each.grad = torch.ones(4)
    return torch.optim.SGD(parameters, RATE, MOMENTUM).step


def torch_operation(source):
    import torch

    return called(source, torch.tensor, torch=torch)


def jax_operation(source):
    import jax
    import numpy

    return called(source, jax.numpy.asarray, jax=jax, jnp=jax.numpy, numpy=numpy)


def rows(version):
    """Functions that make the step of each row that a version has, by the row's name."""
    others = {"torch": (torch_optimizer_step, torch_operation), "jax": (None, jax_operation)}
    make_step, make_operation = others.get(version, (optimizer_step, operation))
    counts = COUNTS if make_step else ()
    made = {f"Momentum, {count} Parameters": functools.partial(make_step, count) for count in counts}
    for source, spelled in OPERATIONS.items():
        own = spelled[list(others).index(version)] if spelled and version in others else source
        if own is not None:
            made[source] = functools.partial(make_operation, own)
    if version == "recorded":
        for name, precision in itertools.product(NETWORKS, ("float32", "bf16")):
            made[f"{name}, {precision}"] = functools.partial(training_step, name, precision)
    return made


def launch_nothing():
    """Makes executables that hand back zeros; a donated array is handed back as what is written over it."""
    import jax
    import numpy as np

    from msgrad.engine import jax_options
    from msgrad.engine.execution import executables
    from msgrad.engine.host import to_device

    zeros = {}

    def zero(spec):
        key = tuple(spec.shape), np.dtype(spec.dtype)
        if key not in zeros:
            zeros[key] = to_device(np.zeros(*key))
        return zeros[key]

    class Nothing(executables.Executable):
        __slots__ = ()

        def _first(self):
            return self._made

        def _made(self, *operands):
            with jax_options.Tracing():
                shapes = jax.eval_shape(self.fn, *operands)
            results = jax.tree.map(zero, shapes)
            if self.donated:
                written = [output for _, output in self.key_parts[2]]  # as `donation.Overwriting` names it

                def run(donated, others):
                    each = list(results)
                    for output, array in zip(written, donated, strict=True):
                        each[output] = array
                    return each
            else:
                run = lambda *operands: results  # noqa: E731
            self.compiled = run
            return run(*operands)

    def make(fn, key_parts, donated=(), operations=0, plan=None, is_global=False):
        return Nothing(fn, key_parts, donated, operations)

    try:
        from msgrad import _upcalls
    except ImportError:  # a checkout of before there were upcalls
        executables.Kind.of_programs = staticmethod(make)
    else:
        _upcalls.fill(ProcessesExecutable=make)


def work(version):
    """Answers each name of a row with the seconds of its step."""
    if version in ("recorded", "run"):
        import msgrad.alias

        msgrad.alias.install()
        import mindspore as ms

        ms.set_context(mode=ms.PYNATIVE_MODE)
        if version == "recorded":
            launch_nothing()
    made, steps = rows(version), {}
    clock = time.thread_time if version == "recorded" else time.process_time
    for line in sys.stdin:
        name = line.rstrip("\n")
        if name not in made:
            print(json.dumps(None), flush=True)
            continue
        if name not in steps:
            steps = {name: made[name]()}  # one at a time, since garbage collection looks at what all of them keep
            for _ in range(STEPS):
                steps[name]()
        print(json.dumps(best(steps[name], clock)), flush=True)


def best(step, clock):
    """The least seconds of a step; of a short one, of the mean of 100."""
    least, count, turns, begun = math.inf, 1, 0, time.perf_counter()
    while time.perf_counter() - begun < SHORTEST or turns < STEPS:
        before = clock()
        for _ in range(count):
            step()
        least = min(least, (clock() - before) / count)
        count, turns = 100 if least < 1e-4 else 1, turns + 1
    return least


# -- in the process that compares them --------------------------------------------------------------------------------


def started(python, version, checkout=ROOT):
    environment = os.environ | {"PYTHONPATH": str(checkout), "MSGRAD_QUIET": "1", "OMP_WAIT_POLICY": "passive"}
    if version == "recorded":
        environment["MSGRAD_TIERS"] = "off"
    command = [python, os.path.abspath(__file__), "--worker", version]
    return subprocess.Popen(command, text=True, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def seconds(process, name):
    process.stdin.write(f"{name}\n")
    process.stdin.flush()
    for line in process.stdout:
        if re.match(r"\d|null", line):
            return json.loads(line)
    return None


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.recording", description=__doc__.partition(":")[0])
    parser.add_argument("--before", metavar="CHECKOUT", help="another checkout of msgrad, to be measured in turns")
    parser.add_argument("--torch", metavar="PYTHON", help="an interpreter that has PyTorch")
    parser.add_argument("--jax", action="store_true", help="measure operations of jax.numpy, too")
    parser.add_argument("--only", default="", help="a regular expression that the names of rows match")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each row (default: 3)")
    args = parser.parse_args()
    checkouts = {"now": ROOT} | ({"before": pathlib.Path(args.before).resolve()} if args.before else {})
    workers = {
        f"{version}, {when}": started(sys.executable, version, checkout)
        for version in ("recorded", "run")
        for when, checkout in checkouts.items()
    }
    if args.jax:
        workers["run, JAX"] = started(sys.executable, "jax")
    if args.torch:
        workers["run, torch"] = started(os.path.abspath(args.torch), "torch")
    print("| step | " + " | ".join(workers) + " |\n|---|" + "---:|" * len(workers), flush=True)
    for name in filter(re.compile(args.only).search, rows("recorded")):
        least = {}
        for _ in range(args.rounds):
            for title, process in workers.items():
                taken = seconds(process, name)
                if taken is not None:
                    least[title] = min(taken, least.get(title, taken))
        figures = [f"{1e6 * least[title]:.1f}" if title in least else "" for title in workers]
        print(f"| {name} | " + " | ".join(figures) + " |", flush=True)


if __name__ == "__main__":
    work(sys.argv[2]) if "--worker" in sys.argv else main()
