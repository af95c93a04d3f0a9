"""Attention: each formulation gives what the plain one does, and the operations give what their formulas say."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, ops
from msgrad.engine.host import to_device
from msgrad.engine.recording.program import Step
from msgrad.ops.attention import formulations, kernel, kernels
from msgrad.ops.attention.formulations import in_blocks, whole
from msgrad.ops.attention.steps import Causal, Dropped, Filled, Hidden, Kept, Minus, Over, Plus, Shifted, Times
from msgrad.ops.attention.steps import positions as places
from msgrad.ops.random.kernels import uniform_of_state
from msgrad.ops.random.positions import kept_at
from tests.helpers import assert_close

pytestmark = pytest.mark.usefixtures("in_body")

RANDOM = np.random.RandomState(0)
PROBABILITY = to_device(np.float64(0.7))
KEY, STATE = jnp.array([3, 9], np.uint32), jnp.uint32(12345)


def normal(*shape):
    return jnp.asarray(RANDOM.standard_normal(shape).astype(np.float32))


def bits(*shape):
    return jnp.asarray(RANDOM.rand(*shape) < 0.3)


def number(value):
    return jnp.float32(value)


B, N, T, S = 2, 4, 21, 13
ROW, COLUMN = places(T, S)
STEPS = {  # name: steps, dropout, heads of keys, and other lengths
    "none": ([], None, 4),
    "scaled": ([Times(number(0.3)), Over(number(1.7))], None, 4),
    "biases": ([Plus(normal(B, 1, 1, S)), Times(number(0.3)), Minus(normal(1, N, T, S))], None, 2),
    "masks": ([Filled(bits(B, 1, T, S), number(-1e9)), Filled(bits(1, 1, T, 1), number(0.0))], None, 1),
    "causal": ([Times(number(0.3)), Causal(T, S)], None, 4),
    "band": ([Hidden(lambda row, column: abs(row - column) > 3, ROW, COLUMN)], None, 2),
    "by distance": ([Shifted(normal(1, N, 1, S), ROW, COLUMN)], None, 4),
    "dropout by a key": ([], Dropped((B, N, T, S), KEY, PROBABILITY, 5), 4),
    "dropout by a state": ([Causal(T, S)], Dropped((B, N, T, S), STATE, PROBABILITY, None), 2),
    "dropout by a mask": ([], Kept(bits(B, N, T, S), number(0.3)), 4),
}


@pytest.fixture
def wide():
    """JAX's types of 64 bits, as within operations."""
    with jax.enable_x64(True):
        yield


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("name", STEPS)
def test_blocks_give_the_values_and_gradients_of_the_whole(name, monkeypatch):
    steps, drop, heads = STEPS[name]
    operands = [normal(B, N, T, 8), normal(B, heads, S, 8), normal(B, heads, S, 6)]
    # Biases are differentiated too: their step is made anew of what is given.
    extra = [step.operands[0] for step in steps if isinstance(step, (Plus, Minus))]

    def loss(form):
        def of(q, k, v, *biases):
            given = iter(biases)
            made = [type(step)(next(given)) if isinstance(step, (Plus, Minus)) else step for step in steps]
            attended = form(q, k, v, made, drop)
            return (attended * jnp.cos(attended)).sum(), attended

        return jax.jit(jax.value_and_grad(of, tuple(range(3 + len(extra))), has_aux=True))

    expected = loss(whole)(*operands, *extra)
    monkeypatch.setattr(formulations, "_ROWS", 8)  # two blocks, and the remaining five rows
    for actual, value in zip(*map(jax.tree.leaves, (loss(in_blocks)(*operands, *extra), expected)), strict=True):
        assert_close(np.asarray(actual), np.asarray(value), rtol=1e-5, atol=1e-5)


