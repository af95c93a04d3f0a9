"""Arguments that many datasets take: numbers of workers, names of columns."""

from ...engine.refusal import refuse, require
from .. import config

MAXIMUM_INT32 = 2**31 - 1


def workers(count, owner):
    """The number of workers: ``count``, or that of the settings.

    Raises:
        TypeError: if it is not an int.  ValueError: if it is below 1 or above `config.MOST_WORKERS`.
    """
    if count is None:
        return config.get_num_parallel_workers()
    if isinstance(count, bool):
        refuse(TypeError, owner, "num_parallel_workers", "an int", count)
    if not 1 <= require(count, int, owner, "num_parallel_workers") <= config.MOST_WORKERS:
        refuse(ValueError, owner, "num_parallel_workers", f"in the range [1, {config.MOST_WORKERS}]", count)
    return count


def counted(owner, count):
    """``count``, -1 or a positive int; a TypeError or ValueError otherwise."""
    if isinstance(count, bool) or not isinstance(count, int):
        refuse(TypeError, owner, "count", "an int", count)
    if count != -1 and not 1 <= count <= MAXIMUM_INT32:
        refuse(ValueError, owner, "count", "-1 or a positive int", count)
    return count


def columns(value, owner, argument):
    """Column names, given as a str or a list of str, as a list.

    Raises:
        TypeError: for other types.  ValueError: if there is no name, or one is empty or repeated.
    """
    names = [value] if isinstance(value, str) else list(require(value, (str, list, tuple), owner, argument))
    if not names:
        refuse(ValueError, owner, argument, "made of at least one name", value)
    for name in names:
        if not require(name, str, owner, argument):
            refuse(ValueError, owner, argument, "made of non-empty names", name)
    if len(set(names)) < len(names):
        refuse(ValueError, owner, argument, "made of distinct names", names)
    return names


def columns_or_none(value, owner, argument):
    """As `columns`; None stays None."""
    return None if value is None else columns(value, owner, argument)
