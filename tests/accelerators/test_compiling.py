"""Every row of operations and layers, its gradient, and training steps of networks compile for an accelerator.

Rows are compiled many at a time, as one program; where that fails, its halves tell which of them it is. ``-m sample``
compiles some rows alone, which takes a minute.
"""

import importlib.util

import pytest

from .target import KINDS, PACKAGES

if not any(map(importlib.util.find_spec, PACKAGES.values())):
    pytest.skip("neither the extra `accelerators` nor `tpu` is installed", allow_module_level=True)

from .. import layer_cases, op_cases
from . import memory, networks, padded, parallel, subjects

INSTALLED = [kind for kind in KINDS if importlib.util.find_spec(PACKAGES[kind])]
pytestmark = [pytest.mark.accelerators, pytest.mark.parametrize("compiler", INSTALLED, indirect=True)]
SAMPLED = 30  # every so many rows are in the sample
TOGETHER = 40  # rows of one program
# Rows of which a TPU has no form in float64: msgrad says so.
REFUSED_BY_TPU = {"singular_values", "fft", "sp_dct", "sp_idct", "nextafter"}


def forms_of(case):
    """What is compiled of a row of operations: see `subjects`."""
    orders = ["forward", "gradient"] if case.order else ["forward"]
    dtypes = [f"forward.{dtype}" for dtype in case.dtypes]
    return orders + dtypes + ([f"{order}.bfloat16" for order in orders] if "float16" in case.dtypes else [])


def operations(cases):
    """The subjects that rows of operations are, each with the platforms that have a formulation of it."""
    pairs = [(case, form) for case in cases if not case.looks for form in forms_of(case)]
    return [(f"operation {case.name} {form}", case.platforms) for case, form in pairs]


def layers(cases):
    pairs = [(case, form) for case in cases if case.spec for form in ("forward", "gradient")]
    return [(f"layer {case.name} {form}", tuple(KINDS.values())) for case, form in pairs]


def programs(tables):
    """A test for each program: of the subjects of a table, as many as it has together."""
    parts = {
        f"{table}-{start // TOGETHER}": rows[start : start + TOGETHER]
        for table, rows in tables.items()
        for start in range(0, len(rows), TOGETHER)
    }
    return pytest.mark.parametrize("rows", parts.values(), ids=parts)


def is_refused(name, why):
    """Whether msgrad is right to refuse a row: it takes no bfloat16, or a TPU has no form of it in float64."""
    if name.endswith("bfloat16"):
        return why.startswith("TypeError: For '")
    return name.endswith("float64") and name.split()[1] in REFUSED_BY_TPU and "', a TPU has no " in why


def check(rows, compiler):
    """Compiles the rows that have a formulation for this device; an error names those that fail."""
    names = [name for name, platforms in rows if KINDS[compiler.kind] in platforms]
    complaints = compiler.complaints(names, limit=3600)  # Bessel functions in float64 take a TPU minutes
    wrong = [f"{name}: {why}" for name, why in complaints.items() if not is_refused(name, why)]
    assert not wrong, "\n".join(wrong)


OPERATIONS = {name: operations(table) for name, table in op_cases.TABLES.items()}
LAYERS = {name: layers(table) for name, table in layer_cases.TABLES.items()}
ALL = [row for tables in (OPERATIONS, LAYERS) for rows in tables.values() for row in rows]


@programs(OPERATIONS)
def test_operations(rows, compiler):
    check(rows, compiler)


@programs(LAYERS)
def test_layers(rows, compiler):
    check(rows, compiler)


@programs({"padded": padded.ROWS})
def test_programs_of_many_sizes(rows, compiler):
    check(rows, compiler)


@pytest.mark.sample
@programs({"rows": ALL[::SAMPLED]})
def test_sample(rows, compiler):
    check(rows, compiler)


@pytest.mark.parametrize("precision", ["float32", "bf16"])
@pytest.mark.parametrize("name", networks.NETWORKS)
def test_training_step(name, precision, compiler):
    compiler.program(f"network {name} {precision}")


@pytest.mark.parametrize("name", subjects.ATTENTION)
def test_attention_is_a_kernel(name, compiler):
    kernel = {"h100": ["__cudnn$fmha"], "v5e": ["tpu_custom_call"] if name == "operation" else []}[compiler.kind]
    assert compiler.program(f"attention {name} gradient")["kernels"] == kernel


@pytest.mark.parametrize(("name", "precision"), [("matmul", "highest"), ("conv2d", "high")])
def test_float32_has_the_precision_of_mindspore(name, precision, compiler):
    assert compiler.program(f"operation {name} gradient")["precisions"] == [precision]


@pytest.mark.parametrize("name", subjects.COMPLEX)
def test_transposed_result_of_complex128(name, compiler):
    complaints = compiler.complaints([f"complex128 {name} forward"])
    if compiler.kind == "v5e" and name == "whole":
        (said,) = complaints.values()
        assert "no memory layout for a result of complex128" in said
    else:
        assert not complaints


@pytest.mark.parametrize("name", memory.WORKS)
def test_a_training_step_needs_no_more_memory_than_jax_by_hand(name, compiler):
    needed = [compiler.program(f"memory {name} {version}", limit=900) for version in ("msgrad", "jax")]
    ours, theirs = [each["arguments"] + each["temporaries"] for each in needed]
    assert ours <= 1.05 * theirs
    if compiler.kind == "h100" and name in ("gpt2", "bert"):  # as users write them
        assert needed[0]["kernels"] == ["__cudnn$fmha"]


@pytest.mark.parametrize(("version", "most"), [("full-size", 4096), ("dropout", 1200)])
def test_gpt2_holds_the_weights_of_attention_of_no_layer(version, most, compiler):
    """In MiB: with all weights 10 188 in full size; 1 918 with dropout, two layers and fewer words."""
    if compiler.kind == "v5e":
        pytest.skip("up to 2 048 positions a TPU holds them, where a mask is added")
    needed = compiler.program(f"memory gpt2 {version}", limit=900)
    assert needed["temporaries"] <= most * 2**20
    assert needed["kernels"] == (["__cudnn$fmha"] if version == "full-size" else [])


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
    found = set(compiler.program(f"parallel {name} {compiler.kind}")["collectives"])
    scattered = {"reduce-scatter"} if compiler.kind == "h100" and name in ("optimizer", "parameters") else set()
    assert found == COLLECTIVES[name] | scattered
