"""The API reference of the site, from the docstrings; mkdocs calls the two functions."""

import functools
import importlib
import inspect
import itertools
import re
import string

from mkdocs.structure.files import File

import msgrad
from msgrad._contracts.doc import Doc
from msgrad.ops.legacy.left_out import LeftOut

MODULES = (
    "amp boost communication dataset dataset.text dataset.transforms dataset.vision experimental.optim "
    "experimental.optim.lr_scheduler mindrecord mint mint.distributed mint.linalg mint.nn mint.nn.functional "
    "mint.optim mint.special nn nn.dynamic_lr nn.probability.bijector "
    "nn.probability.bnn_layers nn.probability.distribution numpy numpy.fft ops profiler train"
)
CLASSES = "Tensor Parameter nn.Cell nn.Optimizer train.Model"
MOST = 200  # entries of one page; a module of more has a page for each letter

_TITLE = """# {name}

{summary}

"""
_ENTRY = """## {name}

```python
{call}
```

{text}

"""


def on_config(config):
    """Puts the pages into the table of contents."""
    groups = {}
    for path, page in pages().items():
        groups.setdefault(page["module"], []).append({page["title"]: path})
    sections = [{name: parts if len(parts) > 1 else next(iter(parts[0].values()))} for name, parts in groups.items()]
    config.nav.append({"Reference": sections})
    return config


def on_files(files, config):
    """Adds the pages."""
    for path, page in pages().items():
        files.append(File.generated(config, path, content=page["text"]))
    return files


@functools.cache
def pages():
    """The pages by path: the module or class that each belongs to, its title and text."""
    by_path = _pages_of("mindspore", msgrad)
    for name in MODULES.split():
        by_path |= _pages_of(f"mindspore.{name}", importlib.import_module(f"msgrad.{name}"))
    for name in CLASSES.split():
        by_path |= _pages_of(f"mindspore.{name}", _found(name))
    return by_path


def _pages_of(name, owner):
    entries = [entry(name, each, getattr(owner, each)) for each in names(owner)]
    parts = {name: entries}
    if len(entries) > MOST:
        letters = itertools.groupby(entries, key=lambda entry: entry["name"].lstrip("_")[0].upper())
        parts = {f"{name}: {letter}": list(part) for letter, part in letters}
    summary = Doc(owner.__doc__).summary
    return {
        f"reference/{re.sub('[^A-Za-z0-9.]+', '-', title)}.md": {
            "module": name,
            "title": title,
            "text": _TITLE.format(name=title, summary=summary) + "".join([_ENTRY.format(**entry) for entry in part]),
        }
        for title, part in parts.items()
    }


def names(owner):
    """The documented public names of a module or class, in alphabetical order."""
    listed = _own(owner) if inspect.isclass(owner) else owner.__all__
    return sorted([each for each in listed if not each.startswith("_") and _is_shown(owner, each)], key=_order)


def _own(cls):
    """The names of a class but those that are as in another class of the reference, as a Parameter's are a Tensor's."""
    others = [base for base in cls.__mro__[1:] if base in map(_found, CLASSES.split())]
    return [name for name in dir(cls) if not any(getattr(cls, name) is getattr(each, name, None) for each in others)]


def _found(name):
    return functools.reduce(getattr, name.split("."), msgrad)


def _order(name):
    return name.upper(), name


def _is_shown(owner, name):
    value = getattr(owner, name)
    is_documented = callable(value) or isinstance(value, property)
    return is_documented and not isinstance(value, LeftOut) and "Source:" in (value.__doc__ or "")


def entry(owner, name, value):
    """One entry: its name, the text of a call, and the docstring as Markdown."""
    try:
        signature = str(inspect.signature(value))
    except (TypeError, ValueError):
        signature = ""
    return {"name": name, "call": f"{owner}.{name}{signature}", "text": markdown(Doc(value.__doc__))}


def markdown(doc):
    """A docstring as Markdown."""
    parts = [doc.summary]
    if doc.args:
        parts.append(_listed("Args", doc.args))
    for title, text in doc.sections.items():
        if title == "Example":
            parts.append(f"**Example**\n\n```python\n{inspect.cleandoc(text)}\n```")
        elif title == "Inputs":
            parts.append(_listed(title, Doc(f"\n\nArgs:{text}").args))
        else:
            parts.append(f"**{title}** {flat(text)}")
    return "\n\n".join(parts)


def _listed(title, entries):
    """``entries``, the names of arguments and what is said of them, as a list."""
    return f"**{title}**\n\n" + "\n".join([f"- **{', '.join(names)}** {flat(text)}" for names, text in entries])


def flat(text):
    """A paragraph on one line, with what Markdown would take for its own marks escaped outside of code."""
    parts = " ".join(text.split()).split("``")
    parts[::2] = [part.translate(_ESCAPED) for part in parts[::2]]
    return "``".join(parts)


_ESCAPED = str.maketrans({mark: f"\\{mark}" for mark in set(string.punctuation) & set("*_<>")})
