"""Formulations of convolutions on a CPU against XLA's own: by matrix products, of one channel, in groups."""

import itertools

import jax
import numpy as np
import pytest

from msgrad.engine.lowering import cpu_convolutions, cpu_weight_gradients
from msgrad.ops.nn import convolved as choice
from msgrad.ops.nn import depthwise, grouped, windowed_gradient
from msgrad.ops.nn.convolved import convolved, transposed

from ..helpers import ON_CPU

pytestmark = [ON_CPU, pytest.mark.usefixtures("in_body")]

BFLOAT16 = jax.numpy.bfloat16
RNG = np.random.default_rng(5)
SIZES = [((9,), (3,), [(1, 2)]), ((6, 8), (3, 4), [(1, 1), (0, 2)]), ((5, 5, 4), (2, 1, 3), [(-1, 1), (0, 0), (2, 2)])]
CASES = [(*sizes, *steps) for sizes, steps in itertools.product(SIZES, [(1, 2), (2, 1)])]


def check(x, weight, strides, pads, dilations, group):
    """Compares values and gradients with those of XLA's own convolution; returns the jaxpr of ours."""

    def ours(x, weight):
        return convolved(x, weight, strides, pads, dilations, group)

    def xla(x, weight):
        axes = "DHW"[5 - x.ndim :]
        layout = f"NC{axes}", f"OI{axes}", f"NC{axes}"
        return jax.lax.conv_general_dilated(x, weight, strides, pads, None, dilations, layout, group)

    def results(x, weight):
        cubes = [lambda x, weight, fn=fn: (fn(x, weight) ** 3).sum() for fn in (ours, xla)]
        return [(fn(x, weight), jax.grad(cube, (0, 1))(x, weight)) for fn, cube in zip((ours, xla), cubes, strict=True)]

    mine, theirs = map(jax.tree.leaves, jax.jit(results)(x, weight))
    for one, other in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-11)
    return str(jax.make_jaxpr(ours)(x, weight))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_one_channel(case, monkeypatch):
    monkeypatch.setattr(choice, "_LEAST_WEIGHTS", 0)
    shape, kernel, pads, stride, dilation = case
    rank = len(shape)
    x, weight = RNG.normal(size=(2, 1, *shape)), RNG.normal(size=(3, 1, *kernel))
    made = check(x, weight, (stride,) * rank, pads, (dilation,) * rank, 1)
    assert "conv_general_dilated" not in made