@pytest.mark.usefixtures("wide")
def test_dropout_at_positions_is_that_of_all():
    keep_prob, at = jnp.asarray(0.7), jnp.arange(1001, dtype=np.uint64).reshape(7, 11, 13)
    expected = jax.random.bernoulli(jax.random.wrap_key_data(KEY), keep_prob, at.shape)
    assert (kept_at(KEY, None, keep_prob, at, at.size) == expected).all()
    expected = uniform_of_state(STATE, at.shape) < keep_prob.astype(np.float32)
    assert (kept_at(STATE, None, keep_prob, at, at.size)[2:5] == expected[2:5]).all()


def test_memory_grows_with_the_length(monkeypatch):
    monkeypatch.setattr(formulations, "_ROWS", 32)

    def needed(form, length):
        given = [jax.ShapeDtypeStruct((1, 2, length, 8), np.float32)] * 3
        gradient = jax.grad(lambda *operands: form(*operands, [Causal(length, length)]).sum(), (0, 1, 2))
        return jax.jit(gradient).lower(*given).compile().memory_analysis().temp_size_in_bytes

    assert needed(in_blocks, 1024) < 2.2 * needed(in_blocks, 512)
    assert needed(in_blocks, 1024) < needed(whole, 1024) / 8


def formula(query, key, value, scale=1.0, hidden=False, shift=0.0):
    """Attention by NumPy for operands ``(B, N, S, D)``."""
    query, key, value = (x.asnumpy() for x in (query, key, value))
    key, value = (np.repeat(x, query.shape[1] // x.shape[1], 1) for x in (key, value))
    scores = np.where(hidden, -1e30, (np.einsum("bntd,bnsd->bnts", query, key) + shift) * scale)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True)) @ value


DISTANCE = np.arange(7) - np.arange(5)[:, None]
MASK = RANDOM.rand(5, 7) < 0.3
MODES = {
    "mode 0 without a mask": ({"pre_tokens": 1, "next_tokens": 0}, False),
    "mode 0": (
        {"attn_mask": Tensor(MASK), "pre_tokens": 3, "next_tokens": 2},
        MASK | (DISTANCE > 2) | (DISTANCE < -3),
    ),
    "mode 1": ({"attn_mask": Tensor(MASK), "sparse_mode": 1, "next_tokens": 0}, MASK),
    "mode 2": ({"sparse_mode": 2}, DISTANCE > 0),
    "mode 3": ({"sparse_mode": 3}, DISTANCE > 2),
    "mode 4": ({"sparse_mode": 4, "pre_tokens": 1, "next_tokens": 1}, (DISTANCE > 3) | (DISTANCE < 1)),
    "mode 5": (
        {"sparse_mode": 5, "prefix": (4, 6)},
        (DISTANCE > 2) & (np.arange(7) >= np.array([4, 6])[:, None, None, None]),
    ),
}
LAYOUTS = {
    "BNSD": lambda x: x,
    "BSND": lambda x: x.transpose(0, 2, 1, 3),
    "BSH": lambda x: x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1),
    "SBH": lambda x: x.transpose(2, 0, 1, 3).reshape(x.shape[2], x.shape[0], -1),
}


def tensors(*shapes):
    return [Tensor(np.asarray(normal(*shape))) for shape in shapes]


@pytest.mark.parametrize("name", MODES)
def test_modes_hide_pairs(name):
    operands = tensors((2, 4, 5, 8), (2, 2, 7, 8), (2, 2, 7, 8))
    arguments, hidden = MODES[name]
    actual = ops.flash_attention_score(*operands, 4, scalar_value=0.3, input_layout="BNSD", **arguments)
    assert_close(actual, formula(*operands, 0.3, hidden).astype(np.float32), rtol=1e-5)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(layout):
    operands = tensors((2, 4, 5, 8), (2, 2, 7, 8), (2, 2, 7, 8))
    arranged = [LAYOUTS[layout](x) for x in operands]
    actual = ops.flash_attention_score(*arranged, 4, scalar_value=0.3, input_layout=layout)
    expected = LAYOUTS[layout](Tensor(formula(*operands, 0.3).astype(np.float32)))
    assert_close(actual, expected, rtol=1e-5)


