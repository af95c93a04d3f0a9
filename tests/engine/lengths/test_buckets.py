"""Buckets: which compiled program serves which sizes, and when one for smaller sizes is compiled."""

import gc
import math
import types

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, ops
from msgrad.engine.execution import costs, op_families, relatives, resizing, tiers
from msgrad.engine.execution.buckets import Bucket, Buckets
from msgrad.engine.interpreter import make_plan
from msgrad.engine.lengths import costs as lengths_costs
from msgrad.engine.lengths.costs import TemplateCosts
from msgrad.engine.lengths.sizes import symbols_among
from msgrad.engine.lengths.template import Template
from msgrad.engine.recording.program import Step
from tests.engine.lengths.arrays import floats, positive
from tests.engine.lengths.cases import CASES, template_of


@pytest.mark.parametrize("name", ["softmax", "attention's gradient", "cross entropy's gradient", "convolution",
                                  "gather"])  # fmt: skip
def test_costs_at_any_size_are_those_of_the_plan_there(name):
    template = template_of(*CASES[name])
    costs = TemplateCosts(template)
    for size in (9, 40):
        plan = make_plan(template.at((size,)))
        assert costs.by_numpy((size,)) == pytest.approx(plan.seconds, rel=0.02)
        assert (costs.size, costs.kinds) == (plan.size, plan.kinds)


def test_costs_between_the_sizes_of_buckets_estimate_no_equation(monkeypatch):
    costs = TemplateCosts(template_of(*CASES["softmax"]))
    costs.padded((40,))
    costs.padded((80,))
    monkeypatch.setattr(lengths_costs, "seconds_of", None)
    for size in range(33, 96):
        assert costs.by_numpy((size,)) < costs.by_numpy((size + 1,))


def test_program_for_the_largest_size_serves_others_until_that_costs_more_than_compiling():
    buckets = Buckets(types.SimpleNamespace(template=template_of(*CASES["attention's gradient"])))
    small, large = buckets.own((20,)), buckets.own((200,))
    assert small is not large and buckets.serving((20,)) is None and buckets.chosen((20,)) is small
    buckets.note((200,))
    buckets.note((30,))
    buckets.costs.by_numpy = lambda symbols: math.inf
    assert buckets.chosen((20,)) is large
    large.executable = "compiled"
    assert buckets.serving((20,)) is large and buckets.serving((20,), 0.0) is None
    assert buckets.chosen(tuple([large.sizes[0] + 1])) is not large
    small.seconds_left = 0.0
    assert buckets.chosen((20,)) is small
    small.executable, small.seconds_left = "compiled", 1.0
    assert buckets.serving((20,)) is small


def test_sizes_that_fit_no_program_get_one_for_the_largest_of_all():
    jaxprs = [jax.make_jaxpr(jnp.tanh)(floats(*size)) for size in ((5, 9), (6, 5), (9, 7), (7, 8), (8, 6))]
    symbols = symbols_among(list(zip(*[each.in_avals[0].shape for each in jaxprs], strict=True)))
    buckets = Buckets(types.SimpleNamespace(template=Template(jaxprs, symbols)))
    buckets.costs.padded, buckets.costs.by_numpy = math.prod, lambda symbols: math.inf
    for sizes in ((60, 90), (40, 20)):
        buckets.note(sizes)
    first = buckets.chosen((60, 90))
    first.executable = "compiled"
    assert first.sizes >= (60, 90) and buckets.chosen((40, 20)) is first
    buckets.note((90, 30))
    largest = buckets.chosen((90, 30))
    assert largest.sizes[0] >= 90 and largest.sizes[1] >= 90
    buckets.costs.by_numpy = math.prod
    assert buckets.chosen((90, 30)).sizes[1] < 90


def test_launches_turn_to_a_smaller_program_when_it_would_have_paid(monkeypatch):
    monkeypatch.setattr(tiers.Tiers, "allowed", False)
    used, compiled = [], Bucket.compiled
    monkeypatch.setattr(Bucket, "compiled", lambda self, model: used.append(self) or compiled(self, model))
    run = ms.jit(lambda x: ops.cumsum(ops.tanh(x) * 2.0, 1))

    def check(length):
        x = floats(2, length, 400)
        np.testing.assert_allclose(run(Tensor(x)).asnumpy(), np.cumsum(np.tanh(x) * 2, 1), rtol=1e-4, atol=1e-4)

    for length in (300, 301, 302, 290, 20, 20):
        check(length)
    own = used[-1]._family.buckets.own((20,))
    assert len(set(used)) == 1 and used[0].sizes >= (302,) and own.seconds_left > 0
    own.seconds_left = 0.0
    check(20)
    assert used[-1] is own and own.sizes < (100,)


