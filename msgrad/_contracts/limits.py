"""Memory limits: the largest size of one unpacked item of a file (an image, a record).

A few bytes of a file can declare, or inflate to, more memory than the machine has. ``MSGRAD_ITEM_LIMIT`` (bytes) is the
limit.
"""

import os

from ..engine.refusal import refuse

_DEFAULT = 1 << 30


def item_limit():
    """The limit in bytes, an int: ``MSGRAD_ITEM_LIMIT``, or 1 GiB.

    Raises:
        ValueError: if the variable is not a positive int.
    """
    limit = os.environ.get("MSGRAD_ITEM_LIMIT") or str(_DEFAULT)
    if not limit.isdecimal() or not int(limit):
        refuse(ValueError, "mindspore.dataset", "MSGRAD_ITEM_LIMIT", "a positive number of bytes", limit)
    return int(limit)