@pytest.mark.parametrize(
    "case, channels, group, results",
    [(0, 9, 9, 18), (2, 18, 9, 9), (3, 9, 9, 9), (3, 4, 2, 6), (4, 3, 1, 2), (5, 4, 2, 4)],
)
def test_groups_and_three_axes(case, channels, group, results):
    shape, kernel, pads, stride, dilation = CASES[case]
    rank = len(shape)
    x, weight = RNG.normal(size=(2, channels, *shape)), RNG.normal(size=(results, channels // group, *kernel))
    made = check(x, weight, (stride,) * rank, pads, (dilation,) * rank, group)
    assert made.count("conv_general_dilated[") == (0 if group == 9 else group)  # each of images


PATCHES = [
    ("as long as the stride", (6, 7), (2, 3), (2, 3), [(0, 0), (1, 2)]),
    ("shorter, cropped", (6, 7), (1, 2), (3, 2), [(2, 2), (-1, 0)]),
    ("at one position", (6, 7), (7, 5), (1, 3), [(1, 0), (0, 0)]),
    ("an image of one element", (1, 1), (3, 3), (2, 1), [(1, 1), (1, 1)]),
    ("in the padding alone", (1, 3), (3, 2), (1, 2), [(3, -1), (0, 0)]),
    ("of a row", (9,), (4,), (4,), [(1, 2)]),
    ("of a volume", (4, 3, 4), (2, 3, 1), (2, 1, 3), [(0, 0), (0, 0), (1, 1)]),
]


@pytest.mark.parametrize("case", PATCHES, ids=lambda case: case[0])
def test_windows_that_share_nothing_are_one_product(case):
    _, shape, kernel, strides, pads = case
    x, weight = RNG.normal(size=(2, 3, *shape)), RNG.normal(size=(4, 3, *kernel))
    made = check(x, weight, strides, pads, (1,) * len(shape), 1)
    assert "conv_general_dilated" not in made and made.count("dot_general") == 1


@pytest.mark.parametrize("side, is_product", [(2, True), (3, False)])
def test_kernels_larger_than_an_image_are_one_product(side, is_product):
    x, weight = RNG.normal(size=(5, 3, side, side)), RNG.normal(size=(4, 3, 3, 3))
    made = check(x, weight, (1, 1), [(1, 1)] * 2, (1, 1), 1)
    assert ("conv_general_dilated" not in made) == is_product


TRANSPOSED = [
    ("overlapping", (4, 5), (3, 4), (2, 3), [(1, 1), (1, 0)], (1, 1)),
    ("apart", (4, 5), (2, 3), (2, 3), [(0, 0), (0, 1)], (1, 1)),
    ("of one element", (1, 1), (4, 4), (1, 1), [(0, 0), (0, 0)], (1, 1)),
    ("larger than the operand", (2, 2), (5, 3), (2, 2), [(2, 2), (1, 1)], (1, 1)),
    ("with steps", (4, 5), (2, 3), (1, 1), [(0, 0), (1, 1)], (2, 1)),
    ("of a row", (9,), (4,), (1,), [(1, 1)], (1,)),
    ("of a volume", (3, 4, 3), (2, 3, 2), (2, 1, 1), [(0, 1), (0, 0), (1, 1)], (1, 1, 2)),
]


@pytest.mark.parametrize("case", TRANSPOSED, ids=lambda case: case[0])
def test_transposed_convolutions_and_their_derivatives(case):
    """First and second derivatives, forwards and backwards, without XLA's gradient by the weights."""
    _, counts, kernel, strides, pads, dilation = case
    axes = zip(counts, kernel, strides, pads, dilation, strict=True)
    lengths = [(count - 1) * stride + (size - 1) * step + 1 - sum(pad) for count, size, stride, pad, step in axes]
    y, weight = RNG.normal(size=(2, 4, *counts)), RNG.normal(size=(4, 3, *kernel))

    def ours(y, weight):
        return transposed(y, weight, (2, 3, *lengths), strides, pads, dilation, 1)

    def xla(y, weight):
        x = jax.ShapeDtypeStruct((2, 3, *lengths), y.dtype)
        return jax.linear_transpose(lambda x: windowed_gradient.own(x, weight, strides, pads, dilation, 1), x)(y)[0]

    def derivatives(fn):
        gradients = jax.grad(lambda *operands: (fn(*operands) ** 3).sum(), (0, 1))
        changes = y**2, weight**2
        second = jax.jvp(gradients, (y, weight), changes), jax.vjp(gradients, y, weight)[1](changes)
        return fn(y, weight), jax.jvp(fn, (y, weight), changes), second

    mine, theirs = [jax.tree.leaves(jax.jit(derivatives, static_argnums=0)(fn)) for fn in (ours, xla)]
    for one, other in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-10)
    compiled = jax.jit(jax.grad(lambda weight: (ours(y, weight) ** 2).sum())).lower(weight).as_text()
    assert compiled.count("stablehlo.convolution") <= 1  # the values


@pytest.mark.parametrize(
    "channels, group, results, strides, end",
    [(4, 4, 8, (2, 3), 0), (6, 3, 9, (2, 1), 0), (6, 3, 6, (1, 1), 2), (9, 3, 6, (1, 1), 0), (6, 3, 3, (3, 2), -1)],
)
@pytest.mark.parametrize("taps", [1, 16])
def test_groups_of_images_and_their_derivatives(channels, group, results, strides, end, taps, monkeypatch):
    """Depthwise convolutions and windows of groups: first and second derivatives, forwards and backwards."""
    monkeypatch.setattr(choice, "_MOST_PARTS", 2)
    monkeypatch.setattr(grouped, "_LEAST_POSITIONS", 1)
    monkeypatch.setattr(grouped, "_MOST_TAPS", taps)  # whether products are added up as slices of a larger one
    for module, name in (
        *((windowed_gradient, "_MOST_ELEMENTS"), (grouped, "_MOST_ELEMENTS")),
        *((depthwise, "_MOST_ELEMENTS"), (depthwise, "_ELEMENTS")),
    ):
        monkeypatch.setattr(module, name, 100)  # so that channels and rows are computed in parts
    settings = strides, [(2, 1), (end, 1)], (2, 1), group
    monkeypatch.setattr(depthwise, "_MOST_IMAGES", 2)
    x, weight = RNG.normal(size=(3, channels, 7, 8)), RNG.normal(size=(results, channels // group, 3, 2))
    assert "conv_general_dilated" not in check(x, weight, *settings)
    changes = x**2, weight**2

    def derivatives(fn):
        gradients = jax.grad(lambda x, weight: (fn(x, weight, *settings) ** 3).sum(), (0, 1))
        each = jax.vmap(gradients, (0, None))(jax.numpy.asarray(x)[:, None], weight)
        return each, jax.jvp(gradients, (x, weight), changes), jax.vjp(gradients, x, weight)[1](changes)

    mine, theirs = [
        jax.tree.leaves(jax.jit(derivatives, static_argnums=0)(fn)) for fn in (convolved, windowed_gradient.own)
    ]
    for one, other in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("channels, swaps", [(8, 3), (7, 0)])
def test_kernels_of_one_column_are_turned(channels, swaps):
    x, weight = RNG.normal(size=(2, channels, 9, 5)), RNG.normal(size=(8, channels, 3, 1))
    made = check(x, weight, (2, 1), [(1, 2), (0, 1)], (1, 2), 1)
    assert made.count("transpose[") == swaps


@pytest.mark.parametrize("kernel, kernels, joined", [((3, 2), 16, 1), ((3, 1), 2, 1), ((1, 3), 2, 0), ((3, 2), 17, 0)])
def test_rows_of_few_kernels_are_channels(kernel, kernels, joined):
    x, weight = RNG.normal(size=(2, 1, 9, 7)), RNG.normal(size=(kernels, 1, *kernel))
    made = check(x, weight, (2, 3), [(1, 2), (0, 1)], (2, 3), 1)
    assert made.count("concatenate[") == joined


@pytest.mark.parametrize("length, is_batched", [(7, True), (6, False)])
def test_weights_of_one_element_are_repeated_for_large_images(length, is_batched):
    x, weight = RNG.normal(size=(2, 3, 2, 2 * length)), RNG.normal(size=(15, 3, 1, 1))
    made = check(x, weight, (2, 1), [(0, 0)] * 2, (1, 1), 1)
    assert ("([0], [0])" in made) == is_batched


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("outputs, group", [(4, 1), (3, 3)], ids=["windows", "depthwise"])
def test_a_larger_kernel_compiles_no_more_for_its_gradient(outputs, group, stride, monkeypatch):
    """A gradient by the weights goes through the elements of a kernel in a loop, so XLA compiles one kernel for all."""
    monkeypatch.setattr(cpu_weight_gradients, "_LEAST_PRODUCTS", 0)
    monkeypatch.setattr(cpu_weight_gradients, "_LEAST_CHANNELS", 1)
    x = np.ones((2, 3, 12, 12))

    def operations(size):
        settings = (stride, stride), [(size // 2, size // 2)] * 2, (1, 1), group
        weight = np.ones((outputs, 3 // group, size, size))
        gradient = jax.grad(lambda weight: (convolved(x, weight, *settings) ** 2).sum())
        text = jax.jit(gradient).lower(weight).compile().as_text()
        return text.count(" fusion("), text.count(" dot(")

    assert operations(3) == operations(5)


def test_long_kernels_in_groups_have_a_windowed_gradient():
    x, weight = RNG.normal(size=(2, 18, 90)), RNG.normal(size=(9, 2, 70))
    made = check(x, weight, (1,), [(35, 35)], (1,), 9)
    # Of images with one row XLA's gradient by the input takes four times as long.
    assert "custom_jvp_call" in made and "window_strides=(1,)" in made


@pytest.mark.parametrize("size", [70, 90])
def test_gradients_by_long_kernels_in_groups_have_few_operations(size, monkeypatch):
    monkeypatch.setattr(windowed_gradient, "_MOST_ELEMENTS", 1)
    x, weight = RNG.normal(size=(2, 20, 90)), RNG.normal(size=(20, 2, size))
    settings = (2,), [(45, 45)], (1,), 10
    check(x, weight, *settings)
    gradient = jax.grad(lambda weight: (convolved(x, weight, *settings) ** 2).sum())
    assert jax.jit(gradient).lower(weight).as_text().count("slice") < size


def test_wide_kernels_of_one_channel_are_products():
    """They have a product for each position of the result along an axis, or each element of the kernel there."""
    x, weight = RNG.normal(size=(2, 1, 6, 300)), RNG.normal(size=(20, 1, 3, 300))
    assert "conv_general_dilated" not in check(x, weight, (1, 1), [(0, 0), (0, 0)], (1, 1), 1)


@pytest.mark.parametrize("dtype, has_products", [(np.float16, True), (BFLOAT16, False), (BFLOAT16, True)])
@pytest.mark.parametrize("kernel, group, stride", [((1, 1), 1, 1), ((3, 3), 1, 1), ((3, 3), 1, 2), ((3, 3), 16, 1)])
def test_half_types_are_rounded_once(dtype, kernel, group, stride, has_products, monkeypatch):
    """Values and gradients are those of a convolution in float64, rounded."""
    for module in choice, cpu_convolutions:
        monkeypatch.setattr(module, "multiplies_bfloat16", lambda: has_products)
    settings = (stride, stride), [(1, 1)] * 2, (1, 1), group
    monkeypatch.setattr(cpu_convolutions, "_LEAST_CHANNELS", 16)
    shapes = (2, 16, 8, 8), (16, 16 // group, *kernel)
    x, weight = [jax.numpy.asarray(RNG.normal(size=shape), dtype) for shape in shapes]
    y, pull = jax.vjp(lambda *each: convolved(*each, *settings), x, weight)
    exact, exact_pull = jax.vjp(
        lambda *each: windowed_gradient.own(*each, *settings), x.astype(np.float64), weight.astype(np.float64)
    )
    cotangent = jax.numpy.asarray(RNG.normal(size=y.shape), dtype)
    results = [y, *pull(cotangent)], [exact, *exact_pull(cotangent.astype(np.float64))]
    for one, other in zip(*results, strict=True):
        assert one.dtype == dtype
        half_a_step = float(jax.numpy.finfo(dtype).eps) / 2
        np.testing.assert_allclose(one.astype(np.float64), other, rtol=1.01 * half_a_step, atol=1e-5)


@pytest.mark.parametrize(
    "shape, kernels, stride, group, is_kept",
    [
        ((2, 3, 8, 8), (4, 3, 1, 1), 2, 1, True),
        ((2, 64, 9), (64, 64, 3), 1, 1, True),
        ((2, 64, 8, 8), (64, 64, 3, 3), 2, 1, True),
        ((2, 64, 8, 8), (63, 64, 3, 3), 1, 1, False),  # few outputs
        ((2, 128, 8, 8), (128, 64, 3, 3), 1, 2, False),
        ((2, 64, 8, 8), (64, 64, 2, 2), 2, 1, False),  # patches
        ((2, 64, 4, 4), (64, 64, 4, 4), 1, 1, False),  # one position
        ((0, 64, 8, 8), (64, 64, 3, 3), 1, 1, False),
    ],
)
def test_which_convolutions_are_products_of_bfloat16(shape, kernels, stride, group, is_kept, monkeypatch):
    """These stay as they are, whatever is differentiated or mapped, until they are lowered; others are in float32."""
    x, weight, rank = np.ones(shape, BFLOAT16), np.ones(kernels, BFLOAT16), len(shape) - 2

    def kinds(fn, *operands):
        made = jax.make_jaxpr(fn)(*operands)
        names = "conv_general_dilated", "dot_general"
        return {str(each.invars[0].aval.dtype) for each in made.eqns if each.primitive.name in names}

    def run(x, weight):
        return convolved(x, weight, (stride,) * rank, [(0, 0)] * rank, (1,) * rank, group)

    for has_products in True, False:
        monkeypatch.setattr(choice, "multiplies_bfloat16", lambda has=has_products: has)
        found = kinds(lambda *operands: run(*operands), x, weight)  # JAX keeps what it traced of the same function
        assert (found == {"bfloat16"}) == (is_kept and has_products)
    monkeypatch.setattr(choice, "multiplies_bfloat16", lambda: True)
    if is_kept:
        assert kinds(lambda x, weight: jax.jvp(run, (x, weight), (x, weight)), x, weight) == {"bfloat16"}
        gradients = jax.vmap(jax.grad(lambda x, weight: run(x[None], weight).sum(), (0, 1)), (0, None))
        assert kinds(gradients, x, weight) == {"bfloat16"}
        assert jax.tree.map(jax.numpy.shape, gradients(x, weight)) == (shape, (shape[0], *kernels))


def test_nothing_in_the_batch():
    x, weight = np.zeros((0, 1, 5, 5)), np.ones((1024, 1, 2, 2))
    assert convolved(x, weight, (1, 1), [(0, 0)] * 2, (1, 1), 1).shape == (0, 1024, 4, 4)


def test_depthwise_gradients_of_images_of_all_sizes_have_the_same_tables():
    """Otherwise programs of many sizes would have no template in common."""
    weight = np.ones((3, 1, 3, 3))

    def tables(size):
        gradient = jax.grad(lambda weight, x: convolved(x, weight, (2, 1), [(1, 1)] * 2, (1, 1), 3).sum())
        return jax.make_jaxpr(gradient)(weight, np.ones((1, 3, size, size))).consts

    assert len(tables(40)) > 0
    jax.tree.map(np.testing.assert_array_equal, tables(40), tables(41))
