"""Padded programs give what exact ones give: every rule at several sizes, training steps, growing caches."""

from collections import Counter

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import msgrad as ms
from msgrad import Tensor
from msgrad.engine.execution import execute
from msgrad.engine.lengths import layout
from msgrad.engine.lengths.padding import check, make_padded
from msgrad.engine.lengths.rounded import RoundedSymbols
from msgrad.engine.lengths.sizes import NotUniform
from msgrad.engine.lengths.template import Template, shape_at
from tests.engine.lengths.arrays import floats, ints, positive
from tests.engine.lengths.cases import BUCKET, CASES, SIZES, convolved, gradient, template_of
from tests.engine.lengths.programs import Decoder, generated, losses, seeded, training
from tests.padding import padded_to, runner

REFUSED = {
    "strides": (convolved((2,), "SAME"), lambda n: [floats(2, 3, n), floats(4, 3, 3)]),
    "a kernel and its padding": (
        lambda x, w: lax.conv_general_dilated(x, w, (1,), [(w.shape[2] - 1,) * 2]),
        lambda n: [floats(2, 3, 20), floats(4, 3, n)],
    ),
    "an axis that shrinks": (lambda x: jnp.zeros(20 - x.shape[0]), lambda n: [floats(n)]),
    "a constant that varies": (lambda x: x + np.arange(x.shape[0]) ** 2, lambda n: [floats(n)]),
    "a complex number that varies": (lambda x: x * (1j * x.shape[0]), lambda n: [floats(n)]),
    "an exponent": (lambda x: lax.integer_pow(x, x.shape[0]), lambda n: [positive(n)]),
    "an axis": (lambda x: lax.cumsum(x, x.shape[0] - 5), lambda n: [floats(n, 3, 3, 3, 3)]),
    "a Fourier transform": (jnp.fft.fft, lambda n: [floats(n)]),
}


def test_padded_program_computes_anew_what_the_exact_one_does():
    template = template_of(*CASES["computed anew"])
    spec = jax.ShapeDtypeStruct((4, BUCKET), np.float32)
    padded = jax.make_jaxpr(make_padded(template, (BUCKET,)))(jax.ShapeDtypeStruct((1,), np.int32), spec)
    assert "optimization_barrier" in str(padded)


@pytest.mark.usefixtures("in_body")
@pytest.mark.parametrize("name", CASES)
def test_padded_program_gives_what_the_exact_one_gives(name):
    fn, arguments = CASES[name]
    template = template_of(fn, arguments)
    check(template)
    bucket = (BUCKET,)
    specs = [jax.ShapeDtypeStruct(shape_at(aval.shape, bucket), aval.dtype) for aval in template.arguments]
    padded = jax.make_jaxpr(make_padded(template, bucket))(jax.ShapeDtypeStruct((1,), np.int32), *specs)
    run = runner(padded)
    for size in SIZES:
        operands = arguments(size)
        with np.errstate(all="ignore"):
            expected = runner(jax.make_jaxpr(fn)(*operands))(*operands)
            arrays = [padded_to(array, spec.shape) for array, spec in zip(operands, specs, strict=True)]
            results = run(np.array([size], np.int32), *arrays)
            resized = runner(template.at((size,)))(*operands)
        for result, exact, again in zip(results, expected, resized, strict=True):
            cut = np.asarray(result)[tuple(map(slice, np.shape(exact)))]
            np.testing.assert_allclose(cut, exact, rtol=2e-5, atol=2e-5)
            np.testing.assert_allclose(again, exact, rtol=2e-5, atol=2e-5)


def pooled(reduction, start):
    return lambda x: lax.reduce_window(x, np.float32(start), reduction, (1, 3), (1, 2), "SAME", None, (1, 2))


STRIDED = {  # what is added before the array varies with the remainder of its length
    "a stride of 2": (convolved((2,), "SAME"), 3),
    "a wide kernel": (convolved((2,), "SAME"), 7),
    "two layers": (lambda x, w: convolved((2,), "SAME")(convolved((2,), "SAME")(x, w), w), 3),
    "apart": (lambda x, w: lax.conv_general_dilated(x, w, (2,), "SAME", rhs_dilation=(2,)), 3),
    "its gradients": (gradient(convolved((2,), "SAME"), 0, 1), 3),
    "gradients by a wide kernel": (gradient(convolved((2,), "SAME"), 0, 1), 5),
    "maxima": (lambda x, w: pooled(lax.max, -np.inf)(x[0]), 3),
    "minima": (lambda x, w: pooled(lax.min, np.inf)(x[0]), 3),
    "sums and their gradient": (lambda x, w: (pooled(lax.add, 0)(x[0]), gradient(pooled(lax.add, 0))(x[0])), 3),
    "gradient of maxima": (gradient(lambda x, w: lax.reduce_window(
        x, np.float32(-np.inf), lax.max, (1, 1, 3), (1, 1, 2), "SAME")), 3),
}  # fmt: skip


