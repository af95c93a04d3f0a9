"""Random programs: eager, PYNATIVE_MODE and GRAPH_MODE agree, and derivatives are those of the values.

``python -m tests.fuzz`` runs more of them.
"""

import re

import numpy as np
import pytest

from ..fuzz import checking, grammar, running
from ..fuzz.shrink import shrink
from ..fuzz.writer import Program, draw

SEEDS = range(24)


@pytest.fixture(scope="module")
def eagerly():
    """What is seen of each seed's program eagerly: Futures, since the other process works ahead."""
    with checking.eager_process() as eager:
        yield {seed: eager(draw(seed)) for seed in SEEDS}


@pytest.mark.parametrize("seed", SEEDS)
def test_all_ways_to_run_a_program_agree(seed, eagerly):
    actual = checking.check(draw(seed), eagerly[seed].result())
    assert actual is None, f"{actual.where}: {actual.message}\n{draw(seed).text}"


def test_the_seeds_are_worth_it():
    programs = [draw(seed) for seed in SEEDS]
    text = "".join(program.text for program in programs)
    for sign in ("] = ", " += ", "if ", "while ", "self.s", "ms.grad(", "ms.jvp(", "ms.jacrev(", "ms.vmap(", "def "):
        assert sign in text, sign
    assert sum(program.is_true and program.dtype == "float64" for program in programs) > len(SEEDS) / 3


@pytest.mark.parametrize("table", ["EXPRESSIONS", "TRANSFORMS", "UNTRUE"])
def test_every_row_can_be_drawn(table):
    text = "".join(draw(seed).text for seed in range(1500))
    for row in (row for rows in getattr(grammar, table).values() for row in rows):
        fixed = max(re.split(r"\{.*?\}", row.partition("\n")[0]), key=len)
        assert fixed in text, row


WRONG = """
        class Wrong(nn.Cell):
            def construct(self, a):
                return a * a

            def bprop(self, a, out, dout):
                return (3 * a * dout,)

"""


@pytest.mark.parametrize(
    ("result", "where"),
    [
        ("Wrong()(x)", "differences: call 0: gradient"),
        ("ms.grad(Wrong())(x)", "differences: call 0: output"),
        ("ms.jvp(Wrong(), x, x)[1]", "differences: call 0: output"),
        ("ms.vmap(ms.grad(Wrong()))(x)", "differences: call 0: output"),
    ],
)
def test_wrong_derivatives_are_found(result, where):
    program = Program(f"{WRONG}        return {result}\n")
    actual = checking.compare_with_differences(program, running.observe_in("PYNATIVE_MODE", program))
    assert actual is not None and actual.where == where


def test_other_values_dtypes_structures_and_exceptions_are_found():
    wanted = {"": np.ones(2)}
    assert checking.compare_leaves("here", {"": np.ones(2)}, wanted, 1e-7) is None
    for other in ({"": np.ones(2) + 1e-5}, {"": np.ones(2, np.float32)}, {".list[0]": np.ones(2)}, {"raised": "A"}):
        assert checking.compare_leaves("here", other, wanted, 1e-7) is not None
    assert checking.compare_leaves("here", {"raised": "B"}, {"raised": "A"}, 1e-7) is not None


def test_programs_shrink_to_what_fails():
    text = "        a = x\n        if a > 0:\n            b = a\n            c = b\n        d = a\n        return d\n"
    smallest = shrink(Program(text), lambda program: "c = b" in program.text)
    assert smallest.text == "        c = b\n        return d\n"
