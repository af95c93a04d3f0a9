"""The comparisons that the tests share. There are no others."""

import re

import numpy as np

_NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")


def assert_close(actual, expected, rtol=1e-5, atol=1e-6):
    """Asserts that two arrays have one dtype, one shape, and values at most ``atol + rtol * |expected|`` apart.

    Booleans and integers must be equal; NaN equals NaN, and an infinity only itself.
    """
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.dtype == expected.dtype, f"dtype {actual.dtype}, expected {expected.dtype}"
    assert actual.shape == expected.shape, f"shape {actual.shape}, expected {expected.shape}"
    if np.issubdtype(expected.dtype, np.inexact):
        np.testing.assert_allclose(actual, expected, rtol=rtol, atol=atol)
    else:
        np.testing.assert_array_equal(actual, expected)


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
