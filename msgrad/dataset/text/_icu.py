"""Translates ICU's regular expressions, which MindSpore uses, to Python's syntax."""

import functools
import re
import sys
import unicodedata
import warnings

from ...engine.refusal import refuse

_PARTS = re.compile(r"\\[pP]\{(\^?\w+)\}|\\k<(\w+)>|\\x\{([0-9a-fA-F]+)\}|\(\?<(?=\w)|\\.|\[\^?\]?|\]", re.DOTALL)
_WORDS = {r"\z": r"\Z", r"\Z": r"(?=\n?\Z)", r"\h": r"[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]"}
_OF_REPLACEMENT = re.compile(
    r"\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})|\\(.?)|\$(\d+)|\$\{(\w+)\}|(\$)|([^\\$]+)", re.DOTALL
)


def compiled(pattern, owner, argument):
    """Compiles an ICU regular expression (str).

    Raises:
        RuntimeError: if it is invalid, or uses a feature that Python's expressions lack.
    """
    depth, parts, at = 0, [], 0
    for match in _PARTS.finditer(pattern):
        parts += [pattern[at : match.start()], _translated(match, depth > 0)]
        at, depth = match.end(), depth + {"[": 1, "]": -1}.get(match.group()[0], 0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)  # of nested sets, which Python lacks
            return re.compile("".join([*parts, pattern[at:]]))
    except (re.error, OverflowError, RecursionError, FutureWarning) as error:
        refuse(RuntimeError, owner, argument, "a regular expression that Python supports", pattern, f"{error}.")


def _translated(match, is_in_set):
    text, (category, name, code) = match.group(), match.groups()
    if category:
        ranges = _ranges(category.lstrip("^"), (text[1] == "P") != category.startswith("^"))
        return ranges if is_in_set or not ranges else f"[{ranges}]"
    if name:
        return f"(?P={name})"
    if code:
        return re.escape(chr(int(code, 16))) if int(code, 16) <= sys.maxunicode else text
    return "(?P<" if text == "(?<" else _WORDS.get(text, text)


@functools.cache
def _ranges(category, complement):
    """The characters of a general category (``"L"``, ``"Lu"``), or all ``complement``, as the content of ``[]``."""
    ranges, start = [], None
    for code in range(sys.maxunicode + 2):
        has = code <= sys.maxunicode and unicodedata.category(chr(code)).startswith(category) != complement
        if has and start is None:
            start = code
        elif not has and start is not None:
            ranges.append(f"\\U{start:08x}-\\U{code - 1:08x}")
            start = None
    return "".join(ranges)


def replacement(text, pattern, owner, argument):
    """Parses the replacement of a match into parts: str, and int for a group's number.

    Args:
        text (str): in ICU's syntax: ``$1`` and ``${name}`` are groups, a backslash quotes.
        pattern (re.Pattern): defines the groups.
        owner, argument (str): for errors.
    Raises:
        RuntimeError: if there is no such group, or a ``$`` without one.
    """
    parts = []
    for match in _OF_REPLACEMENT.finditer(text):
        short, long, quoted, number, name, lonely, plain = match.groups()
        if number or name or lonely:
            groups = _group(number or "", pattern) if not name else [pattern.groupindex.get(name)]
            if groups == [None]:
                expected = f"text and groups of a pattern that has {pattern.groups}"
                refuse(RuntimeError, owner, argument, expected, text, "Write \\$ for a dollar sign.")
            parts += groups
        else:
            parts.append(chr(int(short or long, 16)) if short or long else quoted or plain or "")
    return parts


def _group(digits, pattern):
    """The group named by the longest prefix of the digits, and the remaining digits as text; None if there is none."""
    for length in range(len(digits), 0, -1):
        if int(digits[:length]) <= pattern.groups:
            return [int(digits[:length]), digits[length:]]
    return [None]


def filled(parts, match):
    """Joins the parts of a `replacement` for one match."""
    return "".join([part if isinstance(part, str) else match[part] or "" for part in parts])
