"""Batches of rows: each row gets its own result, and one that raises fails alone."""

import types

import pytest

from .batches import Batches


def case(name, **fields):
    return types.SimpleNamespace(**{"name": name, "parameters": 0, "looks": False, **fields})


def test_rows_share_a_computation_and_a_row_that_raises_fails_alone():
    computed = []

    def together(cases):
        computed.append([each.name for each in cases])
        return {each.name: alone(each) for each in cases}

    def alone(case):
        if case.name == "wrong":
            raise ValueError("wrong")
        return f"value of {case.name}"

    cases = [case("a"), case("b"), case("c"), case("wrong"), case("written", parameters=1), case("read", looks=True)]
    results = Batches(cases, together, alone, size=2)
    for each in cases[:3] + cases[4:]:
        assert results(each) == f"value of {each.name}"
    with pytest.raises(ValueError, match="wrong"):
        results(cases[3])
    assert computed == [["a", "b"], ["c", "wrong"]]