@pytest.mark.usefixtures("in_body")
@pytest.mark.parametrize("name", STRIDED)
def test_what_is_before_a_padded_array_may_vary_with_a_remainder(name):
    fn, taps = STRIDED[name]

    def arguments(size):
        return [floats(2, 2, size), floats(2, 2, taps)]

    samples = [13, 18, 20, 23, 27, 29, 30, 36]
    jaxprs = [jax.make_jaxpr(fn)(*arguments(size)) for size in samples]
    template = Template(jaxprs, RoundedSymbols([tuple(samples)]))
    check(template)
    bucket = (32,)
    specs = [jax.ShapeDtypeStruct(shape_at(aval.shape, bucket), aval.dtype) for aval in template.arguments]
    run = runner(jax.make_jaxpr(make_padded(template, bucket))(jax.ShapeDtypeStruct((1,), np.int32), *specs))
    for size in range(9, 33):
        operands = arguments(size)
        expected = runner(jax.make_jaxpr(fn)(*operands))(*operands)
        arrays = [padded_to(array, spec.shape) for array, spec in zip(operands, specs, strict=True)]
        for result, exact in zip(run(np.array([size], np.int32), *arrays), expected, strict=True):
            cut = np.asarray(result)[tuple(map(slice, np.shape(exact)))]
            np.testing.assert_allclose(cut, exact, rtol=2e-5, atol=2e-5, err_msg=f"{size} elements")


@pytest.mark.usefixtures("in_body")
def test_values_in_several_products_are_masked_where_they_are_made(monkeypatch):
    monkeypatch.setattr(layout, "_LARGE", 0)

    def fn(x):
        rows = jnp.tanh(x)
        columns = jnp.cos(rows).T  # not 0 where the padding of its operand is
        return rows.T @ rows, columns @ rows, columns @ jnp.exp(rows), jnp.max(rows)

    padded = jax.jit(make_padded(template_of(fn, lambda n: [floats(n, 3)]), (BUCKET,)))
    jaxpr = jax.make_jaxpr(padded)(np.array([5], np.int32), floats(BUCKET, 3)).eqns[0].params["jaxpr"]
    # For the cosine, the exponential and the maximum; the rows' padding is 0, as that of `x`.
    counts = Counter([equation.primitive.name for equation in jaxpr.eqns])
    assert (counts["select_n"], counts["cond"]) == (3, 1)
    for size in SIZES:
        for special in (1.0, np.inf, np.nan):
            x = floats(size, 3)
            x[-1, 0] = special
            results = padded(np.array([size], np.int32), padded_to(x, (BUCKET, 3)))
            for result, exact in zip(results, fn(x), strict=True):
                np.testing.assert_allclose(result, exact, rtol=2e-5)


@pytest.mark.usefixtures("in_body")
def test_merged_axes_that_go_together_stay_where_they_are():
    fn = gradient(lambda x, labels: jnp.take_along_axis(x.reshape(-1, 7), labels.reshape(-1, 1), 1))
    template = template_of(fn, lambda n: [floats(3, n, 7), ints(7, 3, n)])
    specs = [jax.ShapeDtypeStruct(shape_at(aval.shape, (BUCKET,)), aval.dtype) for aval in template.arguments]
    padded = jax.make_jaxpr(make_padded(template, (BUCKET,)))(jax.ShapeDtypeStruct((1,), np.int32), *specs)
    assert str(padded).count(" gather[") == str(template.at((BUCKET,))).count(" gather[") == 1


@pytest.mark.usefixtures("in_body")
@pytest.mark.parametrize("name", ["attention's gradient", "cross entropy's gradient", "masks in a loop and after it"])
def test_masks_that_are_computed_once_give_what_the_exact_program_gives(name, monkeypatch):
    monkeypatch.setattr(layout, "_LARGE", 0)
    test_padded_program_gives_what_the_exact_one_gives(name)


@pytest.mark.usefixtures("in_body")
@pytest.mark.parametrize("name", REFUSED)
def test_refuses_what_cannot_be_padded(name):
    with pytest.raises(NotUniform):
        template = template_of(*REFUSED[name])
        check(template)
        specs = [jax.ShapeDtypeStruct(shape_at(aval.shape, (BUCKET,)), aval.dtype) for aval in template.arguments]
        jax.eval_shape(make_padded(template, (BUCKET,)), jax.ShapeDtypeStruct((1,), np.int32), *specs)


@pytest.mark.filterwarnings("ignore:.*different programs and hardly reused any:RuntimeWarning")  # by the exact one
def test_growing_cache_shares_few_programs(mode, exact):
    tokens = np.arange(9, dtype=np.int32).reshape(1, 9)
    expected = exact(generated, seeded(Decoder), tokens)
    net, before = seeded(Decoder), execute.report()["programs compiled"]
    results = generated(net, tokens)
    assert 0 < execute.report()["programs compiled"] - before <= 8  # 24 without
    for result, value in zip(results, expected, strict=True):
        assert result.shape == value.shape
        np.testing.assert_allclose(result, value, rtol=2e-6, atol=2e-6)


def test_ragged_training_shares_few_programs(mode, exact):
    lengths = [10, 13, 12, 20, 11, 19, 14, 30, 17, 16, 15, 25]
    expected = exact(losses, training(), lengths)
    step, before = training(), execute.report()["programs compiled"]
    results = losses(step, lengths)
    assert 0 < execute.report()["programs compiled"] - before <= 8  # 13 without
    np.testing.assert_allclose(results, expected, rtol=2e-6)


def test_64_bits_stay():
    run = ms.jit(lambda x: (x * x).cumsum(-1) + 0.5)
    for length in range(20, 26):
        x = np.linspace(0.1, 1.1, length)
        result = run(Tensor(x)).asnumpy()
        assert result.dtype == np.float64
        np.testing.assert_allclose(result, np.cumsum(x * x) + 0.5, rtol=1e-14)
