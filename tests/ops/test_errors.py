"""Errors of operations: each row of ``ERRORS`` in `op_cases` raises its error, in both modes."""

import pytest

from ..op_cases import ERRORS
from .rows import NAMESPACE


@pytest.mark.parametrize("expression, error, text", ERRORS, ids=[row[0] for row in ERRORS])
def test_refused(expression, error, text, mode):
    with pytest.raises(error) as raised:
        eval(expression, NAMESPACE)
    assert type(raised.value) is error
    assert text in str(raised.value)
