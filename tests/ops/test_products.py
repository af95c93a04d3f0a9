"""Products with transposed weights: the formulation on a CPU, by shape and dtype, and what it computes."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import mint, nn, ops
from msgrad.engine.fusion import Fusion
from msgrad.engine.recording.program import Step
from msgrad.ops.array import transposed_operands
from msgrad.ops.attention import kernel
from msgrad.ops.linalg.products import product, product_of_rows
from tests.helpers import ON_CPU, assert_close

pytestmark = pytest.mark.usefixtures("in_body")

RNG = np.random.default_rng(3)
CASES = [
    *[((1, 40), np.float32), ((40,), np.float64), ((1, 1, 40), np.float32)],  # by the rows of both
    *[((1, 40), jnp.bfloat16), ((2, 4, 40), jnp.bfloat16), ((1, 40), np.float16), ((9, 40), np.float16)],
    *[((2, 256), np.float32), ((4, 4, 256), np.float32)],  # with the operands exchanged
    *[((4, 40), np.float32), ((0, 40), np.float32), ((0, 40), jnp.bfloat16), ((1, 40), np.int32)],  # transposed
    *[((17, 256), np.float32), ((16, 255), np.float32)],
]
DIRECT = range(7)
TURNED = range(7, 9)


def operands(shape, dtype):
    return [jnp.asarray(RNG.normal(size=each) * 8, dtype) for each in (shape, (24, shape[-1]))]


def formulation(x, y):
    made = str(jax.make_jaxpr(lambda x, y: product_of_rows(x, y))(x, y))  # anew each time
    is_turned = "optimization_barrier" in made
    return is_turned or "transpose" not in made, is_turned


@ON_CPU
@pytest.mark.parametrize("case", range(len(CASES)), ids=lambda number: f"{CASES[number][0]}{CASES[number][1].__name__}")
def test_formulation(case):
    assert formulation(*operands(*CASES[case])) == (case in (*DIRECT, *TURNED), case in TURNED)


@pytest.mark.parametrize("case", range(len(CASES)), ids=lambda number: f"{CASES[number][0]}{CASES[number][1].__name__}")
@pytest.mark.parametrize("is_transposed", [True, False])
def test_values_and_gradients(case, is_transposed):
    """Half types are rounded once, after a sum in float32."""
    x, y = operands(*CASES[case])
    compute = product_of_rows if is_transposed else lambda x, y: product(x, y.T)
    if x.dtype == np.int32:
        np.testing.assert_array_equal(compute(x, y), np.asarray(x) @ np.asarray(y).T)
        return
    cotangent = jnp.asarray(RNG.normal(size=(*x.shape[:-1], 24)), x.dtype)
    exact, exact_pull = jax.vjp(lambda x, y: x @ y.T, x.astype(np.float64), y.astype(np.float64))
    mine, pull = jax.vjp(jax.jit(compute), x, y)
    exact = exact, *exact_pull(cotangent.astype(np.float64))
    for one, other in zip((mine, *pull(cotangent)), exact, strict=True):
        assert one.dtype == x.dtype
        rounding = 0 if x.dtype.itemsize > 2 else jnp.finfo(x.dtype).eps / 2
        summing = 1e-13 if x.dtype == np.float64 else 1e-6
        size = np.abs(x).max(initial=1).astype(float) * np.abs(y).max().astype(float) * x.shape[-1]
        assert (np.abs(one.astype(np.float64) - other) <= float(rounding) * np.abs(other) + summing * size).all()


def test_other_devices_keep_the_transpose(monkeypatch):
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    for rows in (1, 2):
        assert formulation(*operands((rows, 256), np.float32)) == (False, False)


@pytest.fixture
def found(monkeypatch, compiled):
    """Counts how often a transpose is recognised as part of a product."""
    calls = []
    monkeypatch.setattr(
        transposed_operands, "product_of_rows", lambda *args: calls.append(args) or product_of_rows(*args)
    )
    return calls


RECOGNISED = [
    "x @ w.T",
    "ops.matmul(x, w.transpose(1, 0)) + w[0]",
    "ops.mm(x, ops.swapaxes(w, 1, -2))",
    "mint.matmul(x[0], ops.transpose(w, (1, 0)))",
    "x @ x.T",
    "ops.matmul(ops.softmax(ops.matmul(x, w.T), -1), w)",
]
KEPT_APART = {
    "the order stays": "x @ ops.transpose(w, (0, 1))",
    "the transpose is used": "[t := w.T, x @ t + t[0]][1]",
    "several rows": "w @ w.T",  # of 8 elements
    "on the left": "w.T @ x[0]",
    "three axes": "ops.matmul(x, w[None].swapaxes(1, 2))",
    "a product of transposes": "[t := x.T, t @ t.T][1]",
    "a hook on the transpose": "[t := w.T, t.register_hook(lambda gradient: gradient * 2), x @ t][2]",
}


def gradients(text, monkeypatch):
    monkeypatch.setattr(Step, "_roots", {})  # no program is compiled yet
    call = eval(f"lambda x, w: ops.cos({text}).sum()", {"ops": ops, "mint": mint})
    x, w = [ms.Tensor(np.random.default_rng(1).normal(size=shape).astype("f")) for shape in ((1, 8), (8, 8))]
    return ms.value_and_grad(call, (0, 1))(x, w)


@ON_CPU
@pytest.mark.parametrize("text", [*RECOGNISED, *KEPT_APART.values()])
def test_a_recorded_transpose(text, found, monkeypatch):
    actual = gradients(text, monkeypatch)
    assert bool(found) == (text in RECOGNISED)
    monkeypatch.setattr(Fusion, "allowed", False)
    found.clear()
    assert_close(actual, gradients(text, monkeypatch), rtol=1e-5, atol=1e-6)
    assert not found


def test_a_product_within_attention_is_part_of_it(found, monkeypatch):
    monkeypatch.setattr(kernel, "_LONG", 1)
    gradients("ops.matmul(ops.softmax(ops.matmul(x, w.T), -1), w)", monkeypatch)
    assert not found


@ON_CPU
def test_who_uses_it():
    x, weight = ms.Tensor(RNG.normal(size=(1, 40)).astype("f")), ms.Parameter(RNG.normal(size=(24, 40)).astype("f"))
    bias = ms.Tensor(RNG.normal(size=24).astype("f"))
    dense, linear = nn.Dense(40, 24, weight, bias), mint.nn.Linear(40, 24, weight_init=weight, bias_init=bias)
    calls = {
        "Dense": dense,
        "Linear": linear,
        "ops.dense": lambda x: ops.dense(x, weight, bias),
        "linear": lambda x: mint.nn.functional.linear(x, weight, bias),
        "MatMul": lambda x: ops.MatMul(transpose_b=True)(x, weight) + bias,
        "BatchMatMul": lambda x: ops.BatchMatMul(transpose_b=True)(x, weight) + bias,
    }
    expected = x.numpy() @ weight.numpy().T + bias.numpy()
    for name, call in calls.items():
        made = str(jax.make_jaxpr(lambda a, call=call: call(ms.Tensor(a)))(x.numpy()))
        assert "transpose" not in made, name
        np.testing.assert_allclose(call(x).numpy(), expected, rtol=1e-6, atol=1e-5, err_msg=name)
