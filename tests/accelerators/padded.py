"""Programs that are padded to serve many sizes: of every rule of `engine.lengths`, and of networks."""

import jax
import numpy as np

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.engine import host
from msgrad.engine.execution.executables import Executable
from msgrad.engine.execution.tiers import Tiers
from msgrad.engine.jax_options import Tracing
from msgrad.engine.lengths.padding import make_padded
from msgrad.engine.lengths.template import shape_at

from ..engine.lengths.cases import BUCKET, CASES, template_of
from ..engine.lengths.programs import losses, training
from .training import Subject


def compiled_by(run):
    """What ``run()`` compiles where a CPU plays an accelerator: (`Executable`, operands) in order."""
    found, made, before = [], Executable.made, (host.is_cpu, Tiers.allowed)
    try:
        host.is_cpu, Tiers.allowed = lambda device: False, False
        Executable.made = lambda self, name, operands: found.append((self, operands)) or made(self, name, operands)
        run()
    finally:
        Executable.made, (host.is_cpu, Tiers.allowed) = made, before
    return found


def _ragged_training():
    """A decoder with attention and dropout, trained by Adam on texts of many lengths."""
    losses(training(), (10, 13, 12, 20))


def _squares():
    """A sum over as many elements as the square of a size."""
    run = ms.jit(lambda x: ops.exp((x + x.T).reshape(-1)).sum())
    for size in (20, 23, 29, 31):
        run(Tensor(np.ones((size, size), np.float32)))


def _pooling():
    """The gradient of max-pooling with strides."""
    pool = nn.MaxPool1d(2, 2)
    run = ms.jit(ms.grad(lambda x: (pool(x) ** 2).sum()))
    for size in (20, 24, 30, 34):
        run(Tensor(np.ones((1, 2, size), np.float32)))


RUNS = {"training": _ragged_training, "squares": _squares, "pooling": _pooling}
# The subjects, with their platforms: a TPU's compiler has the gradient of maxima over windows only where two axes have
# no windows, as batch and channels have none in pooling.
ROWS = [(f"padded {name} rule", ("cuda",) if name == "gradients of windows" else ("cuda", "tpu")) for name in CASES]
ROWS += [(f"padded {name} run", ("cuda", "tpu")) for name in RUNS]


def program(name, form):
    """A padded program: of a case of `tests.engine.lengths.cases`, or the last one that a run compiles."""
    if form == "run":
        executable, operands = [each for each in compiled_by(RUNS[name]) if each[0].key_parts[0] == "padded"][-1]
        return Subject(executable.fn, operands)
    with Tracing():
        template = template_of(*CASES[name])
        shapes = [(shape_at(aval.shape, (BUCKET,)), aval.dtype) for aval in template.arguments]
        operands = [jax.ShapeDtypeStruct(*each) for each in [((1,), np.int32), *shapes]]
    return Subject(make_padded(template, (BUCKET,)), operands)
