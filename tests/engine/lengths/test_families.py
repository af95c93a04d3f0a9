"""Families: which programs of several sizes are one, by what rule their sizes follow, and which are not."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad._contracts.contracts import Array
from msgrad.engine.execution import at_once, execute, families, op_families, op_traces, relatives, tiers
from msgrad.engine.execution.executables import Executable
from msgrad.engine.execution.proofs import Remainders
from msgrad.engine.lengths.constants import digest
from msgrad.engine.lengths.rounded import RoundedSymbols
from msgrad.engine.lengths.rules import RULES
from msgrad.engine.lengths.sizes import NotUniform, TooFew, constant, symbols_among
from msgrad.engine.recording.program import Step
from msgrad.ops._core.define import op
from msgrad.ops._core.faces import Dialect
from tests.engine.lengths.arrays import floats, positive
from tests.engine.lengths.programs import Decoder, compiled, generated, seeded


def test_sizes_are_polynomials_of_those_that_vary():
    batch, length = (2, 2, 5, 5, 7), (10, 11, 10, 13, 17)
    symbols = symbols_among([batch, length, (3,) * 5])
    assert symbols.columns == [batch, length]
    product = symbols.size_of(tuple([3 * b * (n - 1) for b, n in zip(batch, length, strict=True)]))
    assert product.at((4, 20)) == 3 * 4 * 19 and not product.grows
    assert symbols.size_of((8,) * 5) == constant(8)
    with pytest.raises(NotUniform):
        symbols.size_of((10, 11, 10, 13, 18))
    assert symbols_among([(20, 24, 36)]).columns == [(5, 6, 9)]  # multiples of 4
    for columns in ([(10, 11)], [(2, 2, 5, 5), (10, 11, 10, 11)], [batch[:3], (10, 11, 14)]):
        with pytest.raises(TooFew):
            symbols_among(columns)
    with pytest.raises(NotUniform):
        symbols_among([(2, 3, 5, 8), (9, 7, 1, 4), (1, 4, 9, 5)])


def test_odd_and_even_lengths_under_strides_share_one_program_each(monkeypatch):
    monkeypatch.setattr(tiers.Tiers, "allowed", False)
    # Where zeros are added follows from the length, too: at both ends of an even one, at the end of an odd one.
    net, pool = nn.Conv1d(2, 2, 4, stride=2, pad_mode="same", weight_init="one"), nn.MaxPool1d(3, 2)
    run = ms.jit(lambda x: net(x) * 2.0 - pool(x).max())
    arrays = [(floats(1, 2, length),) for length in (*range(20, 28), 60, 61, 90, 91, 31, 30)]
    results, count = compiled(run, arrays)
    assert count <= 8  # 14 without
    windows = np.lib.stride_tricks.sliding_window_view
    for (x,), result in zip(arrays, results, strict=True):
        zeros = 2 + x.shape[2] % 2
        wide = np.pad(x, ((0, 0), (0, 0), (zeros // 2, zeros - zeros // 2)))
        expected = 2 * windows(wide, 4, axis=2)[:, :, ::2].sum((1, 3)) - windows(x, 3, axis=2)[:, :, ::2].max()
        np.testing.assert_allclose(result, np.stack([expected] * 2, 1), rtol=1e-5, atol=1e-5)


def test_sizes_that_strides_round_share_a_program_whatever_their_remainders(monkeypatch):
    monkeypatch.setattr(tiers.Tiers, "allowed", False)
    convolution = nn.Conv2d(1, 2, 3, stride=2, pad_mode="pad", padding=1)
    net = nn.SequentialCell(convolution, nn.MaxPool2d(3, 2, pad_mode="pad", padding=1), nn.Flatten())
    gradient = ms.grad(lambda x: (net(x) ** 2).mean(), None, convolution.weight)
    # From the fifth on they share one, or two; the last ones have other remainders, by 4, than the samples.
    sizes = [
        (33, 51),
        (41, 64),
        (47, 37),
        (58, 45),
        (62, 50),
        (35, 61),
        (49, 39),
        (66, 46),
        (55, 55),
        (52, 43),
        (36, 48),
    ]
    images = [floats(1, 1, *size) for size in sizes]
    before = execute.report()["programs compiled"]
    results = [gradient(Tensor(image)).asnumpy() for image in images]
    assert execute.report()["programs compiled"] - before <= 6  # 11 without
    monkeypatch.setattr(families, "ALLOWED", False)
    monkeypatch.setattr(Step, "_roots", {})
    for image, result in list(zip(images, results, strict=True))[7:]:
        np.testing.assert_allclose(result, gradient(Tensor(image)).asnumpy(), rtol=1e-5, atol=1e-6)


def test_rounded_sizes_are_told_from_samples():
    heights, widths = (33, 41, 47, 58, 62), (51, 64, 37, 45, 50)
    symbols = RoundedSymbols([heights, widths])
    half = symbols.size_of(tuple([(each + 1) // 2 for each in heights]))
    quarter = symbols.size_of(tuple([each // 4 for each in widths]))
    area = symbols.size_of(tuple([(h + 1) // 2 * (w // 4) for h, w in zip(heights, widths, strict=True)]))
    assert area == half * quarter
    # Whichever rounding comes first: a reshape compares the area with the product.
    others = RoundedSymbols([heights, widths])
    other = others.size_of(tuple([each // 4 for each in widths]))
    half_of_heights = others.size_of(tuple([(each + 1) // 2 for each in heights]))
    assert others.size_of(tuple([(h + 1) // 2 * (w // 4) for h, w in zip(heights, widths, strict=True)])) == (
        half_of_heights * other
    )
    assert half.at((70, 9)) == half.at((69, 9)) == 35 and half.grows
    assert area.at((60, 80)) == 30 * 20 and symbols.period == 4
    with pytest.raises(NotUniform):
        symbols.size_of((1, 2, 4, 8, 16))
    with pytest.raises(TooFew):
        RoundedSymbols([heights[:4]])


def test_remainder_that_is_rounded_otherwise_is_no_member():
    remainders, traced = Remainders(4, [(33, 41, 50), (60, 64, 68)]), []
    assert remainders.hold((37, 72), lambda: pytest.fail("a sample had these remainders"))
    for is_as_traced, size in ((False, 35), (True, 36)):
        for _ in range(2):
            assert remainders.hold((size, 60), lambda result=is_as_traced: traced.append(1) or result) == is_as_traced
    assert len(traced) == 2


def test_square_images_share_a_program_from_the_fourth_size_on(monkeypatch):
    monkeypatch.setattr(tiers.Tiers, "allowed", False)
    net = nn.SequentialCell(nn.Conv2d(1, 2, 3, stride=2, pad_mode="pad", padding=1), nn.MaxPool2d(2, 2), nn.Flatten())
    gradient = ms.grad(lambda x: (net(x) ** 2).mean())
    images = [floats(1, 1, size, size) for size in (44, 40, 48, *range(52, 96, 4))]
    before = execute.report()["programs compiled"]
    results = [gradient(Tensor(image)).asnumpy() for image in images]
    assert execute.report()["programs compiled"] - before <= 8  # 14 without
    monkeypatch.setattr(families, "ALLOWED", False)
    monkeypatch.setattr(Step, "_roots", {})
    for image, result in list(zip(images, results, strict=True))[3::4]:
        np.testing.assert_allclose(result, gradient(Tensor(image)).asnumpy(), rtol=1e-4, atol=1e-6)


def test_program_whose_sizes_follow_no_rule_stays_exact():
    for length in (20, 21, 22, 23, 24, 31, 40):
        x = floats(2, length)
        root = int(length**0.5)
        run = ms.jit(lambda x, root=root: x[:, :root].sum(1) * 2.0)
        np.testing.assert_allclose(run(Tensor(x)).asnumpy(), x[:, :root].sum(1) * 2, rtol=1e-6)


def test_rule_that_fails_leaves_programs_exact(monkeypatch):
    def failing(site, value):
        raise ValueError("of JAX's")

    monkeypatch.setitem(RULES, "erf", failing)
    run = ms.jit(lambda x: ops.erf(x) * ops.sin(x))
    for length in range(20, 26):
        x = Tensor(floats(3, length))
        expected = ops.erf(x).asnumpy() * ops.sin(x).asnumpy()
        np.testing.assert_allclose(run(x).asnumpy(), expected, rtol=1e-6, atol=1e-7)


def test_rule_of_an_operation_is_proved_beyond_its_samples():
    @op(dialect=Dialect("users"))
    def mean_of_first(x: Array):
        """Mean of at most twenty elements."""
        return x[..., :20].sum(-1) / min(x.shape[-1], 20)

    run = ms.jit(lambda x: mean_of_first(x * 2.0) + 1.0)
    for length in (10, 12, 15, 17, 30, 40, 50, 60, 14):
        x = floats(3, length)
        np.testing.assert_allclose(run(Tensor(x)).asnumpy(), x[:, :20].mean(1) * 2 + 1, rtol=1e-5)


def test_lengths_between_and_below_the_samples_are_not_traced(monkeypatch):
    """Odd ones after even ones, too, and where a view has other strides."""
    # Other tests have tried templates for these operations, also in vain; and 29 is a size that none of them has.
    monkeypatch.setattr(op_families, "_structures", {})

    @ms.jit
    def run(x):
        scores = ops.softmax(x.swapaxes(0, 1) * 2.0, 0)
        return (scores[:-1] - scores.mean()).swapaxes(0, 1).reshape(-1)

    for length in (40, 24, 36, 28, 32, 48):
        run(Tensor(floats(29, length))).asnumpy()
    traced, make_jaxpr, trace = [], jax.make_jaxpr, Executable.traced
    monkeypatch.setattr(jax, "make_jaxpr", lambda *args, **kwargs: traced.append(1) or make_jaxpr(*args, **kwargs))
    monkeypatch.setattr(Executable, "traced", lambda *args: traced.append(2) or trace(*args))
    for length in (27, 11, 150, 13, 35):
        x = floats(29, length)
        exact = np.exp(2 * x) / np.exp(2 * x).sum(1, keepdims=True)
        expected = (exact[:, :-1] - exact.mean()).reshape(-1)
        np.testing.assert_allclose(run(Tensor(x)).asnumpy(), expected, rtol=1e-5, atol=1e-6)
    assert not traced


def test_layers_of_any_width_are_traced_at_few_sizes(monkeypatch):
    sizes, traced = [], op_traces._traced
    monkeypatch.setattr(op_traces, "_traced", lambda *args: sizes.append(args[2]) or traced(*args))
    net = nn.SequentialCell(nn.Dense(33, 57), nn.Dense(57, 41), nn.Dense(41, 33), nn.Dense(33, 41))
    for length in range(20, 30):
        net(Tensor(floats(2, length, 33)))
    assert {avals[0][0][1] for avals in sizes if avals[0][0][-1] in (33, 57, 41)} == {20, 21, 22}


def test_turns_of_prompt_and_token_compile_no_pieces(monkeypatch):
    monkeypatch.setattr(execute, "in_pieces", lambda *_: pytest.fail("in pieces"))
    net = seeded(lambda: Decoder(width=12))
    for _ in range(3):
        generated(net, np.arange(9, dtype=np.int32).reshape(1, 9))


def test_sizes_that_came_long_ago_share_a_program_with_later_ones(monkeypatch):
    """More sizes come than are compared: the first of them have been dropped when they come again."""
    monkeypatch.setattr(relatives, "_MOST_KEPT", 8)
    monkeypatch.setattr(tiers.Tiers, "allowed", True)
    monkeypatch.setattr(at_once, "takes", lambda program: False)  # so that each call is recorded
    net, tokens = seeded(lambda: Decoder(width=20)), np.array([[3, 1, 4]], np.int32)
    before, expected = execute.report()["programs compiled"], generated(net, tokens)[0]
    assert execute.report()["programs compiled"] == before
    monkeypatch.setattr(tiers.Tiers, "allowed", False)
    np.testing.assert_allclose(generated(net, tokens)[0], expected, rtol=1e-5, atol=1e-6)
    assert execute.report()["programs compiled"] - before == 2  # of the prompt, and of all tokens


def test_constants_are_part_of_the_name_on_disk():
    tables = [np.arange(3.0), np.arange(3.0) ** 2]
    jaxprs = [jax.make_jaxpr(lambda x, table=table: x + jnp.asarray(table))(positive(3)) for table in tables]
    assert str(jaxprs[0]) == str(jaxprs[1]) and digest(jaxprs[:1]) != digest(jaxprs[1:])
