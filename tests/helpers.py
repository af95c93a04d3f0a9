"""The comparisons that the tests share: that of arrays is the users' own, `msgrad.testing`. There are no others."""

import re

from msgrad.testing import assert_close

__all__ = ["assert_close", "assert_same_display"]

_NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")


def assert_same_display(actual, expected):
    """Asserts that a program printed what a document shows.

    Documents are edited by hand, so these differences are forgiven, and no others:
    - white space and commas, which editors move;
    - the last digits of a number: 1e-5 of it;
    - ``10`` for ``10.``;
    - rounding in lists typed by hand, which have commas outside a ``Tensor(...)``: half a unit of the last digit shown.
    """
    shape_of = [re.sub(r"[\s,]+", "", _NUMBER.sub("#", text)) for text in (actual, expected)]
    assert shape_of[0] == shape_of[1], f"printed {actual!r}, expected {expected!r}"
    is_typed = "Tensor(" not in expected and re.search(r"\d\s*,", expected) is not None
    for got, shown in zip(_NUMBER.findall(actual), _NUMBER.findall(expected), strict=True):
        tolerance = 1e-5 * max(1.0, abs(float(shown)))
        if is_typed:
            tolerance = max(tolerance, 0.5 * 10.0 ** -len(shown.partition(".")[2]))
        assert abs(float(got) - float(shown)) <= tolerance, f"printed {got}, expected {shown}, in {actual!r}"
