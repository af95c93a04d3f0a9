"""Shared comparisons: arrays are compared as users do, by `msgrad.testing`; there is no other comparison code.

`assert_each` runs a check over a table in one test; `ON_CPU` marks what an accelerator computes otherwise.
"""

import re

import jax
import pytest

from msgrad.testing import assert_close

__all__ = ["ON_CPU", "assert_close", "assert_each", "assert_same_display"]

ON_CPU = pytest.mark.skipif(jax.default_backend() != "cpu", reason="it looks at a formulation for CPUs")

_NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")


def assert_each(check, rows):
    """Asserts that ``check`` passes for each row of a table, and lists all rows for which it does not.

    One test for a table of look-ups, which pytest would spend more time on counting than on checking.

    Args:
        check (callable): takes the items of a row, and raises if something is wrong.
        rows (dict): from a row's name to its items, a tuple.
    """
    failed = []
    for name, items in rows.items():
        try:
            check(*items)
        except (Exception, pytest.fail.Exception) as error:
            failed.append(f"{name}: {type(error).__name__}: {str(error).partition(chr(10))[0]}")
    assert rows and not failed, f"{len(failed)} of {len(rows)} rows:\n" + "\n".join(failed)


def assert_same_display(actual, expected, rtol=1e-5):
    """Asserts that a program printed what a document shows.

    Documents are edited by hand, so these differences are forgiven, and no others:
    - white space and commas, which editors move;
    - the last digits of a number: ``rtol`` of it, or of 1;
    - ``10`` for ``10.``;
    - rounding in lists typed by hand, which have commas outside a ``Tensor(...)``: half a unit of the last digit shown.
    """
    shape_of = [re.sub(r"[\s,]+", "", _NUMBER.sub("#", text)) for text in (actual, expected)]
    assert shape_of[0] == shape_of[1], f"printed {actual!r}, expected {expected!r}"
    is_typed = "Tensor(" not in expected and re.search(r"\d\s*,", expected) is not None
    for got, shown in zip(_NUMBER.findall(actual), _NUMBER.findall(expected), strict=True):
        tolerance = rtol * max(1.0, abs(float(shown)))
        if is_typed:
            tolerance = max(tolerance, 0.5 * 10.0 ** -len(shown.partition(".")[2]))
        assert abs(float(got) - float(shown)) <= tolerance, f"printed {got}, expected {shown}, in {actual!r}"