@pytest.mark.parametrize("mode", [0, 2, 3, 4])
def test_packed_sequences_do_not_see_each_other(mode):
    query, key, value = tensors((9, 4, 8), (12, 2, 8), (12, 2, 8))
    ends = [3, 7, 9], [4, 9, 12]
    arguments = {"scalar_value": 0.3, "sparse_mode": mode, "pre_tokens": 1, "next_tokens": 1}
    actual = ops.flash_attention_score(
        query, key, value, 4, input_layout="TND", actual_seq_qlen=ends[0], actual_seq_kvlen=Tensor(ends[1]), **arguments
    )
    parts = []
    for own, other in zip(*[zip([0, *each], each, strict=False) for each in ends], strict=True):
        alone = [x[slice(*at)].swapaxes(0, 1)[None] for x, at in ((query, own), (key, other), (value, other))]
        parts.append(ops.flash_attention_score(*alone, 4, input_layout="BNSD", **arguments)[0].swapaxes(0, 1))
    assert_close(actual, ops.cat(parts), rtol=1e-5, atol=1e-6)


def test_dropout_by_a_mask_of_bits():
    query, key, value = tensors((2, 4, 5, 8), (2, 4, 8, 8), (2, 4, 8, 8))
    stays = RANDOM.rand(2, 4, 5, 8) < 0.6
    packed = Tensor(np.packbits(stays, -1, bitorder="little"))
    identity = Tensor(np.broadcast_to(np.eye(8, dtype=np.float32), (2, 4, 8, 8)).copy())
    actual = ops.flash_attention_score(query, key, value, 4, drop_mask=packed, keep_prob=0.6, input_layout="BNSD")
    weights = formula(query, key, identity)
    assert_close(actual, ((weights * stays / 0.6) @ value.asnumpy()).astype(np.float32), rtol=1e-4, atol=1e-5)


def test_a_shift_of_1024_rows_goes_by_the_distance():
    operands, length = tensors(*[(1, 2, 1030, 4)] * 3), np.arange(1030)
    distance = length - length[:, None]
    shift = (np.array([0.5, 0.25])[:, None, None] * distance)[None].astype(np.float32)
    arguments = {"input_layout": "BNSD", "sparse_mode": 2}
    actual = ops.flash_attention_score(*operands, 2, real_shift=Tensor(shift[:, :, -1024:]), **arguments)
    assert_close(actual, formula(*operands, 1.0, distance > 0, shift).astype(np.float32), rtol=1e-4, atol=1e-5)


def test_inference_gives_the_sums_of_the_softmax():
    query, key, value = tensors((2, 4, 3, 8), (2, 2, 5, 8), (2, 2, 5, 8))
    attended, sums = ops.fused_infer_attention_score(
        query, key, value, num_heads=4, input_layout="BNSD_BSND", actual_seq_lengths_kv=[2, 4], softmax_lse_flag=True
    )
    hidden = np.arange(5) >= np.array([2, 4])[:, None, None, None]
    assert_close(attended.swapaxes(1, 2), formula(query, key, value, 1.0, hidden).astype(np.float32), rtol=1e-5)
    scores = np.where(hidden, -np.inf, query.asnumpy() @ np.repeat(key.asnumpy(), 2, 1).swapaxes(2, 3))
    assert_close(sums, np.log(np.exp(scores).sum(-1, keepdims=True)).astype(np.float32), rtol=1e-5)


@pytest.mark.parametrize("lengths", [(1, 1), (1, 5), (5, 1), (0, 3), (3, 0)])
def test_short_sequences(lengths):
    query, key, value = tensors((2, 2, lengths[0], 4), *[(2, 2, lengths[1], 4)] * 2)
    actual = ops.flash_attention_score(query, key, value, 2, input_layout="BNSD")
    assert_close(actual, formula(query, key, value).astype(np.float32) if all(lengths) else np.zeros(query.shape, "f4"))


