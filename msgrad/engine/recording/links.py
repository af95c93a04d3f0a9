"""Links: how a value is known in a whole recording, where an index counts within one segment alone.

A leaf's link is a negative int: ``~n`` for leaf ``n``. Places that run for each leaf write that out: ``-len(states)``
for the last leaf, ``~link`` for the number. So in a recording of one segment all links are indices.
"""

from typing import NamedTuple, TypeAlias


class ValueLink(NamedTuple):
    """The link of a value: the ``number`` of its segment, and its ``index`` there."""

    number: int
    index: int


Link: TypeAlias = int | ValueLink


def link_of_leaf(number) -> int:
    """The link of a leaf of the recording."""
    return ~number


def number_of_leaf(link) -> int:
    """The number of the leaf with a link that is no `ValueLink`."""
    return ~link
