"""Pipelines as JSON: written, read again, compared."""

import importlib
import inspect
import json

from .. import dtype as mstype
from .. import log
from ..engine.refusal import require
from ._pipeline.description import Described
from .audio import enums as of_sound
from .node import Dataset
from .shuffling import Shuffle
from .vision import enums as of_images

_MSG_PYTHON = (
    "For 'deserialize', the '{}' is a Python object ({}), which JSON does not hold: make the pipeline by its code."
)
_MSG_TREE = "For 'deserialize', the tree must be what 'serialize' gives, but {}."
_OURS = __name__.rpartition(".")[0] + "."


def serialize(dataset, json_filepath=""):
    """A pipeline as a tree of dicts, for JSON.

    Args:
        dataset (Dataset): the last node.
        json_filepath (str): a file to write it to. Default: ``''``, none.
    Returns:
        dict: ``op_type``, ``children`` and the arguments of each node. The names are msgrad's own where MindSpore's
        compiled code chooses them; functions and arrays are named only.
    Example:
        >>> dataset = mindspore.dataset.NumpySlicesDataset([1, 2, 3]).batch(2)
        >>> mindspore.dataset.serialize(dataset)["batch_size"]
        2
    Source: mindspore.dataset.serialize
    """
    return require(dataset, Dataset, "serialize", "dataset").to_json(json_filepath)


def deserialize(input_dict=None, json_filepath=None):
    """The pipeline that `serialize` wrote: built from classes of `mindspore.dataset` alone.

    Args:
        input_dict (dict): the tree. Default: ``None``.
        json_filepath (str): or a file of it. Default: ``None``.
    Returns:
        Dataset, or None if neither is given.
    Raises:
        ValueError: if the tree is none of a pipeline, or has Python functions or arrays.
    Source: mindspore.dataset.deserialize
    """
    if input_dict:
        return _node(require(input_dict, dict, "deserialize", "input_dict"))
    if json_filepath:
        with open(require(json_filepath, str, "deserialize", "json_filepath"), encoding="utf-8") as file:
            return _node(json.load(file))
    return None


def show(dataset, indentation=2):
    """Logs the tree of a pipeline, as JSON, at the level INFO.

    Args:
        dataset (Dataset): the last node.
        indentation (int): spaces, or None for one line. Default: ``2``.
    Source: mindspore.dataset.show
    """
    log.info(json.dumps(serialize(dataset), indent=indentation))


def compare(pipeline1, pipeline2):
    """Whether two pipelines have the same nodes with the same arguments, a bool; functions count by their names.

    Source: mindspore.dataset.compare
    """
    return serialize(pipeline1) == serialize(pipeline2)


def _kinds(base):
    """The classes that extend one, by name."""
    found = {}
    for each in base.__subclasses__():
        found |= {each.__name__: each, **_kinds(each)}
    return found


def _node(tree):
    if not isinstance(tree, dict) or not isinstance(tree.get("op_type"), str):
        raise ValueError(_MSG_TREE.format("a node has no 'op_type'"))
    kinds, name = _kinds(Dataset), tree["op_type"]
    kind = kinds.get(name) or kinds.get(f"{name}Dataset")
    if kind is None:
        raise ValueError(_MSG_TREE.format(f"there is no source or operation {name!r}"))
    children = [_node(child) for child in tree.get("children", [])]
    return _made(
        kind, {name: each for name, each in tree.items() if name in inspect.signature(kind).parameters}, children
    )


def _made(kind, given, children=()):
    """An object of a class, of arguments that JSON says."""
    values = {name: _value(name, each, children) for name, each in given.items()}
    for each in inspect.signature(kind).parameters.values():
        if each.kind is each.VAR_POSITIONAL:
            return kind(*values[each.name])
        if each.kind is each.VAR_KEYWORD and each.name in values:
            values |= values.pop(each.name)
    return kind(**values)


def _value(name, given, children):
    if isinstance(given, list):
        return [_value(name, each, children) for each in given]
    if not isinstance(given, dict):
        return given
    if "python" in given:
        raise ValueError(_MSG_PYTHON.format(name, given["python"]))
    if "child" in given:
        return children[given["child"]]
    if "tuple" in given:
        return tuple(_value(name, each, children) for each in given["tuple"])
    if "dict" in given:
        return {key: _value(name, each, children) for key, each in given["dict"].items()}
    if "dtype" in given:
        return getattr(mstype, given["dtype"])
    if "enum" in given:
        return _enum(given)
    return _object(given)


def _enum(given):
    kind = {"Shuffle": Shuffle, **vars(of_images), **vars(of_sound)}.get(given.get("python_class"))
    try:
        return kind[given["enum"]]
    except (KeyError, TypeError) as error:
        raise ValueError(_MSG_TREE.format(f"there is no {given}")) from error


def _object(given):
    module = str(given.get("python_module", ""))
    if module.startswith(_OURS):
        kind = getattr(importlib.import_module(module), str(given.get("python_class")), None)
        if isinstance(kind, type) and issubclass(kind, Described):
            return _made(kind, given.get("arguments", {}))
    raise ValueError(_MSG_TREE.format(f"{given} is no transform or sampler"))
