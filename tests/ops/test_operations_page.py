"""The page of operations says what the registries and the rows say."""

from ..golden.make_operations_page import PAGE, page


def test_page_is_up_to_date():
    assert PAGE.read_text() == page(), "run python -m tests.golden.make_operations_page"
