"""Defines a source by one table row: a base class that reads, a signature, and the layout of its folder.

A source's signature is MindSpore's; its arguments are checked and stored by name. The docstring is derived from the
signature and the row.
"""

import inspect
import sys

from ..._contracts.signature import function, parse
from ...engine.refusal import refuse, require
from ..shuffling import Shuffle
from . import _files

LINES = (
    "num_samples=None, num_parallel_workers=None, shuffle=Shuffle.GLOBAL, num_shards=None, shard_id=None, cache=None"
)
LATER = (
    "num_samples=None, shuffle=Shuffle.GLOBAL, num_shards=None, shard_id=None, num_parallel_workers=None, cache=None"
)
ROWS = (
    "num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None, num_shards=None, shard_id=None, "
    "cache=None"
)
IMAGES = ROWS.replace("sampler", "decode=False, sampler", 1)
MAYBE_IMAGES = ROWS.replace("sampler", "decode=None, sampler", 1)
_PLAIN = "num_parallel_workers=1, shuffle=None, {}sampler=None, num_shards=None, shard_id=None"
PLAIN_ROWS = "num_samples=None, " + _PLAIN.format("")
PLAIN_IMAGES = "num_samples=None, " + _PLAIN.format("decode=False, ")
PLAIN_MAYBE_IMAGES = "num_samples=None, " + _PLAIN.format("decode=None, ")

_ARGUMENTS = {
    "dataset_dir": "(str): the folder: {files}.",
    "num_samples": "(int): the number of rows. Default: ``None``, all.",
    "num_parallel_workers": "(int): the number of reading threads, if rows take long enough. Default: ``{default}``.",
    "shuffle": "(bool | Shuffle): whether to shuffle the rows. Default: ``{default}``, True.",
    "decode": "(bool): whether to decode images; otherwise they are the bytes of their files. Default: ``{default}``.",
    "sampler": "(Sampler | iterable): selects the rows. Default: ``None``.",
    "num_shards": "(int): the number of shards. Default: ``None``, 1.",
    "shard_id": "(int): the shard to read. Default: ``None``.",
    "cache": "(None): not supported.",
}
_RAISES = (
    "ValueError: if the folder is missing, an argument is not one of its choices, or arguments contradict each other.",
    "RuntimeError: while reading, if a file is missing or damaged.",
)
_EMPTY = inspect.Parameter.empty


def source(base, text, summary, files="", arguments=None, **members):
    """Defines a source.

    Args:
        base (type): the base class, which reads; its constructor takes a dict of all arguments.
        text (str): name and signature, ``"YesNoDataset(dataset_dir, ROWS)"``; a word in capitals stands for common
            arguments.
        summary (str): content and columns: the first sentence of the docstring.
        files (str): the content of the folder.
        arguments (dict[str, tuple | str]): the choices of an argument (None means the last), or its description.
        members: methods and attributes of the class.
    Returns:
        type.
    """
    name, signature = parse(_written(text), {"Shuffle": Shuffle})
    arguments = arguments or {}
    choices = {key: accepted for key, accepted in arguments.items() if isinstance(accepted, tuple)}
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    pairs = ", ".join(f"{key!r}: {key}" for key in signature.parameters)
    constructor = inspect.Signature([own, *signature.parameters.values()])
    scope = {"_started": _started}
    members |= {
        "__init__": function("__init__", constructor, f"_started(self, {{{pairs}}})", scope),
        "__doc__": _documented(name, signature, summary, files, arguments),
        "__module__": sys._getframe(1).f_globals["__name__"],
        "__qualname__": name,
        "_choices": choices,
    }
    return type(name, (base,), members)


def _written(text):
    for word, meant in (
        ("PLAIN_MAYBE_IMAGES", PLAIN_MAYBE_IMAGES),
        ("PLAIN_IMAGES", PLAIN_IMAGES),
        ("PLAIN_ROWS", PLAIN_ROWS),
        ("MAYBE_IMAGES", MAYBE_IMAGES),
        ("IMAGES", IMAGES),
        ("ROWS", ROWS),
        ("LINES", LINES),
        ("LATER", LATER),
    ):
        if f" {word})" in text:
            return text.replace(f" {word})", f" {meant})")
    return text


def _started(dataset, arguments):
    owner = type(dataset).__name__
    if "dataset_dir" in arguments:
        dataset.dataset_dir = _files.folder(arguments["dataset_dir"], owner)
    for name, choices in dataset._choices.items():
        arguments[name] = checked_choice(arguments[name], choices, owner, name)
    for name, value in arguments.items():
        if name not in _ARGUMENTS and not hasattr(type(dataset), name):
            setattr(dataset, name, value)
    dataset._begin(arguments)


def checked_choice(value, choices, owner, name):
    """``value``, one of ``choices``, or the last of these for None.

    Raises:
        TypeError: if it is of another type.  ValueError: if it is another value.
    """
    if value is None:
        return choices[-1]
    value = tuple(value) if isinstance(value, list) else value
    require(value, type(choices[-1]), owner, name)
    if value not in choices:
        refuse(ValueError, owner, name, f"one of {list(choices)}", value)
    return value


def _documented(name, signature, summary, files, arguments):
    lines = [summary, "", "Args:"]
    for each in signature.parameters.values():
        description = arguments.get(each.name, _ARGUMENTS.get(each.name))
        if isinstance(description, tuple):
            description = _one_of(description, each.default)
        lines.append(f"    {each.name} {description.format(files=files, default=each.default).replace('....', '...')}")
    return "\n".join([*lines, "Raises:", *[f"    {line}" for line in _RAISES], f"Source: mindspore.dataset.{name}"])


def _one_of(choices, default):
    description = f"({type(choices[-1]).__name__}): {' or '.join(f'``{value!r}``' for value in choices)}."
    if default is _EMPTY:
        return description
    meant = f", ``{choices[-1]!r}``" if default is None else ""
    return f"{description} Default: ``{default!r}``{meant}."
