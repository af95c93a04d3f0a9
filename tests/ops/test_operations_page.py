"""The page of operations agrees with the registries and the rows."""

from ..golden.make_operations_page import PAGE, page


def test_page_is_up_to_date():
    assert PAGE.read_text() == page(), "run python -m tests.golden.make_operations_page"
