"""``net.summary(x)``, which MindSpore's Cells do not have: what else a program calls ``summary`` comes before it."""

import importlib

SUMMARY = "summary"


def print_summary(cell, *args, **kwargs):
    """Prints the table of the Cells that ``cell(*args, **kwargs)`` calls, as `msgrad.tools.summary` makes it."""
    print(importlib.import_module("msgrad.tools").summary(cell, *args, **kwargs))


def is_taken(cell, name):
    """Whether a Cell has an attribute ``name``, so that no Parameter or Cell may be inserted under it."""
    return hasattr(cell, name) and (name != SUMMARY or getattr(getattr(cell, name), "func", None) is not print_summary)