def test_lengths_of_several_buckets_have_the_next_program_in_common(monkeypatch):
    monkeypatch.setattr(tiers.Tiers, "allowed", False)
    used, compiled = [], Bucket.compiled
    monkeypatch.setattr(Bucket, "compiled", lambda self, model: used.append(self) or compiled(self, model))
    run = ms.jit(lambda x: ops.cumsum(ops.sin(x) * 2.0, 1))

    def check(*lengths):
        for length in lengths:
            x = floats(2, length, 400)
            np.testing.assert_allclose(run(Tensor(x)).asnumpy(), np.cumsum(np.sin(x) * 2, 1), rtol=1e-4, atol=1e-4)

    check(800, 801, 802, 20, 60, 150)
    buckets = used[-1]._family.buckets
    owns = [buckets.own((length,)) for length in (20, 60, 150)]
    savings = [dict(buckets.faster((length,), used[-1])) for length in (20, 60, 150)]
    assert len(set(owns)) == 3 and len(buckets.compiled()) == 1
    # All three count for the largest of their buckets, which is the first to have paid.
    budget = min([own.seconds_left for own in owns])
    rounds = math.ceil(owns[-1].seconds_left / sum([each[owns[-1]] for each in savings]))
    assert rounds * max([each.get(owns[0], 0) for each in savings]) < budget
    for own in owns:
        own.seconds_left -= (rounds - 1) * sum([each.get(own, 0) for each in savings])
    check(*(20, 60, 150) * 3)
    assert buckets.compiled() == sorted([used[0], owns[-1]], key=lambda each: each.sizes)
    assert set(used[-3:]) == {owns[-1]} and owns[0].seconds_left > 0.9 * budget


def test_cache_that_grew_is_the_next_operand_as_it_is(monkeypatch):
    monkeypatch.setattr(tiers.Tiers, "allowed", False)
    found, pad = [], resizing.with_padding
    note = lambda array, *args: found.append(id(array) in resizing._originals) or pad(array, *args)  # noqa: E731
    monkeypatch.setattr(resizing, "with_padding", note)
    # The padding of the result would be infinite, and is added up by the next launch.
    run = ms.jit(lambda cache, row: (ops.cat((1.0 / cache, row), 1), cache.sum(1)))
    expected, cache = positive(2, 20, 3), Tensor(positive(2, 20, 3))
    for turn in range(14):
        row = positive(2, 1, 3) + turn
        other, _ = run(cache, Tensor(-row))  # two results from one cache, as by beams
        cache, total = run(cache, Tensor(row))
        np.testing.assert_allclose(total.asnumpy(), expected.sum(1), rtol=1e-5)
        expected = np.concatenate([1 / expected, row], 1)
        # Of a sum, since a NumPy array of the cache would share its memory.
        np.testing.assert_allclose((cache + 0.0).asnumpy(), expected, rtol=1e-6)
        np.testing.assert_array_equal(other[:, -1].asnumpy(), -row[:, 0])
        if turn == 9:  # in place: another array, whose padding is made anew
            cache[:, 3] = expected[:, 3] = 0.5
    assert sum(found) > 10 and not all(found)
    del cache, other
    gc.collect()
    assert not any([original.shape[::2] == (2, 3) for original in resizing._originals.values()])


def first_bucket(monkeypatch):
    """The sizes of the first program compiled for a gradient at many lengths, with nothing in memory but on disk."""
    used, compiled = [], Bucket.compiled
    with monkeypatch.context() as patch:
        patch.setattr(tiers.Tiers, "allowed", True)
        for each in (relatives, op_families):
            patch.setattr(each, "_structures", {})
        patch.setattr(Step, "_roots", {})
        patch.setattr(costs, "CPU", costs.CPU._replace(compiling=1e6))  # which NumPy never exceeds
        patch.setattr(Bucket, "compiled", lambda self, model: used.append(self.sizes) or compiled(self, model))
        gradient = ms.grad(lambda x: (ops.erf(x) * x).sum())  # for NumPy longer than padded, compiled code
        for length in (200, *range(20, 60)):  # more of them than are kept as samples
            gradient(Tensor(floats(2, length, 400)))
        assert not used
        patch.setattr(tiers.Tiers, "allowed", False)
        gradient(Tensor(floats(2, 61, 400)))
    return used


def test_first_program_is_for_the_largest_size_also_where_plans_are_on_disk(stored, monkeypatch):
    first = first_bucket(monkeypatch)
    assert first[0] >= (200,)
    assert first_bucket(monkeypatch) == first
