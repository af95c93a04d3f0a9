"""Docstrings as data: parsed once for a definition, then rendered for each of its faces.

``python -OO`` drops docstrings: whatever is made of them is then None, or says less.
"""

import functools
import inspect
import re

_TITLE = re.compile(r"^(Args|Inputs|Returns|Raises|Example|Source):[ \t]*", re.MULTILINE)
_ENTRY = re.compile(r"^    (?=\S)", re.MULTILINE)


class Doc:
    """A docstring in parts.

    Args:
        text (str | None): the docstring.

    Attributes:
        summary (str): the text before the first section.
        args (list of tuple): the names and the description of each entry of ``Args``.
        sections (dict of str): the text of every other section, by title.
    """

    def __init__(self, text):
        self.summary, sections, args = _parts(text or "")
        self.sections, self.args = dict(sections), list(args)

    def face(self, names, source, attrs=()):
        """The docstring of another face.

        Args:
            names (dict of str): the definition's parameters that the face has, with their names there.
            source (str): the MindSpore name of the face.
            attrs (sequence of str): the definition's parameters that the face takes when it is made: ``Args``, while
                the others are ``Inputs``.
        Returns:
            str.
        """
        entries = {each: [] for each in ("Args", "Inputs")}
        for names_of_row, text in self.args:
            for title, row_names in (
                ("Args", [n for n in names_of_row if n in names and (n in attrs or not attrs)]),
                ("Inputs", [n for n in names_of_row if n in names and n not in attrs and attrs]),
            ):
                if row_names:
                    entries[title].append(f"    {', '.join(names[n] for n in row_names)} {_renamed(text, names)}")
        sections = {title: "\n" + "\n".join(lines) for title, lines in entries.items() if lines}
        sections |= {t: _renamed(text, names) for t, text in self.sections.items() if t not in ("Example", "Source")}
        if "Example" in self.sections:
            sections["Example"] = self.sections["Example"]
        sections["Source"] = f" {source}"
        return "\n".join([self.summary, "", *(f"{title}:{text}" for title, text in sections.items())])


@functools.cache
def _parts(text):
    summary, *rest = _TITLE.split(inspect.cleandoc(text))
    sections = dict(zip(rest[::2], (part.rstrip() for part in rest[1::2]), strict=True))
    args = [_entry(text) for text in _ENTRY.split(sections.pop("Args", "")) if text.strip()]
    return summary.rstrip(), sections, args


def filled(text, **words):
    """The docstring template ``text`` of a family, with each ``{word}`` replaced by the row's value for it.

    Example:
        >>> filled("The {what}.", what="sine")
        'The sine.'
    """
    return text and re.sub(r"\{(\w+)\}", lambda match: str(words[match[1]]), text)


def replaced(text, old, new):
    """A docstring without its indentation, with the first ``old`` replaced by ``new``."""
    return text and inspect.cleandoc(text).replace(old, new, 1)


def _entry(text):
    names, _, rest = text.partition(" (")
    return [name.strip() for name in names.split(",")], f"({rest}".rstrip()


def _renamed(text, names):
    def replace(match):
        return re.sub(r"\b[A-Za-z_]\w*\b", lambda word: names.get(word[0], word[0]), match[0])

    return re.sub(r"``[^`]+``", replace, text)
