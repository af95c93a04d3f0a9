"""Rows that are dicts by column, as those of Hugging Face's ``Dataset``, and sources of torch's classes."""

import sys

from .failures import broken


def names_in(source, has_access):
    """The names of a source's columns, where it tells them or its first row is a dict; else None.

    Args:
        source (object): of a `GeneratorDataset`.
        has_access (bool): whether its rows are read by number.
    Returns:
        list of str | None. An iterator, which would lose its first row, is not asked.
    """
    names = getattr(source, "column_names", None)
    if isinstance(names, list) and names:
        return names
    if has_access:
        row = source[0] if hasattr(source, "__len__") and len(source) else None
    else:
        rows = source if hasattr(source, "__iter__") else source()
        row = None if rows is source and iter(rows) is rows else next(iter(rows), None)
    return list(row) if isinstance(row, dict) and row else None


def is_stream(source):
    """Whether a source that has ``__getitem__`` is to be read in order all the same, as other libraries' streams.

    Those of Hugging Face have no length, torch's inherit a ``__getitem__`` that only raises.
    """
    torch = sys.modules.get("torch.utils.data")
    is_torchs = torch is not None and isinstance(source, torch.IterableDataset)
    return is_torchs or hasattr(source, "__iter__") and not hasattr(source, "__len__")


def in_order(row, names, number):
    """The values of a row that is a dict, in the order of the columns.

    Raises:
        RuntimeError: if a column is missing.
    """
    missing = ", ".join([repr(name) for name in names if name not in row])
    if missing:
        raise broken("GeneratorDataset", f"row {number} has no {missing}, but {', '.join(map(repr, row))}")
    return tuple([row[name] for name in names])
