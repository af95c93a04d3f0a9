"""Products and convolutions say their precision: MindSpore's defaults, the program's choice, or the user's of JAX."""

import re

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.engine import precision
from msgrad.engine.execution.execute import report

A, IMAGE, KERNEL = np.ones((4, 4), np.float32), np.ones((1, 4, 6, 6), np.float32), np.ones((4, 4, 3, 3), np.float32)
OPERATIONS = {
    "product": lambda x: ops.matmul(x, Tensor(A)),
    "convolution": lambda x: ops.conv2d(Tensor(IMAGE) * x[0, 0], Tensor(KERNEL)),
    "recurrence": lambda x: nn.GRU(4, 4)(x[None])[0],
}


@pytest.fixture(params=["gpu", "tpu"])
def platform(request, monkeypatch):
    """Products and convolutions say what they would say there; nothing is launched, for a CPU ignores it."""
    monkeypatch.setattr(precision, "_platform", lambda: request.param)
    monkeypatch.setattr(precision.Chosen, "always", None)
    monkeypatch.setattr(precision.Chosen, "gpu", precision.DEFAULT)
    monkeypatch.setattr(precision.Chosen, "other", precision.DEFAULT)
    return request.param


def said(name, gradient=True):
    """The precisions in the program of an operation, and of its gradient, as XLA gets it."""
    fn = OPERATIONS[name]
    if gradient:
        fn = ms.grad(lambda x: (OPERATIONS[name](x) ** 2).sum())
    text = jax.jit(fn).lower(Tensor(A)).as_text()
    found = re.findall(r"stablehlo\.(?:dot_general|convolution)\b.*", text)
    assert found
    names = {tuple(re.findall(r"DEFAULT|HIGHEST|HIGH", line)) for line in found}
    return {each[0] if each else "DEFAULT" for each in names}


def allow(platform, what, is_allowed):
    room = ms.device_context.gpu if platform == "gpu" else ms.device_context.ascend
    getattr(room, f"{what}_allow_{'tf' if platform == 'gpu' else 'hf'}32")(is_allowed)


@pytest.mark.parametrize("gradient", [False, True])
def test_defaults_are_those_of_mindspore(platform, gradient):
    assert said("product", gradient) == said("recurrence", gradient) == {"HIGHEST"}
    assert said("convolution", gradient) == {"HIGH"}


def test_the_program_chooses_at_any_time(platform):
    allow(platform, "matmul", True)
    allow(platform, "conv", False)
    assert said("product") == said("recurrence") == {"HIGH"} and said("convolution") == {"HIGHEST"}
    allow(platform, "matmul", False)
    assert said("product") == {"HIGHEST"}
    allow("gpu" if platform == "tpu" else "tpu", "matmul", True)  # of other devices
    assert said("product") == {"HIGHEST"}


def test_gpu_config(platform):
    ms.set_context(gpu_config={"matmul_allow_tf32": True, "conv_allow_tf32": False})
    expected = ({"HIGH"}, {"HIGHEST"}) if platform == "gpu" else ({"HIGHEST"}, {"HIGH"})
    assert (said("product"), said("convolution")) == expected


def test_a_context_of_the_users_wins(platform):
    for name, expected in (("bfloat16", "DEFAULT"), ("tensorfloat32", "HIGH"), ("float32", "HIGHEST")):
        with jax.default_matmul_precision(name):
            assert said("product") == said("convolution") == {expected}
    assert said("convolution") == {"HIGH"}


def test_programs_are_told_apart_by_it(platform, mode):
    fn = ms.jit(lambda x: ops.matmul(x, x)) if mode == "GRAPH_MODE" else lambda x: ops.matmul(x, x)
    gradient = ms.grad(lambda x: ops.matmul(x, x).sum())
    x, counts = Tensor(np.ones((5, 5) if platform == "gpu" else (6, 6), np.float32)), []
    for is_allowed in (False, True, False, True):
        allow(platform, "matmul", is_allowed)
        fn(x), gradient(x)
        counts.append(report()["programs compiled"] + report()["operations compiled"])
    first, second, third, last = counts
    assert first < second == third == last


def test_a_cpu_says_the_same_whatever_is_chosen():
    x = Tensor(np.ones((3, 3), np.float32))
    ops.matmul(x, x)
    before = report()["operations compiled"]
    with jax.default_matmul_precision("bfloat16"):
        ops.matmul(x, x)
    chosen = precision.Chosen.gpu
    try:
        allow("gpu", "matmul", True)
        ops.matmul(x, x)
    finally:
        precision.Chosen.gpu = chosen
    assert report()["operations compiled"] == before


def test_the_environment_chooses(monkeypatch):
    for text, expected in (("", precision.DEFAULT), ("HIGH", ("high", "high")), ("default", ("default", "default"))):
        monkeypatch.setenv("MSGRAD_PRECISION", text)
        assert precision._initial() == expected
    monkeypatch.setenv("MSGRAD_PRECISION", "exact")
    with pytest.warns(RuntimeWarning, match="MSGRAD_PRECISION must be 'highest', 'high' or 'default', but is 'exact'"):
        assert precision._initial() == precision.DEFAULT


def test_exact_products_are_left_to_cublas_on_a_gpu(platform):
    avals = [((2, 2), np.dtype(name)) for name in ("float32", "float16", "float64")]
    expected = {"xla_gpu_enable_triton_gemm": False} if platform == "gpu" else None
    assert precision.compiler_options(precision.DEFAULT, avals[::2]) == expected
    assert precision.compiler_options(precision.DEFAULT, avals) is None  # mixed precision
    assert precision.compiler_options(precision.Precision("high", "high"), avals[:1]) is None


def test_other_values_are_refused():
    for wrong in (1, "x", None):
        with pytest.raises(TypeError, match="For 'matmul_allow_tf32', the 'value' must be a bool"):
            ms.device_context.gpu.matmul_allow_tf32(wrong)
    for wrong in (2, "x", None):
        with pytest.raises(ValueError, match="For 'matmul_allow_hf32', the 'value' must be True or False"):
            ms.device_context.ascend.matmul_allow_hf32(wrong)