def once_differentiable(is_causal, q, k, v, bias):
    """In place of a kernel of an accelerator: what JAX differentiates once, in reverse mode."""

    def attention(*operands):
        steps = [] if operands[3] is None else [Plus(operands[3])]
        return whole(*operands[:3], [*steps, Causal(q.shape[2], k.shape[2])] if is_causal else steps)

    def closed(function):
        """``function``, whose derivative is an error."""
        wrapped = jax.custom_jvp(function)
        wrapped.defjvp(lambda *_: pytest.fail("a kernel was differentiated"))
        return wrapped

    call = jax.custom_vjp(attention)
    backward = closed(lambda operands, cotangent: jax.vjp(attention, *operands)[1](cotangent))
    call.defvjp(lambda *operands: (closed(attention)(*operands), operands), backward)
    CALLS.append(bias is not None)
    return call(q, k, v, bias)


CALLS = []


def by_query(q, k, v, hidden):
    return ops.flash_attention_score(q, k, v, 2, scalar_value=0.3, input_layout="BNSD", sparse_mode=2)


def by_hand(q, k, v, hidden):
    scores = (ops.matmul(q, k.swapaxes(-1, -2)) * 0.3).masked_fill(hidden, -1e9)
    return ops.matmul(ops.softmax(scores, -1), v)


def not_hidden(q, k, v, hidden):
    scores = (ops.matmul(q, k.swapaxes(-1, -2)) * 0.3).masked_fill(hidden, 0.25)
    return ops.matmul(ops.softmax(scores, -1), v)


@pytest.mark.parametrize("attend", [by_query, by_hand, not_hidden])
def test_a_kernel_has_all_derivatives(attend, monkeypatch):
    on_platform = jax.lax.platform_dependent
    monkeypatch.setattr(kernels, "platforms", lambda: ("cuda",))
    monkeypatch.setattr(kernels, "_cudnn", once_differentiable)
    monkeypatch.setattr(jax.lax, "platform_dependent", lambda default, cuda: on_platform(default=default, cpu=cuda))
    q, k, v = [x.astype(ms.float16) for x in tensors(*[(1, 2, 64, 8)] * 3)]
    hidden = Tensor(np.asarray(bits(1, 1, 1, 64)))

    def loss(*operands):
        return attend(*operands, hidden).astype(ms.float32).square().sum()

    gradient = ms.grad(loss, (0, 1, 2))

    def derivatives():
        first = gradient(q, k, v)
        second = ms.grad(lambda *x: sum(each.astype(ms.float32).square().sum() for each in gradient(*x)))(q, k, v)
        along = ms.jvp(loss, (q, k, v), (q, k, v))
        mixed = ms.jvp(lambda *x: gradient(*x)[0], (q, k, v), (q, k, v))
        mapped = ms.vmap(lambda *x: attend(*x, hidden))(*[ops.stack([x, x]) for x in (q, k, v)])
        return [each.asnumpy().astype(np.float32) for each in (*first, second, *along, *mixed, mapped)]

    monkeypatch.setattr(Step, "_roots", {})  # no program is compiled yet
    CALLS.clear()
    actual = derivatives()
    assert CALLS
    monkeypatch.undo()
    monkeypatch.setattr(Step, "_roots", {})
    for one, other in zip(actual, derivatives(), strict=True):
        assert_close(one, other, rtol=1e-2, atol=1e-2 * abs(other).max())


@pytest.mark.parametrize(
    ("platforms", "length", "dtype", "is_dropped", "pays"),
    [
        ((), 512, np.float32, False, False),
        ((), 1024, np.float32, False, True),
        (("cuda",), 1024, np.float32, False, False),
        (("cuda",), 1024, np.float32, True, True),
        (("cuda",), 1024, np.float16, True, True),
        (("cuda",), 512, np.float16, True, False),
        (("cuda",), 64, np.float16, False, True),
        (("cuda",), 2048, np.float32, False, True),
    ],
)
def test_from_which_length_on_attention_holds_no_weights(platforms, length, dtype, is_dropped, pays, monkeypatch):
    monkeypatch.setattr(kernels, "platforms", lambda: platforms)
    shape = 1, 2, length, 8
    assert kernel.pays(shape, shape, shape, [np.dtype(dtype)] * 3, is_dropped) is pays
