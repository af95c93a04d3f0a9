"""Strategies that MindSpore accepts do not change results: for each operator the one that shards most axes."""

import ast
import json
import pathlib

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, ops  # noqa: F401  in the cases' texts

from ..strategy_cases import KINDS, shape_of

GOLDEN = json.loads((pathlib.Path(__file__).parents[2] / "golden" / "strategy_checks.json").read_text())
ROWS = {
    row[0].partition("(")[0]: row for row in sorted(GOLDEN["accepted"][::-1], key=lambda row: len(row[3])) if row[3]
}


def sharded_axes(strategy):
    return str(strategy).count("2")


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())
def test_accepted_strategies_run(row):
    made, call, inputs, accepted, _ = row
    draws, values = np.random.default_rng(0), {}
    for name, each in zip("xyzwv", inputs.split(), strict=False):
        values[name] = each[0], draws.uniform(0.5, 1.5, shape_of(each))

    def results(*strategies):
        operands = {
            name: Tensor((value if kind in "fp" else value.round()).astype(KINDS[kind]))
            for name, (kind, value) in values.items()
        }
        operands |= {name: Parameter(operands[name], name) for name, (kind, _) in values.items() if kind == "p"}
        primitive = eval(made)
        if strategies:
            primitive.shard(*strategies)
        result = eval(f"primitive({call})", globals() | operands | {"primitive": primitive})
        return [each.asnumpy() for each in (result if isinstance(result, tuple) else (result,))]

    expected = results()
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", full_batch=True)
    for strategy in sorted(map(ast.literal_eval, accepted), key=sharded_axes, reverse=True):
        is_pair = isinstance(strategy[0][0], tuple)
        try:
            actual = results(*(strategy if is_pair else (strategy,)))
        except RuntimeError as error:
            assert "4 devices" in str(error) or "and 4 are not divisible" in str(error)
            continue
        assert [each.shape for each in actual] == [each.shape for each in expected]
        if not made.startswith("ops.Dropout"):
            for one, other in zip(actual, expected, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)
        return
    pytest.fail("no accepted strategy is for four devices")
