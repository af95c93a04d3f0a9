"""Products of half precision as they are lowered for a CPU: which form is chosen, and what it computes."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import msgrad  # noqa: F401
from msgrad.engine.lowering import cpu_products
from tests.helpers import ON_CPU

pytestmark = [ON_CPU, pytest.mark.usefixtures("in_body")]
RNG = np.random.default_rng(0)
ROWS, PLAIN = (((1,), (1,)), ((), ())), (((1,), (0,)), ((), ()))
HALF = {"bf16": jnp.bfloat16, "f16": np.float16}
CASES = [  # shapes, dimension numbers, and the forms of bfloat16 and float16
    ((1, 40), (24, 40), ROWS, "_fused _fused"),
    ((1, 1, 40), (24, 40), (((2,), (1,)), ((), ())), "_fused _fused"),
    ((40,), (24, 40), (((0,), (1,)), ((), ())), "_fused _fused"),
    ((1, 5000), (24, 5000), ROWS, "_twice None"),
    ((24, 40), (1, 40), ROWS, "_twice None"),
    ((40,), (40, 24), (((0,), (0,)), ((), ())), "_twice None"),
    ((24, 40), (40,), (((1,), (0,)), ((), ())), "_twice None"),
    ((5, 1, 4), (4, 2, 5), (((0, 2), (2, 0)), ((), ())), "_twice None"),
    ((2, 40), (40, 24), PLAIN, "_wide None"),
    ((3, 7, 40), (24, 40), (((2,), (1,)), ((), ())), "_wide None"),
    ((3, 7, 40), (3, 24, 40), (((2,), (2,)), ((0,), (0,))), "_wide None"),
    ((3, 1, 40), (3, 24, 40), (((2,), (2,)), ((0,), (0,))), "None None"),
    ((0, 40), (24, 40), ROWS, "None None"),
    ((2, 0), (0, 24), PLAIN, "None None"),
    ((3, 600), (2000, 600), ROWS, "_wide _by_blocks"),  # 109 rows a block, so that the last two share some
    ((2000, 600), (2, 3, 600), (((1,), (2,)), ((), ())), "_wide _by_blocks"),
    ((3, 2000), (2000, 600), PLAIN, "_wide _by_blocks"),  # 1747 rows a block, and the rest
    ((2000, 600), (2000, 3), (((0,), (0,)), ((), ())), "_wide _by_blocks"),
    ((257, 600), (2000, 600), ROWS, "_wide None"),
]


def form(shapes, dtype, dimensions, preferred=None):
    found = cpu_products._form(*[jax.ShapeDtypeStruct(each, dtype) for each in shapes], dimensions, preferred)
    return str(found and found.__name__)


@pytest.fixture(autouse=True)
def processor(monkeypatch):
    monkeypatch.setattr(cpu_products, "multiplies_bfloat16", lambda: True)
    monkeypatch.setattr(cpu_products, "_FUSED", 4096)


@pytest.mark.parametrize("x, y, dimensions, forms", CASES)
def test_form(x, y, dimensions, forms):
    assert f"{form((x, y), jnp.bfloat16, dimensions)} {form((x, y), np.float16, dimensions)}" == forms
    assert form((x, y), np.float32, dimensions) == "None"


def test_form_of_other_processors_and_results(monkeypatch):
    shapes = (9, 40), (24, 40)
    assert form(shapes, jnp.bfloat16, ROWS, np.float32) == "None"  # XLA has the kernel for it
    assert form(((1, 40), (40, 24)), jnp.bfloat16, PLAIN, np.float32) == "_twice"  # which it does not take for one row
    monkeypatch.setattr(cpu_products, "multiplies_bfloat16", lambda: False)
    assert [form(((rows, 40), (24, 40)), jnp.bfloat16, ROWS) for rows in (8, 9)] == ["_wide", "None"]
    monkeypatch.setattr(cpu_products, "_FUSED", 0)  # in later versions of JAX
    assert form(((1, 40), (24, 40)), jnp.bfloat16, ROWS) == "_twice"


def test_a_row_is_multiplied_by_a_large_matrix_without_a_loop_over_blocks():
    x, y = [jnp.asarray(RNG.normal(size=shape), np.float16) for shape in ((1, 700), (2000, 700))]
    run = jax.jit(lambda x, y: lax.dot_general(x, y, ROWS))
    assert "while" not in run.lower(x, y).compile().as_text()


@pytest.mark.parametrize("dtype", HALF)
@pytest.mark.parametrize("x, y, dimensions, _", CASES)
def test_a_sum_in_float32_is_rounded_once(x, y, dimensions, _, dtype):
    x, y = [jnp.asarray(RNG.normal(size=shape), HALF[dtype]) for shape in (x, y)]
    wide = [each.astype(np.float64) for each in (x, y)]
    exact = lax.dot_general(*wide, dimensions)
    size = lax.dot_general(*map(np.abs, wide), dimensions)
    for preferred in (None, np.float32):
        result = jax.jit(lambda x, y, p=preferred: lax.dot_general(x, y, dimensions, preferred_element_type=p))(x, y)
        assert result.dtype == (preferred or x.dtype)
        bound = float(jnp.finfo(result.dtype).eps) / 2 * np.abs(exact) + 1e-6 * size
        assert (np.abs(result.astype(np.float64) - exact) <= bound).all()
