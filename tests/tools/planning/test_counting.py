"""Operations of jaxprs, and where they belong."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from msgrad.engine import jax_options
from msgrad.tools.planning.calls import origin_of
from msgrad.tools.planning.counting import Counting


def counted(fn, *shapes, dtype=np.float32, platform="cuda"):
    specs = [jax.ShapeDtypeStruct(shape, dtype) for shape in shapes]
    return Counting(jax.make_jaxpr(fn)(*specs).jaxpr, platform)


def _convolution(strides):
    def fn(x, k):
        return jax.lax.conv_general_dilated(x, k, (strides, strides), "SAME")

    return fn


PRODUCTS = {
    "product": (jnp.matmul, [(4, 8), (8, 16)], 2 * 4 * 8 * 16),
    "batched": (jnp.matmul, [(3, 4, 8), (3, 8, 16)], 3 * 2 * 4 * 8 * 16),
    "convolution": (_convolution(1), [(2, 3, 8, 8), (5, 3, 3, 3)], 2 * (2 * 5 * 8 * 8) * 3 * 9),
    "both gradients": (
        jax.grad(lambda x, k: (_convolution(2)(x, k) ** 2).sum(), (0, 1)),
        [(2, 3, 8, 8), (5, 3, 3, 3)],
        3 * 2 * (2 * 5 * 4 * 4) * 3 * 9,
    ),
    "a loop": (lambda x: jax.lax.scan(lambda c, _: (c @ c, None), x, None, length=5)[0], [(8, 8)], 5 * 2 * 8**3),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_are_counted(name):
    fn, shapes, expected = PRODUCTS[name]
    assert sum(counted(fn, *shapes).total().products.values()) == expected


@pytest.mark.parametrize(
    ("dtype", "precision", "platform", "kind"),
    [
        ("bfloat16", None, "tpu", "bf16"),
        ("float16", None, "cuda", "f16"),
        ("float32", None, "cuda", "tf32"),
        ("float32", None, "tpu", "bf16"),
        ("float32", "high", "tpu", "tf32"),
        ("float32", "highest", "cuda", "f32"),
        ("float32", None, "cpu", "f32"),
    ],
)
def test_a_product_has_the_kind_that_its_dtype_and_precision_say(dtype, precision, platform, kind):
    count = counted(lambda a, b: jnp.matmul(a, b, precision=precision), (2, 2), (2, 2), dtype=dtype, platform=platform)
    assert list(count.total().products) == [kind]


def test_what_a_tpu_emulates_is_named_but_for_single_numbers():
    def fn(x, rate):
        return x * (1 - rate).astype(np.float32), x.astype(np.float64) + 1

    with jax_options.Tracing():
        specs = jax.ShapeDtypeStruct((4,), np.float32), jax.ShapeDtypeStruct((), np.float64)
        counting = Counting(jax.make_jaxpr(fn)(*specs).jaxpr, "tpu")
    assert sum(counting.emulated.values()) == 1


def test_operations_belong_to_the_cell_and_line_of_their_scope():
    def fn(x):
        with jax.named_scope("matmul[net.head|train.py:3]"):
            return (x @ x).sum()

    origins = {origin[:3]: origin.is_backward for origin in counted(jax.grad(fn), (8, 8)).by_origin}
    assert origins["matmul", "net.head", "train.py:3"] in (True, False)
    backward = [o for o, c in counted(jax.grad(fn), (8, 8)).by_origin.items() if o.is_backward and c.products]
    assert [o[:3] for o in backward] == [("matmul", "net.head", "train.py:3")]


@pytest.mark.parametrize(
    ("name", "origin"),
    [
        ("jit(f)/jvp(mul[net.a|t.py:1])/mul", ("mul", "net.a", "t.py:1", False)),
        ("jit(f)/transpose(jvp(mul[net.a|t.py:1]))/mul", ("mul", "net.a", "t.py:1", True)),
        ("a[x|t.py:1]/b[|]/dot", ("a", "x", "t.py:1", False)),
        ("jit(f)/add", ("add", "", "", False)),
    ],
)
def test_a_name_tells_its_origin(name, origin):
    assert origin_of(name) == origin


def test_weights_of_an_attention_are_noticed():
    found = counted(jnp.matmul, (2, 4, 512, 64), (2, 4, 64, 512)).weights
    assert {each.shape for each in found} == {(2, 4, 512, 512)}
    assert not counted(jnp.matmul, (2, 512, 512), (2, 512, 512)).weights


def test_random_keys_take_no_part():
    def fn(x):
        return x * jax.random.bernoulli(jax.random.key(0), 0.5, x.shape)

    assert counted(fn, (8, 8)).total().flops >= 64
