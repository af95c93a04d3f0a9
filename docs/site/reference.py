"""The pages of the API reference: one for each name, class or function, and pages of contents by module and topic."""

import collections
import dataclasses
import functools
import inspect
import itertools

import catalog
from catalog import full_module
from docstrings import markdown, summary

from msgrad._contracts.doc import Doc

INDEX = "reference/index.md"
_FAMILIES = ("mindspore", "nn", "ops", "Tensor", "mint", "mint.nn", "mint.nn.functional", "numpy")
_BOOSTS = {"mindspore": 1.5, "nn": 1.45, "ops": 1.4, "Tensor": 1.3, "train": 1.3, "dataset": 1.3, "msgrad": 1.6}
_BOOSTS |= {"dataset.vision": 1.2}  # all others: 1
_WIDTH = 84
_INDEX = """# API reference

The names of MindSpore 2.10 that msgrad has, by module and topic, and msgrad's own. Each class and each function has a
page: its signature, arguments and errors, and an example. [Coverage](../coverage.md) counts what is missing.

| module | names | content |
|---|---|---|
"""


@dataclasses.dataclass
class Page:
    """A page: its title and text, the page of contents above it, its weight in the search, the names beside it."""

    title: str
    text: str
    above: str | None
    boost: float = 1.0
    neighbours: tuple = ()


@functools.cache
def pages():
    """All pages by path."""
    by_path, rows = {}, ""
    for module, names in catalog.names().items():
        contents = _contents(module, names)
        by_path |= contents
        rows += f"| [{full_module(module)}]({module}.md) | {len(names)} | {summary(catalog.owner(module))} |\n"
        for name in [each for each in names if catalog.home(each) is each]:
            above = _topic_path(name) if len(contents) > 1 else _module_path(module)
            by_path[path(name)] = _entry(name, above, [each for each in names if each.file == name.file])
    by_path[INDEX] = Page("API reference", _INDEX + rows, None)
    return by_path


def navigation():
    """The table of contents: the modules, and below a large one its topics."""
    listed = [INDEX]
    for module in catalog.names():
        own = _module_path(module)
        topics = [{page.title: at} for at, page in pages().items() if page.above == own and not page.neighbours]
        listed.append({full_module(module): [own, *topics] if topics else own})
    return listed


def path(name):
    """The page of a name. ``ops.abs`` and ``ops.Abs`` differ on file systems that ignore case."""
    name = catalog.home(name)
    suffix = "-class" if inspect.isclass(name.value) and _spellings(name.module)[name.name.lower()] > 1 else ""
    return f"reference/{name.module}/{name.name}{suffix}.md"


@functools.cache
def _spellings(module):
    """How many names differ in case alone."""
    return collections.Counter(name.name.lower() for name in catalog.names()[module])


def _module_path(module):
    return f"reference/{module}.md"


def _topic_path(name):
    return f"reference/{name.module}-{name.topic}.md"


def _contents(module, names):
    """The pages of contents of a module: one, or one more for each topic."""
    title, text = f"# {full_module(module)}\n\n", f"{_first(Doc(catalog.owner(module).__doc__).summary)}\n\n"
    topics = collections.defaultdict(list)
    for name in names:
        topics[name.topic].append(name)
    if len(names) <= catalog.MOST or len(topics) == 1:
        return {_module_path(module): Page(full_module(module), title + text + _tables(names), INDEX)}
    by_path, rows = {}, "| topic | names | content |\n|---|---|---|\n"
    for topic in sorted(topics, key=catalog.topic_title):
        its = topics[topic]
        at, heading = _topic_path(its[0]), catalog.topic_title(topic)
        about = catalog.heading(_folder(its))
        rows += f"| [{heading}]({at.removeprefix('reference/')}) | {len(its)} | {about} |\n"
        content = f"# {full_module(module)}: {heading}\n\n{about}.\n\n{_tables(its)}"
        by_path[at] = Page(heading, content, _module_path(module))
    listed = f"\n## All names\n\n{', '.join(_link(name) for name in names)}\n"
    return {_module_path(module): Page(full_module(module), title + text + rows + listed, INDEX), **by_path}


def _first(text):
    return text.split("\n\n")[0]


def _folder(names):
    """The folder or file that the names of a topic have in common."""
    parts = zip(*[name.file.split(".") for name in names], strict=False)
    return ".".join(each[0] for each in itertools.takewhile(lambda each: len({*each}) == 1, parts))


def _tables(names):
    """A table of the names in each file, with the file's subject as heading if there are several."""
    by_file = collections.defaultdict(list)
    for name in names:
        by_file[catalog.heading(name.file)].append(name)
    parts = []
    for heading in sorted(by_file):
        parts.append((f"## {heading}\n\n" if len(by_file) > 1 else "") + "| name | |\n|---|---|\n")
        parts += [f"| {_link(name)} | {summary(name.value)} |\n" for name in by_file[heading]]
        parts.append("\n")
    return "".join(parts)


def _link(name):
    return f"[`{name.name}`]({path(name).removeprefix('reference/')})"


def _entry(name, above, neighbours):
    title = name.title
    up = f"[{full_module(name.module)}](../{name.module}.md)"
    if above != _module_path(name.module):
        up += f" › [{catalog.topic_title(name.topic)}](../{above.removeprefix('reference/')})"
    parts = [f"# {title}", up, _described(f"{full_module(name.module)}.{name.name}", name.value)]
    also = [each for each in _related()[_key(name)] if each is not name] if name.module in _FAMILIES else []
    if also:
        links = ", ".join(f"[`{each.title}`](../{path(each).removeprefix('reference/')})" for each in also)
        parts.append(f"**See also** {links}")
    if inspect.isclass(name.value):
        parts += [
            f"## {name.name}.{each}\n\n" + _described(f"{name.name}.{each}", getattr(name.value, each))
            for each in catalog.members(name.value)
            if name.name != catalog.CLASSES
        ]
    parts.append(f"<span hidden>{name.name.lower()}</span>")  # `batchnorm2d`, which the search splits as it is spelled
    boost = _BOOSTS.get(name.module, 1.0) / len(name.name) ** 0.1
    return Page(title, "\n\n".join(parts) + "\n", above, boost, tuple((each.name, path(each)) for each in neighbours))


def _described(name, value):
    """The text of a call, and the docstring."""
    try:
        signature = inspect.signature(value) if callable(value) else None
    except (TypeError, ValueError):
        signature = None
    return f"```python\n{_call(name, signature)}\n```\n\n{markdown(value.__doc__)}"


def _call(name, signature):
    """A call, on one line if it fits a screen."""
    if signature is None:
        return name
    call = f"{name}{signature}"
    if len(call) <= _WIDTH:
        return call
    parameters, separator = [], False
    for each in signature.parameters.values():
        if each.kind is each.KEYWORD_ONLY and not separator:
            parameters, separator = [*parameters, "*"], True
        separator = separator or each.kind is each.VAR_POSITIONAL
        parameters.append(str(each))
    return f"{name}(\n    " + ",\n    ".join(parameters) + ",\n)"


@functools.cache
def _related():
    """The names of one operation or layer in several modules: ``ops.softmax``, ``ops.Softmax``, ``nn.Softmax``."""
    by_key = collections.defaultdict(list)
    for module in _FAMILIES:
        for name in catalog.names().get(module, ()):
            if catalog.home(name) is name:
                by_key[_key(name)].append(name)
    return by_key


def _key(name):
    return name.name.replace("_", "").lower()
