"""Sources that are one row each: a base that reads, a signature, and what is where in their folders.

A row's signature is the reference's, and real; its arguments are checked by their names, and kept under these. The
docstring is derived from the signature and from what the row says.
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
    "num_samples": "(int): how many rows. Default: ``None``, all.",
    "num_parallel_workers": "(int): threads that read, where reading is worth it. Default: ``{default}``.",
    "shuffle": "(bool | Shuffle): whether the rows come in random order. Default: ``{default}``, they do.",
    "decode": "(bool): whether images are decoded; the bytes of their files otherwise. Default: ``{default}``.",
    "sampler": "(Sampler | iterable): which rows. Default: ``None``.",
    "num_shards": "(int): how many parts. Default: ``None``, one.",
    "shard_id": "(int): which part is read. Default: ``None``.",
    "cache": "(None): there is no cache server.",
}
_RAISES = (
    "ValueError: if there is no such folder, an argument is none of its choices, or arguments contradict each other.",
    "RuntimeError: while reading, if a file is missing or damaged.",
)
_EMPTY = inspect.Parameter.empty


def source(base, text, about, files="", arguments=None, **members):
    """Defines a source.

    Args:
        base (type): how it reads; its constructor takes a dict of all arguments.
        text (str): name and signature, ``"YesNoDataset(dataset_dir, ROWS)"``; a word in capitals stands for what most
            sources take.
        about (str): what it holds, and its columns: the first sentence of the docstring.
        files (str): what is in the folder.
        arguments (dict[str, tuple | str]): the choices of an argument, of which None means the last; or what its
            docstring says of it.
        members: methods and attributes of the class.
    Returns:
        type.
    """
    name, signature = parse(_written(text), {"Shuffle": Shuffle})
    arguments = arguments or {}
    choices = {key: given for key, given in arguments.items() if isinstance(given, tuple)}
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    given = ", ".join(f"{key!r}: {key}" for key in signature.parameters)
    constructor = inspect.Signature([own, *signature.parameters.values()])
    scope = {"_started": _started}
    members |= {
        "__init__": function("__init__", constructor, f"_started(self, {{{given}}})", scope),
        "__doc__": _documented(name, signature, about, files, arguments),
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
        arguments[name] = chosen(arguments[name], choices, owner, name)
    for name, value in arguments.items():
        if name not in _ARGUMENTS and not hasattr(type(dataset), name):
            setattr(dataset, name, value)
    dataset._begin(arguments)


def chosen(value, choices, owner, name):
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


def _documented(name, signature, about, files, arguments):
    lines = [about, "", "Args:"]
    for each in signature.parameters.values():
        said = arguments.get(each.name, _ARGUMENTS.get(each.name))
        if isinstance(said, tuple):
            said = _one_of(said, each.default)
        lines.append(f"    {each.name} {said.format(files=files, default=each.default).replace('....', '...')}")
    return "\n".join([*lines, "Raises:", *[f"    {line}" for line in _RAISES], f"Source: mindspore.dataset.{name}"])


def _one_of(choices, default):
    said = f"({type(choices[-1]).__name__}): {' or '.join(f'``{value!r}``' for value in choices)}."
    if default is _EMPTY:
        return said
    meant = f", ``{choices[-1]!r}``" if default is None else ""
    return f"{said} Default: ``{default!r}``{meant}."
