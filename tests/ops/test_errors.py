"""Errors of operations and constructors: each row of the tables raises its error, in both modes."""

import pytest

from ..op_cases import ERRORS
from .constructor_errors import CONSTRUCTORS
from .rows import NAMESPACE

ROWS = [*ERRORS, *CONSTRUCTORS]


@pytest.mark.parametrize("expression, error, text", ROWS, ids=[row[0] for row in ROWS])
def test_refused(expression, error, text, mode):
    with pytest.raises(error) as raised:
        eval(expression, NAMESPACE)
    assert type(raised.value) is error
    assert text in str(raised.value)
    assert not any("JAX has removed" in note for note in getattr(raised.value, "__notes__", ()))
