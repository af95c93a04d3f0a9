"""Every row of operations and layers, its gradient, and training steps of networks compile for an accelerator.

``-m sample`` compiles some rows alone, which takes a minute.
"""

import importlib.util

import pytest

from .target import KINDS, PACKAGES

if not any(map(importlib.util.find_spec, PACKAGES.values())):
    pytest.skip("neither the extra `accelerators` nor `tpu` is installed", allow_module_level=True)

from .. import layer_cases, op_cases
from . import memory, networks, parallel, subjects

INSTALLED = [kind for kind in KINDS if importlib.util.find_spec(PACKAGES[kind])]
pytestmark = [pytest.mark.accelerators, pytest.mark.parametrize("compiler", INSTALLED, indirect=True)]
SAMPLED = 30  # every so many rows are in the sample


def forms_of(case):
    """What is compiled of a row of operations: see `subjects`."""
    orders = ["forward", "gradient"] if case.order else ["forward"]
    dtypes = [f"forward.{dtype}" for dtype in case.dtypes]
    return orders + dtypes + ([f"{order}.bfloat16" for order in orders] if "float16" in case.dtypes else [])


def rows(pairs):
    """Parameters of tests, of which every `SAMPLED`-th is marked."""
    return [
        pytest.param(case, form, id=f"{case.name}-{form}", marks=() if k % SAMPLED else pytest.mark.sample)
        for k, (case, form) in enumerate(pairs)
    ]


OPERATIONS = rows([(case, form) for case in op_cases.CASES if not case.looks for form in forms_of(case)])
LAYERS = rows([(case, form) for case in layer_cases.CASES if case.spec for form in ("forward", "gradient")])


@pytest.mark.parametrize(("case", "form"), OPERATIONS)
def test_operation(case, form, compiler):
    if KINDS[compiler.kind] not in case.platforms:
        pytest.skip("no formulation for this device")
    complaint = compiler.complaint("operation", case.name, form, limit=100)
    if form.endswith("bfloat16") and complaint.startswith("TypeError: For '"):
        pytest.skip("the operation takes no bfloat16")
    assert complaint == ""


@pytest.mark.parametrize(("case", "form"), LAYERS)
def test_layer(case, form, compiler):
    assert compiler.complaint("layer", case.name, form, limit=100) == ""


@pytest.mark.parametrize("precision", ["float32", "bf16"])
@pytest.mark.parametrize("name", networks.NETWORKS)
def test_training_step(name, precision, compiler):
    assert compiler.complaint("network", name, precision) == ""


@pytest.mark.parametrize("name", subjects.ATTENTION)
def test_attention_is_a_kernel(name, compiler):
    kernel = {"h100": ["__cudnn$fmha"], "v5e": ["tpu_custom_call"] if name == "operation" else []}[compiler.kind]
    assert compiler.answer("attention", name, "gradient")["kernels"] == kernel


@pytest.mark.parametrize("name", memory.WORKS)
def test_a_training_step_needs_no_more_memory_than_jax_by_hand(name, compiler):
    needed = {version: compiler.answer("memory", name, version, limit=900) for version in ("msgrad", "jax")}
    ours, theirs = [each["arguments"] + each["temporaries"] for each in needed.values()]
    assert ours <= 1.05 * theirs


# Gradients are summed: all-reduced, or reduce-scattered where what they update is sharded, which TPUs do by all-reduces
# of small ones. What is sharded and needed whole is gathered.
COLLECTIVES = {
    "data": {"all-reduce"},
    "optimizer": {"all-reduce", "all-gather"},
    "parameters": {"all-reduce", "all-gather"},
    "semi-automatic": {"all-reduce", "all-gather"},
}


@pytest.mark.parametrize("name", parallel.CASES)
def test_four_devices_exchange_what_they_must(name, compiler):
    found = set(compiler.answer("parallel", name, compiler.kind)["collectives"])
    scattered = {"reduce-scatter"} if compiler.kind == "h100" and name in ("optimizer", "parameters") else set()
    assert found == COLLECTIVES[name] | scattered
