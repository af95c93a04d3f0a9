"""Docstrings as Markdown."""

import inspect
import re
import string

from msgrad._contracts.doc import Doc

_PARAMETERS = re.compile(r"^Parameters:(.*(?:\n[ ].*)*)\n?", re.MULTILINE)  # what a layer learns
_ESCAPED = str.maketrans({mark: f"\\{mark}" for mark in set(string.punctuation) & set("*_<>")})


def markdown(docstring):
    """A docstring as Markdown."""
    text = inspect.cleandoc(docstring or "")
    doc, learned = Doc(_PARAMETERS.sub("", text)), _PARAMETERS.search(text)
    parts = [doc.summary]
    if doc.args:
        parts.append(_listed("Args", doc.args))
    for title, text in doc.sections.items():
        if learned and title not in ("Inputs", "Returns"):
            parts.append(f"**Parameters** {flat(learned[1])}")
            learned = None
        if title == "Example":
            parts.append(f"**Example**\n\n```python\n{inspect.cleandoc(text)}\n```")
        elif title == "Inputs":
            parts.append(_listed(title, Doc(f"\n\nArgs:{text}").args))
        elif title == "Source":
            parts.append(f"**MindSpore's name** {flat(text)}")
        else:
            parts.append(f"**{title}** {flat(text)}")
    return "\n\n".join(parts)


def summary(value):
    """The first sentence of a docstring, for a table."""
    text = flat(Doc(value.__doc__).summary.split("\n\n")[0]).replace("|", "\\|")
    return text.split("; ")[0]


def _listed(title, entries):
    """``entries``, the names of arguments and what is said of them, as a list."""
    lines = []
    for names, text in entries:
        named = ", ".join(names)
        if text == "(":  # no type is given
            named, _, text = named.partition(": ")
        lines.append(f"- **{flat(named)}** {flat(text)}".rstrip())
    return f"**{title}**\n\n" + "\n".join(lines)


def flat(text):
    """A paragraph on one line, with what Markdown would take for its own marks escaped outside of code."""
    parts = " ".join(text.split()).split("``")
    parts[::2] = [part.translate(_ESCAPED) for part in parts[::2]]
    return "``".join(parts)
