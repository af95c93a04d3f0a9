"""The workloads. Each module has ``TITLE`` and functions that make one step, a function without arguments:

- ``mindspore_step()``: a MindSpore program, run as it is by MindSpore and by msgrad; its step returns Tensors;
- ``jax_step(compiled)``: the same as one would write it in JAX, with ``jax.jit`` or not; its step returns arrays;
- ``jax_forward_step()``: in place of it, the same without gradients, which JAX does not have for ``lax.while_loop``;
- ``torch_step()``, if it has one: the same in PyTorch.

All compute the same numbers in the same order, which the driver compares; the first result is awaited at each step.
A step whose attribute ``turns`` counts the turns of a loop is measured by these.
"""

import importlib

NAMES = (
    *("mlp_small", "mlp_medium", "training", "physics", "matmul_grad", "per_sample", "hessian"),
    *("lenet", "resnet18", "bert_tiny", "bert_dropout", "lstm"),
    *("lenet_epoch", "lenet_sink", "dense_epoch", "dense_sink"),
    *("single_ops", "large_training", "large_two_calls"),
    *("loop_10", "loop_100", "loop_400", "loop_1000", "loop_varied", "loop_second_10", "loop_second_100", "ode"),
)
MAKERS = {"jax.jit": "jax_step", "jax eager": "jax_step", "jax forward": "jax_forward_step", "torch": "torch_step"}


def load(name):
    """Returns the module of a workload."""
    return importlib.import_module(f"{__name__}.{name}")


def has(name):
    """Returns a function that says whether a workload has a version."""
    return lambda version: hasattr(load(name), MAKERS.get(version, "mindspore_step"))


def maker(version):
    """Returns a function of a workload's module that makes the step of a version."""
    name = MAKERS.get(version, "mindspore_step")
    arguments = {"compiled": version == "jax.jit"} if name == "jax_step" else {}
    return lambda workload: getattr(workload, name)(**arguments)
