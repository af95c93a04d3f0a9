"""Programs with channels last: values and gradients stay the same, nothing between convolutions is transposed."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.engine._jax_private import CALLED, jaxpr_as_call
from msgrad.engine.execution import tiers
from msgrad.engine.execution.executables import counts
from msgrad.engine.layouts import channels_last
from msgrad.engine.separation.inlining import inlined
from tests.helpers import assert_close

RNG = np.random.default_rng(0)
X, WEIGHT = RNG.normal(size=(2, 3, 8, 6)).astype(np.float32), RNG.normal(size=(4, 3, 3, 3)).astype(np.float32)
ROWS, MATRIX = RNG.normal(size=(4, 5)).astype(np.float32), RNG.normal(size=(6, 4)).astype(np.float32)


def conv(x, weight, **settings):
    axes = "DHW"[5 - x.ndim :]
    layout = f"NC{axes}", f"OI{axes}", f"NC{axes}"
    settings = {"padding": [(size // 2,) * 2 for size in weight.shape[2:]], **settings}
    return lax.conv_general_dilated(x, weight, (1,) * len(axes), dimension_numbers=layout, **settings)


def checked(function, *operands, rtol=1e-5, atol=1e-4):
    """The equations of a program with channels last, whose values and gradients are those of ``function``."""

    def derived(*operands):
        value, back = jax.vjp(
            lambda *operands: jnp.float32(sum(map(jnp.sum, jax.tree.leaves(weighted(*operands))))), *operands
        )
        return function(*operands), value, back(jnp.float32(1))

    def weighted(*operands):
        results = jax.tree.map(lambda each: each * 1.0, function(*operands))
        return jax.tree.map(lambda each: each * jnp.cos(jnp.arange(each.size)).reshape(each.shape), results)

    closed, out = jax.make_jaxpr(derived, return_shape=True)(*operands)
    made = channels_last._made(closed, *inlined(closed.jaxpr, CALLED))
    results = jax.jit(jaxpr_as_call(made))(*operands)
    expected = jax.tree.leaves(jax.jit(derived)(*operands))
    assert len(results) == len(jax.tree.leaves(out))
    for one, other in zip(results, expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=rtol, atol=atol)
    return inlined(made.jaxpr)[0]


def pooled(y, reducer, start):
    return lax.reduce_window(y, start, reducer, (1, 1, 3, 2), (1, 1, 2, 2), [(0, 0), (0, 0), (1, 1), (0, 0)])


def batch_norm(y, scale):
    mean = y.mean((0, 2, 3), keepdims=True)
    return (y - mean) * lax.rsqrt(y.var((0, 2, 3), keepdims=True) + 1e-5) * scale[:, None, None]


CASES = {
    "elementwise": lambda y: jnp.clip(jnp.tanh(y) + 2 * y, -1, 1),
    "comparison": lambda y: jnp.where(y > 0, y, 0.1 * y),
    "mixed with the operand's order": lambda y: y + jnp.asarray(X)[:, :1],
    "norm": lambda y: batch_norm(y, jnp.arange(4.0, dtype=jnp.float32)),
    "group norm": lambda y: y.reshape(2, 2, -1) - y.reshape(2, 2, -1).mean(-1, keepdims=True),
    "maxima of windows": lambda y: pooled(y, lax.max, -jnp.inf),
    "minima of windows": lambda y: pooled(y, lax.min, jnp.inf),
    "sums of windows": lambda y: pooled(y, lax.add, 0.0),
    "concatenation": lambda y: jnp.concatenate([y, y[:, :2], jnp.tanh(y)], 1),
    "split": lambda y: jnp.split(y, 2, 1)[1] * jnp.split(y, [1], 3)[0][:, :2],
    "slices": lambda y: y[:, 1:3, ::2, 2:],
    "padding": lambda y: jnp.pad(y, ((0, 0), (1, 2), (0, 3), (2, 0)), constant_values=2),
    "reversed": lambda y: y[:, ::-1, :, ::-1],
    "cumulative": lambda y: jnp.cumsum(y, 1) + lax.cummax(y, 2, reverse=True),
    "reductions": lambda y: (y.sum(1), y.max((2, 3)), jnp.argmax(y, 1), y.mean((0, 3), keepdims=True)),
    "transposed": lambda y: jnp.swapaxes(y, 0, 3) * 2,
    "flattened": lambda y: y.reshape(2, -1) @ jnp.ones((192, 3), jnp.float32),
    "positions merged": lambda y: jax.nn.softmax(y.reshape(2, 4, 48), 1),
    "channels split": lambda y: y.reshape(2, 2, 2, 8, 6).swapaxes(1, 2).reshape(2, 4, 8, 6),
    "pixels shuffled": lambda y: y.reshape(2, 1, 2, 2, 8, 6).transpose(0, 1, 4, 2, 5, 3).reshape(2, 1, 16, 12),
    "axes of length 1": lambda y: y[:, :, None].squeeze(2)[:1].reshape(4, 1, 48, 1) + jnp.expand_dims(y[0], 0).sum(),
    "repeated": lambda y: jnp.repeat(jnp.repeat(y, 2, 2), 3, 3) + y[:, :1, :1, :1],
    "a matrix of channels": lambda y: jnp.einsum("nchw,cd->ndhw", y, ROWS),
    "a product of each image": lambda y: jnp.broadcast_to(MATRIX, (2, 6, 4)) @ y.reshape(2, 4, 48),
    "a product before the images": lambda y: jnp.tensordot(MATRIX, y, ((1,), (1,))),
    "products of images": lambda y: y.reshape(2, 4, 48) @ jnp.tanh(y).reshape(2, 4, 48).swapaxes(1, 2),
    "products summed over images": lambda y: jnp.einsum("ncp,ndp->cd", y.reshape(2, 4, 48), y[:, :3].reshape(2, 3, 48)),
    "attention": lambda y: jnp.einsum("nchw,ndhw->nhcd", y, jnp.sin(y)),
    "without a rule": lambda y: (jnp.sort(y, 1), y[jnp.array([1, 0])], lax.top_k(y, 2)[0]),
    "in a loop": lambda y: lax.scan(lambda total, row: (total + row, row * 2), y[0], y)[0],
    "computed anew": lambda y: jax.checkpoint(
        lambda y: jnp.tanh(conv(y, WEIGHT[:3].swapaxes(0, 1)[:, :1].repeat(4, 1)))
    )(y),
    "whole numbers": lambda y: jnp.round(y).astype(jnp.int32).astype(jnp.float32) * y,
    "bits": lambda y: lax.bitcast_convert_type(y, jnp.int32) % 7 + lax.bitcast_convert_type(y, jnp.uint8).sum(-1),
}


@pytest.mark.parametrize("case", CASES)
def test_values_and_gradients_are_the_same(case):
    checked(lambda x, weight: CASES[case](conv(x, weight)), X, WEIGHT)


@pytest.mark.parametrize("seed", range(12))
def test_random_programs(seed):
    """Between convolutions three of the cases whose results have four axes."""
    random = np.random.default_rng(seed)
    names = random.choice([*CASES], 12)

    def program(x, weight):
        y, count = conv(x, weight), 0
        for name in names:
            made = CASES[name](y) if y.shape == (2, 4, 8, 6) else None
            if made is None or isinstance(made, tuple) or made.shape[:2] != (2, 4) or made.ndim != 4:
                continue
            y = jax.image.resize(made, (2, 4, 8, 6), "nearest") if made.shape != (2, 4, 8, 6) else made
            count += 1
            if count == 3:
                break
        return conv(jnp.tanh(y), weight.swapaxes(0, 1))

    checked(program, X, WEIGHT, rtol=1e-4)


@pytest.mark.parametrize(
    ("shape", "kernel", "settings"),
    [
        *[((2, 4, 9), (6, 4, 3), {}), ((2, 4, 5, 6, 7), (6, 4, 3, 1, 3), {})],
        *[
            ((2, 4, 9, 8), (6, 2, 3, 3), {"feature_group_count": 2}),
            ((4, 4, 9, 8), (6, 4, 3, 3), {"batch_group_count": 2}),
        ],
        ((2, 4, 9, 8), (6, 4, 3, 3), {"lhs_dilation": (2, 3), "rhs_dilation": (1, 2), "padding": [(1, 3), (2, 0)]}),
        ((2, 4, 9, 8), (6, 4, 1, 1), {}),
    ],
)
def test_all_convolutions(shape, kernel, settings):
    x, weight = RNG.normal(size=shape).astype(np.float32), RNG.normal(size=kernel).astype(np.float32)
    ending = RNG.normal(size=(3, 6, *kernel[2:])).astype(np.float32)
    checked(lambda x, weight: conv(jnp.tanh(conv(x, weight, **settings)), ending), x, weight)


@pytest.mark.parametrize(("dtype", "tolerance"), [("float32", 1e-4), ("bfloat16", 5e-2)])
def test_nothing_between_convolutions_is_transposed(dtype, tolerance):
    def convolved(*operands):
        return conv(*[each.astype(dtype) for each in operands]).astype(jnp.float32)

    def residual(x, weight, second):
        y = jax.nn.relu(batch_norm(convolved(x, weight), jnp.ones(4, jnp.float32)))
        z = jnp.concatenate([y, jax.nn.silu(convolved(y, second)) + y], 1)
        return convolved(pooled(z, lax.max, -jnp.inf), weight.repeat(3, 1)[:, :8]).mean((2, 3))

    second = RNG.normal(size=(4, 4, 3, 3)).astype(np.float32)
    equations = checked(residual, X, WEIGHT, second, rtol=1e-3, atol=tolerance)
    moved = [each.invars[0].aval.shape for each in equations if each.primitive.name == "transpose"]
    images = [
        shape for shape in moved if len(shape) == 4 and 2 in shape[:2] and 3 not in shape
    ]  # but for the operand and its gradient
    assert not images, images


def chain(x, weight):
    return conv(jnp.tanh(conv(jnp.tanh(conv(x, weight)), weight.swapaxes(0, 1))), weight)


def of_weights(x, y):
    return lax.conv_general_dilated(x, y, (1, 1), "VALID", dimension_numbers=("CNHW", "IOHW", "CNHW"))


@pytest.mark.parametrize(
    ("function", "dtype"),
    [
        *[(lambda x, weight: x.sum() + weight.sum(), "float32"), (chain, "float16"), (of_weights, "float32")],
        (lambda x, weight: (jax.debug.print("{}", x[0, 0, 0, 0]), chain(x, weight))[1], "float32"),
        (lambda x, weight: conv(jnp.sort(conv(x, weight), 1), WEIGHT.swapaxes(0, 1)), "float32"),
    ],
    ids=["no convolution", "half precision", "one that gives weights", "effects", "channels first between them"],
)
def test_other_programs_stay_as_they_are(function, dtype):
    assert channels_last.rewritten(jax.make_jaxpr(chain)(X, WEIGHT)) is not None
    second = X if function is of_weights else WEIGHT
    assert channels_last.rewritten(jax.make_jaxpr(function)(X.astype(dtype), second.astype(dtype))) is None


def test_what_the_rules_do_not_know_is_compiled_as_it_is(monkeypatch):
    monkeypatch.setitem(channels_last._RULES, "tanh", lambda equation, values: equation.params["unknown"])
    with pytest.warns(RuntimeWarning, match=r"KeyError: 'unknown'.*MSGRAD_LAYOUTS=off"):
        assert channels_last.rewritten(jax.make_jaxpr(chain)(X, WEIGHT)) is None


class Net(nn.Cell):
    """Convolutions with and without groups, norms, pooling, a branch; ``rank`` makes it another program."""

    def __init__(self, rank):
        super().__init__()
        self.rank = rank
        self.first, self.norm = nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8)
        self.deep = nn.Conv2d(8, 8, 3, group=8, has_bias=True)
        self.points, self.grow = (
            nn.Conv2d(8, 4, 1),
            nn.Conv2dTranspose(4, 8, 2, 2),
        )
        self.pool, self.dropout, self.head = nn.MaxPool2d(2, 2), nn.Dropout(p=0.3), nn.Dense(16, 2)

    def construct(self, x):
        y = ops.relu(self.norm(self.first(x)))
        z = self.grow(ops.tanh(self.points(self.pool(self.deep(y)))))
        z = self.dropout(ops.cat([y, z], 1)).mean((2, 3))
        return (self.head(z) ** 2).sum().reshape((1,) * self.rank).sum()


def trained(rank):
    ms.set_seed(3)
    net = Net(rank).set_train()
    step = nn.TrainOneStepCell(net, nn.Momentum(net.trainable_params(), 0.01, 0.9))
    return [*[step(Tensor(X)) for _ in range(3)], *net.get_parameters()]


def test_a_training_step_has_the_same_values(mode, monkeypatch):
    monkeypatch.setattr(tiers.Tiers, "allowed", False)
    monkeypatch.setattr(channels_last, "ALLOWED", False)
    monkeypatch.setattr(channels_last, "_MOST", 2)
    before = counts["of these with channels last"]
    expected = trained(1)
    assert counts["of these with channels last"] == before
    monkeypatch.setattr(channels_last, "ALLOWED", True)
    for one, other in zip(expected, trained(2), strict=True):
        assert_close(other, one.asnumpy(), rtol=1e-4, atol=1e-5)
    assert counts["of these with channels last"] > before
