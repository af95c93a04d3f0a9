"""Every operation has a row: no function and no Primitive is defined without one in `op_cases`."""

import re

import pytest

from msgrad.ops.define import FUNCTIONS, PRIMITIVES

from ..op_cases import CASES, drawing

EXPRESSIONS = "\n".join(expression for case in CASES + drawing.CASES for expression in (case.expression, *case.faces))
NAMED = set(re.findall(r"\bops\.(\w+)", EXPRESSIONS))


@pytest.mark.parametrize("name", sorted(name for name in {*FUNCTIONS, *PRIMITIVES} if not name.startswith("_")))
def test_operation_has_a_row(name):
    assert name in NAMED
