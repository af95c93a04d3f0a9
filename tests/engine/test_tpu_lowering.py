"""Programs for a TPU, which JAX lowers without one: what its compiler would end the process at is not in them."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import msgrad as ms
from msgrad import Tensor, from_jax, ops
from msgrad.engine.lowering import tpu_lowering
from msgrad.engine.lowering.tpu_forms import FORMS
from tests.helpers import assert_close

Z = np.array([1 + 2j, -3e-3 + 0.5j, 40 - 7j, -2 - 1e-9j, 1e-200 - 3e-200j, -1e200 + 1e200j, 0])
SMALL = Z[:4]
AT, UPDATES = np.array([[0], [2], [2]]), np.array([2 - 1j, 3j, 4])
DIMENSIONS = lax.ScatterDimensionNumbers((), (0,), (0,))
POSITIONS = {"dimension_numbers": DIMENSIONS, "indices_are_sorted": False, "unique_indices": False, "mode": None}
INTS = np.arange(24).reshape(3, 4, 2) << 40, np.arange(30).reshape(2, 5, 3)
BASES = Z[[0, 1, 2, 6, 6]], np.array([3, 1j, 0.5, 2, 0])


def _scattered(sign):
    result = Z.copy()
    np.add.at(result, AT[:, 0], sign * UPDATES)
    return result


LARGE = np.array([17, -17, 17, -17, 5, -5, 0, -(2**63), -(2**63), 2**63 - 1, 2**62])
DIVISORS = np.array([5, 5, -5, -5, 0, 0, 0, -1, 1, -(2**63), 3])

FORMED = [  # of each form: the function of JAX's, its operands, further arguments, and the value
    (lax.abs, (Z,), {}, np.abs(Z)),
    (lax.div, (Z[::-1], Z - 1j), {}, Z[::-1] / (Z - 1j)),
    (lax.sign, (Z,), {}, np.sign(Z)),
    (lax.rsqrt, (SMALL,), {}, 1 / np.sqrt(SMALL)),
    (lax.logistic, (SMALL,), {}, 1 / (1 + np.exp(-SMALL))),
    (lax.expm1, (SMALL,), {}, np.expm1(SMALL)),
    (lax.tanh, (SMALL,), {}, np.tanh(SMALL)),
    (lax.tan, (SMALL,), {}, np.tan(SMALL)),
    (lax.pow, BASES, {}, np.power(*BASES)),
    (lax.integer_pow, (SMALL,), {"y": -3}, SMALL**-3.0),
    (lax.convert_element_type, (SMALL,), {"new_dtype": "complex64"}, SMALL.astype("complex64")),
    (lax.convert_element_type, (np.float32([1, 2]),), {"new_dtype": "complex128"}, np.array([1 + 0j, 2])),
    (lax.scatter_add, (Z, AT, UPDATES), POSITIONS, _scattered(1)),
    (lax.scatter_sub, (Z, AT, UPDATES), POSITIONS, _scattered(-1)),
    (lax.dot_general, INTS, {"dimension_numbers": (((0,), (2,)), ((2,), (0,)))}, np.einsum("kmb,bnk->bmn", *INTS)),
    (lax.div, (LARGE, DIVISORS), {}, np.array([3, -3, -3, 3, -1, -1, -1, -(2**63), -(2**63), 0, 2**62 // 3])),
    (lax.rem, (LARGE, DIVISORS), {}, np.array([2, -2, 2, -2, 5, -5, 0, 0, 0, 2**63 - 1, 1])),
    (lax.bitcast_convert_type, (np.array([-0.0, 1.5]),), {"new_dtype": "int64"}, np.array([-(2**63), 0x3FF8 << 48])),
    (lax.bitcast_convert_type, (np.array([-(2**63), 0x3FF8 << 48]),), {"new_dtype": "float64"}, np.array([-0.0, 1.5])),
]


def exported(fn, array):
    """The program of ``fn`` for a TPU, as text, traced with 64-bit types as msgrad does."""
    with jax.enable_x64(True):
        return jax.export.export(jax.jit(fn), platforms=["tpu"])(array).mlir_module()


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_loops_of_singular_values_count_in_32_bits(dtype):
    text = exported(jnp.linalg.svd, np.ones((4, 3), dtype))
    assert "stablehlo.while" in text
    assert not re.search(r"tensor<([^>]*x)?i64>", text)


@pytest.mark.parametrize("k", range(len(FORMS)), ids=[f"{form.primitive.name}-{form.dtypes[0]}" for form in FORMS])
def test_what_a_tpu_has_not_is_computed_otherwise(k, in_body):
    call, operands, arguments, expected = FORMED[k]
    text = jax.export.export(jax.jit(lambda *each: call(*each, **arguments)), platforms=["tpu"])(
        *operands
    ).mlir_module()
    ended = "abs|divide|sign|rsqrt|logistic|exponential_minus_one|tanh|tan|power|convert"
    assert not re.findall(rf"stablehlo\.(?:{ended}) .*complex<f64>", text)
    assert not re.findall(r"complex<f64>>, tensor<\d+x1xi64>", text)  # a scatter
    assert not re.findall(r"stablehlo\.(?:dot_general|divide|remainder) .*x[us]?i64>", text)
    value = np.asarray(FORMS[k].compute(*operands, **arguments))
    assert_close(value, expected, rtol=1e-6 if value.dtype == np.complex64 else 1e-12)


@pytest.mark.parametrize("shape", [(), (1, 3)])
@pytest.mark.parametrize(
    ("call", "dtype"),
    [(jnp.floor_divide, "int64"), (jnp.fmod, "uint64"), (jnp.divide, "complex128"), (jnp.power, "complex128")],
)
def test_operands_of_forms_are_broadcast(call, dtype, shape):
    for operands in (((2, 3), shape), (shape, (2, 3))):
        with jax.enable_x64(True):
            program = jax.export.export(jax.jit(call), platforms=["tpu"])(
                *[np.full(each, 2, dtype) for each in operands]
            )
        assert program.out_avals[0].shape == (2, 3)


@pytest.fixture
def on_tpu(monkeypatch):
    """Refuses what a TPU has not, as on one."""
    monkeypatch.setattr(tpu_lowering, "is_current", lambda: True)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda x: ops.eigvals(x), r"For 'eigvals', a TPU has no eigenvectors .* \(\S+.py:\d+\). Compute"),
        (lambda x: ops.MatrixInverse()(x.astype(ms.complex128)), "For 'MatrixInverse', .* complex128 .*to complex64"),
        (lambda x: ops.svd(x.astype(ms.float64)), "For 'svd', .* in float64 .* Cast to float32 first, or compute on"),
    ],
)
def test_what_a_tpu_has_not_is_refused_where_it_is_called(call, text, on_tpu):
    matrix = Tensor(np.eye(23, dtype=np.float32))  # of a size that no other test has traced, as tracing refuses it
    with pytest.raises(NotImplementedError, match=text):
        call(matrix)
    assert ops.inverse(Tensor(np.eye(2, dtype=np.float32))).tolist() == [[1, 0], [0, 1]]


def test_a_program_for_a_tpu_has_the_refusals_too(on_tpu, monkeypatch, compiled):
    def gradient_has_a_sort(x):
        return bridged(x).sum()

    bridged = from_jax(lambda x: jnp.sort(x.astype(jnp.complex128)).real)
    with pytest.raises(NotImplementedError, match="a TPU has no order in complex128"):
        ms.jit(gradient_has_a_sort)(Tensor(np.ones(3, np.float32)))
