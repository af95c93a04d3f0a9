"""Every row of operations and layers, its gradient, and training steps of networks compile for an accelerator."""

import importlib.util

import pytest

if not all(importlib.util.find_spec(package) for package in ("libtpu", "jax_cuda12_plugin")):
    pytest.skip("the extra `accelerators` is not installed", allow_module_level=True)

from .. import layer_cases, op_cases
from . import networks, subjects

pytestmark = pytest.mark.accelerators
PLATFORMS = {"h100": "cuda", "v5e": "tpu"}
OPERATIONS = [
    (case, form)
    for case in op_cases.CASES
    for form in ("forward", "gradient")
    if not case.looks and (case.order or form == "forward")
]
LAYERS = [case for case in layer_cases.CASES if case.spec]


def id_of(value):
    return getattr(value, "name", value)


@pytest.mark.parametrize(("case", "form"), OPERATIONS, ids=id_of)
def test_operation(case, form, compiler):
    if PLATFORMS[compiler.kind] not in case.platforms:
        pytest.skip("no formulation for this device")
    assert compiler.complaint("operation", case.name, form, limit=100) == ""


@pytest.mark.parametrize("form", ["forward", "gradient"])
@pytest.mark.parametrize("case", LAYERS, ids=id_of)
def test_layer(case, form, compiler):
    assert compiler.complaint("layer", case.name, form, limit=100) == ""


@pytest.mark.parametrize("precision", ["float32", "bf16"])
@pytest.mark.parametrize("name", networks.NETWORKS)
def test_training_step(name, precision, compiler):
    assert compiler.complaint("network", name, precision) == ""


@pytest.mark.parametrize("name", subjects.ATTENTION)
def test_attention_is_a_kernel(name, compiler):
    kernel = {"h100": ["__cudnn$fmha"], "v5e": ["tpu_custom_call"] if name == "operation" else []}[compiler.kind]
    assert compiler.answer("attention", name, "gradient") == {"kernels": kernel}
