"""What `msgrad run --explain` says of programs of many sizes."""

import re

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.engine.execution import execute, families, tiers
from msgrad.tools import explaining
from msgrad.tools.instrumentation import Watch
from tests.engine.lengths.arrays import floats
from tests.engine.lengths.programs import losses, training


def test_explain_says_what_programs_of_many_sizes_share():
    with Watch() as watch:
        losses(training(width=20), range(10, 18))  # of a structure that no other test has
        pool = nn.MaxPool1d(3, 2)
        for length in range(20, 36):
            ms.grad(lambda x: (pool(x) * x[..., :1]).sum())(Tensor(floats(1, 2, length)))
        for length in range(20, 24):
            ms.grad(lambda x: ops.fft(x).abs().sum() + 0.3)(Tensor(floats(length)))
    report = "\n".join(explaining._sizes([each for each in watch.launched if each.launches]))
    assert re.search(r"forward \(.*\), 8 programs: from the third on they share \d, for sizes up to \d+", report)
    assert len(re.findall(r"<lambda> .*, 16 programs: from the third on they share \d", report)) == 1  # even and odd
    assert re.search(r"4 programs: fft has no rule for padding", report)


def test_explain_counts_programs_that_were_compiled_and_not_those_that_they_serve(monkeypatch):
    monkeypatch.setattr(tiers.Tiers, "allowed", False)
    before = execute.report()["programs compiled"]
    with Watch() as watch:
        losses(training(width=36), range(10, 22))  # of a structure that no other test has
    compiled = execute.report()["programs compiled"] - before
    launched = [each for each in watch.launched if each.launches]
    assert len(launched) >= 12 and sum(each.compiled for each in launched) == compiled < 12
    assert f"programs {compiled} (" in "\n".join(explaining.totals(launched, {}))


def test_explain_says_the_lengths_of_programs_for_odd_ones(monkeypatch):
    monkeypatch.setattr(tiers.Tiers, "allowed", False)
    pool = nn.MaxPool1d(2, 2)
    run = ms.jit(lambda x: pool(x) * 0.9 + 0.1)
    with Watch() as watch:
        for length in (*range(21, 37, 2), 201):
            run(Tensor(floats(1, 2, length)))
    (lengths,) = re.findall(r"9 programs: .* for sizes up to (.*)", "\n".join(explaining._sizes(watch.launched)))
    assert max(map(int, lengths.split(", "))) >= 201 and all([int(each) % 2 for each in lengths.split(", ")])


def test_explain_says_why_no_sizes_share_programs(monkeypatch):
    monkeypatch.setattr(families, "ALLOWED", False)
    run = ms.jit(lambda x: ops.sin(x) * 0.9)
    with Watch() as watch:
        for length in range(20, 24):
            run(Tensor(floats(length)))
    assert explaining._sizes(watch.launched)[-1] == "  each is compiled by itself: MSGRAD_LENGTHS=off"
