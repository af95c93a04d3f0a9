"""Phrases that several commands print: counts, the nearest name, why a file cannot be read."""

import difflib
import os


def number(count, noun):
    """``1 file``, ``2 files``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def did_you_mean(word, names):
    """``"; did you mean X?"`` with the name nearest to ``word``; empty if none is near, or it is one of them."""
    nearest = [] if word in names else difflib.get_close_matches(word, names, 1)
    return f"; did you mean {nearest[0]}?" if nearest else ""


def fault_of_file(path):
    """The error of a path that is no file as a sentence, or None."""
    if os.path.isfile(path):
        return None
    return f"can't open file '{path}': " + ("it is a folder" if os.path.isdir(path) else "there is no such file")
