"""Functions of JAX's whose programs are padded, with operands of any size: at least one for each rule."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from msgrad.engine.lengths.sizes import symbols_among
from msgrad.engine.lengths.template import Template
from msgrad.ops.image.interpolating import cubic, linear, nearest
from msgrad.ops.image.resize import indices_of_nearest
from msgrad.ops.nn.adaptive_pooling import window_means
from msgrad.ops.random.parallel_minstd import states_of_shape
from tests.engine.lengths.arrays import floats, ints, positive

SAMPLES, SIZES, BUCKET = (5, 6, 9), (3, 4, 7, 8, 12), 12


def attention(x):
    mask = jnp.where(jnp.tril(jnp.ones((x.shape[1],) * 2, bool)), 0.0, -jnp.inf)
    return jax.nn.softmax(jnp.einsum("btd,bsd->bts", x, x) / 2.0 + mask) @ x


def masked(x):
    """``x`` and constants that NumPy makes of its shape."""
    n = x.shape[-1]
    triangles = [jnp.asarray(np.tril(np.full((n, n), 2.0, np.float32), k)) for k in (-2, 0, 1)]
    future = jnp.asarray(np.triu(np.ones((1, n, n), bool), 1))
    positions = jnp.asarray(np.arange(3, 3 + 2 * n, 2)), jnp.asarray(np.arange(n)[:, None] - np.arange(n))
    return x * sum(triangles), jnp.where(future, -np.inf, x), x + positions[0], x * positions[1], x / np.full(n, 4.0)


def normalized(x, scale):
    deviation = x - x.mean(-1, keepdims=True)
    return deviation / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5) * scale


def cross_entropy(x, labels):
    logits = jax.nn.log_softmax(jax.nn.gelu(x).reshape(-1, x.shape[-1]))
    return -jnp.take_along_axis(logits, labels.reshape(-1, 1), 1).mean()


def gradient(fn, *positions):
    return jax.grad(lambda *args: jnp.sum(fn(*args) ** 2), argnums=positions or 0)


def convolved(strides, padding):
    return lambda x, w: lax.conv_general_dilated(x, w, strides, padding)


def window(reduction):
    start = {lax.max: -np.inf, lax.min: np.inf, lax.add: 0.0}[reduction]
    return lambda x: lax.reduce_window(x, np.float32(start), reduction, (1, 3), (1, 2), [(0, 0), (1, 1)])


def updated(x, positions):
    at = x.at[:, positions]
    return at.set(5.0), at.add(1.0), at.max(0.0), at.min(0.0), at.mul(2.0)


def updated_rows(x, positions):
    return x.at[positions].set(5.0), x.at[positions].add(2.0), x.at[positions].min(0.0)


def turn(carry, x):
    return jnp.tanh(carry + x.sum()), carry.sum() * x


def near(x, count, axis, at):
    return nearest(x, indices_of_nearest(x.shape[axis], count, at, None), axis, at)


STATE = np.uint64(12345)


def drawn(x, key):
    key = jax.random.fold_in(jax.random.wrap_key_data(key), 5)
    normal = jax.random.normal(key, x.shape, np.float64)
    return x * jax.random.uniform(key, x.shape), normal, jax.random.bits(key, x.shape, np.uint8)


FAR = np.array([0, 2, 5, 30, 11], np.int32)  # positions, some of them outside
# name: (function, arguments at a size)
CASES = {
    "softmax": (jax.nn.softmax, lambda n: [floats(3, n)]),
    "mean, variance": (lambda x: (x.mean(), x.var(1), x.std()), lambda n: [floats(3, n)]),
    "products, extremes": (lambda x: (x.prod(1), x.max(), x.min(0), x.argmax(1), x.argmin()), lambda n: [floats(4, n)]),
    "bool reductions": (lambda x: (x.any(1), x.all(1), (x > 0).sum()), lambda n: [floats(4, n) > -1]),
    "not a number in the padding": (lambda x: (jnp.log(x), (1 / x).sum(), jnp.log(x) @ (1 / x).T),
                                    lambda n: [positive(3, n)]),
    "cumulative": (lambda x: (jnp.cumsum(x, 1), lax.cumsum(x, 1, reverse=True), lax.cummax(x, 0),
                              lax.cumlogsumexp(x, 1, reverse=True), lax.cumprod(x, 1), lax.cummin(x, 1, reverse=True)),
                   lambda n: [floats(4, n)]),
    "sort": (lambda x: (jnp.sort(x, 1), jnp.argsort(x, 1), jnp.sort(x, 0), jnp.sort(x > 0, 1)),
             lambda n: [floats(4, n)]),
    "top_k": (lambda x: lax.top_k(x, 2), lambda n: [floats(4, n)]),
    "merged axes": (lambda x, w: ((x.reshape(-1, 6) @ w).reshape(4, -1, 5), x.reshape(-1).max(), x.reshape(-1).argmax(),
                                  jnp.cumsum(x.reshape(-1))), lambda n: [floats(4, n, 6), floats(6, 5)]),
    "merged and unmerged": (lambda x, y: x.reshape(-1) * y, lambda n: [floats(4, n), floats(4 * n)]),
    "split axes": (lambda y: (y.reshape(4, -1).sum(1), y.reshape(-1, 4).sum(0)), lambda n: [floats(4 * n)]),
    "heads": (lambda x: x.reshape(2, -1, 3, 4).transpose(0, 2, 1, 3), lambda n: [floats(2, n, 12)]),
    "joined heads": (lambda x: x.transpose(0, 2, 1, 3).reshape(2, -1, 12), lambda n: [floats(2, 3, n, 4)]),
    "slices": (lambda x: (x[:, :-1], x[:, 1:], x[:, -1], x[:, -2:], x[1:, 1:-1]), lambda n: [floats(3, n, 2)]),
    "slices with strides": (lambda x: (x[:, ::2], x[:, 1::2], lax.slice(x, (0, 1), (3, x.shape[1] - 1), (1, 2))),
                            lambda n: [floats(3, 2 * n)]),
    "slices' gradient": (gradient(lambda x: x[:, :-1] * x[:, 1:] + x[:, -1:] + x[:, -2:-1] ** 3),
                         lambda n: [floats(3, n, 2)]),
    "concatenation": (lambda x, y: (jnp.concatenate([x, y], 1), jnp.concatenate([y, x, x], 1)),
                      lambda n: [floats(3, n, 2), floats(3, 1, 2)]),
    "concatenation's gradient": (gradient(lambda x, y: jnp.concatenate([x, y, x * x], 1), 0, 1),
                                 lambda n: [floats(3, n, 2), floats(3, 1, 2)]),
    "pad": (lambda x: (jnp.pad(x, ((0, 0), (1, 2))), jnp.pad(x, ((1, 1), (0, 3)), constant_values=3.0).sum()),
            lambda n: [floats(3, n)]),
    "split, stack, tile, roll": (lambda x: (jnp.stack([x, x], 1).reshape(3, -1), jnp.tile(x, (1, 3)).cumsum(1),
                                            jnp.roll(x, 1, 1), jnp.repeat(x, 3, 1), x[:, ::-1], jnp.split(x, [2], 1)),
                                 lambda n: [floats(3, n)]),
    "arange": (lambda x: x + jnp.arange(x.shape[1]), lambda n: [floats(3, n)]),
    "constants of the size": (masked, lambda n: [floats(2, n, n)]),
    "functions of the size": (lambda x: x / x.shape[1] + x / np.float32(x.shape[1] ** 0.5), lambda n: [floats(3, n)]),
    "attention": (attention, lambda n: [floats(2, n, 4)]),
    "attention's gradient": (gradient(attention), lambda n: [floats(2, n, 4)]),
    "layer norm's gradient": (gradient(normalized, 0, 1), lambda n: [floats(4, n, 6), floats(6)]),
    "cross entropy's gradient": (jax.grad(cross_entropy), lambda n: [floats(3, n, 7), ints(7, 3, n)]),
    "embedding": (lambda w, i: w[i], lambda n: [floats(11, 4), ints(11, 3, n)]),
    "embedding's gradient": (gradient(lambda w, i: w[i]), lambda n: [floats(11, 4), ints(11, 3, n)]),
    "gather": (lambda x, i: (jnp.take(x, i, 1, mode="clip"), jnp.take(x, i, 1, mode="fill"), x[:, jnp.array([-1, 0])]),
               lambda n: [floats(3, n), FAR]),
    "gather along an axis": (gradient(lambda x, i: jnp.take_along_axis(x, i, -1)),
                             lambda n: [floats(3, n, 9), ints(9, 3, n, 1)]),
    "gather along merged axes": (gradient(lambda x, i: jnp.take_along_axis(x.reshape(-1, 9), i.reshape(-1, 1), 1)),
                                 lambda n: [floats(3, n, 9), ints(9, 3, n)]),
    "gather along an axis that is merged": (gradient(lambda x, y, i: (
        jnp.take_along_axis(x.reshape(-1), i, 0).reshape(3, -1) * jnp.take_along_axis(y, i.reshape(3, -1), 1)), 0, 1),
                                            lambda n: [floats(3, n), floats(3, 9), ints(9, 3 * n)]),
    "scatter": (updated, lambda n: [floats(3, n), FAR]),
    "scatter of as many": (updated_rows, lambda n: [floats(9, 4), ints(9, n)]),
    "dynamic slices": (lambda x, i: (lax.dynamic_slice_in_dim(x, i, 2, 1),
                                     lax.dynamic_slice_in_dim(x, i, x.shape[1] - 1, 1)),
                       lambda n: [floats(3, n), np.int32(40)]),
    "dynamic updates": (lambda x, y, u, i: (lax.dynamic_update_slice_in_dim(x, y, i, 1),
                                            lax.dynamic_update_slice_in_dim(y, u, i + 90, 1)),
                        lambda n: [floats(3, 20), floats(3, n), floats(3, 2), np.int32(5)]),
    "products over the size": (lambda x: ((x @ x.T).sum(), x.T @ x), lambda n: [floats(n, n)]),
    "batched products": (jnp.matmul, lambda n: [floats(n, 3, n), floats(n, n, 2)]),
    "convolution": (gradient(convolved((1, 1), "SAME"), 0, 1), lambda n: [floats(2, 3, n, n), floats(4, 3, 3, 3)]),
    "convolution without padding": (gradient(convolved((1, 1), "VALID"), 0, 1),
                                    lambda n: [floats(2, 3, n, 8), floats(4, 3, 2, 3)]),
    "convolution of a batch": (gradient(convolved((2, 2), "SAME"), 0, 1),
                               lambda n: [floats(n, 3, 8, 8), floats(4, 3, 3, 3)]),
    "convolution with strides": (gradient(convolved((2, 2), [(1, 1), (3, 3)]), 0, 1),
                                 lambda n: [floats(2, 3, 4 * n, 4 * n), floats(4, 3, 3, 7)]),
    "windows": (lambda x: (window(lax.max)(x), window(lax.min)(x), window(lax.add)(x),
                           lax.reduce_window(x, 0.0, lax.add, (1, x.shape[1]), (1, x.shape[1]), "VALID")),
                lambda n: [floats(2, 2 * n) - 3]),
    "gradients of windows": (gradient(lambda x: window(lax.max)(x) + window(lax.add)(x)), lambda n: [floats(2, 2 * n)]),
    "scan over the size": (lambda x, h: (lax.scan(turn, h, x), lax.scan(turn, h, x, reverse=True)),
                           lambda n: [floats(n, 4), floats(4)]),
    "scan's gradient": (gradient(lambda x, h: lax.scan(turn, h, x)[1], 0, 1), lambda n: [floats(n, 4), floats(4)]),
    "scan of rows of the size": (lambda x, h: lax.scan(turn, h, x), lambda n: [floats(4, n), floats(n)]),
    "masks in a loop and after it": (lambda x: (lax.scan(lambda c, row: (c + row.sum(), row.max()), 0.0, x), x.max(1)),
                                     lambda n: [floats(4, n)]),
    "while": (lambda x: lax.while_loop(lambda c: c.sum() < 50, lambda c: c * 1.5, x), lambda n: [positive(4, n)]),
    "computed anew": (gradient(lambda x: jax.checkpoint(lambda x: jnp.tanh(x).sum(1))(x * 2)),
                      lambda n: [floats(4, n)]),
    "interpolated": (lambda x: (linear(x, 2 * x.shape[1], 1, "half_pixel", 2), linear(x, x.shape[1], 2, "asymmetric"),
                                linear(x, 3 * x.shape[1], 1, "half_pixel"),
                                linear(x, 4 * x.shape[2], 2, "align_corners")), lambda n: [floats(2, 2 * n, n)]),
    "interpolated, its gradient": (gradient(lambda x: linear(linear(x, 2 * x.shape[1], 1, "half_pixel", 2), 9, 2,
                                                             "align_corners")), lambda n: [floats(2, n, 5)]),
    "interpolated by cubes": (lambda x: (cubic(x, 3 * x.shape[1], 1, "half_pixel"),
                                         cubic(x, x.shape[1] + 5, 2, "half_pixel")), lambda n: [floats(2, n, 9)]),
    "interpolated by cubes, its gradient": (gradient(lambda x: cubic(cubic(x, 20, 1, "half_pixel"), x.shape[1], 2,
                                                                     "half_pixel")), lambda n: [floats(2, n, 4)]),
    "nearest elements": (lambda x: (near(x, 2 * x.shape[1] - 1, 1, "asymmetric"), near(x, 11, 1, "half_pixel"),
                                    near(x, x.shape[1] + 4, 2, "align_corners")), lambda n: [floats(2, n, 7)]),
    "nearest elements, their gradient": (gradient(lambda x: near(x, 2 * x.shape[1] - 1, 1, "asymmetric")),
                                         lambda n: [floats(2, n, 3)]),
    "means of windows": (lambda x: (window_means(x, 7, 1), window_means(x, x.shape[1], 2), window_means(x, 2, 1)),
                         lambda n: [floats(2, n, 5)]),
    "means of windows, their gradient": (gradient(lambda x: window_means(window_means(x, 3, 1), 2, 2)),
                                         lambda n: [floats(2, 2 * n, n)]),
    "barrier": (lambda x, y: lax.optimization_barrier((x, y.sum(1), y)), lambda n: [floats(n), floats(4, n)]),
    "random numbers": (drawn, lambda n: [floats(2, n, 3), np.array([7, 8], np.uint32)]),
    "numbers of minstd_rand0": (lambda x: (states_of_shape(STATE, x.shape), states_of_shape(STATE, (2, *x.shape))),
                                lambda n: [floats(3, n, n)]),
    "bits as numbers": (lambda x: lax.bitcast_convert_type(x, np.int32) * 2, lambda n: [floats(3, n)]),
    "cond": (lambda x: lax.cond(x.sum() > 0, lambda y: y * 2, lambda y: y - y.mean(), x), lambda n: [floats(4, n)]),
}  # fmt: skip


def template_of(fn, arguments):
    jaxprs = [jax.make_jaxpr(fn)(*arguments(size)) for size in SAMPLES]
    shapes = [[each.shape for each in jaxpr.in_avals] for jaxpr in jaxprs]
    symbols = symbols_among([axis for column in zip(*shapes, strict=True) for axis in zip(*column, strict=True)])
    return Template(jaxprs, symbols)
