"""Serializes pipelines as JSON, reads and compares them."""

import enum
import importlib
import inspect
import json

from .. import dtype as mstype
from .. import log
from ..engine.dtypes import DType
from ..engine.refusal import require, shown
from ._pipeline.description import Described
from .audio import enums as of_sound
from .node import Dataset
from .shuffling import Shuffle
from .vision import enums as of_images

_MSG_PYTHON = (
    "For 'deserialize', the '{}' is a Python object ({}), which JSON cannot store: build the pipeline by its code."
)
_MSG_TREE = "For 'deserialize', the tree must be a result of 'serialize', but {}."
_OPENING = "For 'deserialize', "
_NO_TREE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, ImportError, RecursionError)
_LONGEST = 300  # characters quoted from another error
_OURS = __name__.rpartition(".")[0] + "."


def serialize(dataset, json_filepath=""):
    """A pipeline as a tree of dicts, for JSON.

    Args:
        dataset (Dataset): the last node.
        json_filepath (str): a file to write it to. Default: ``''``, none.
    Returns:
        dict: ``op_type``, ``children`` and the arguments of each node. Names that MindSpore's compiled code chooses are
        msgrad's own; functions and arrays are represented by names.
    Example:
        >>> dataset = mindspore.dataset.NumpySlicesDataset([1, 2, 3]).batch(2)
        >>> mindspore.dataset.serialize(dataset)["batch_size"]
        2
    Source: mindspore.dataset.serialize
    """
    return require(dataset, Dataset, "serialize", "dataset").to_json(json_filepath)


def deserialize(input_dict=None, json_filepath=None):
    """Rebuilds the pipeline that `serialize` wrote, from classes of `mindspore.dataset` only.

    Args:
        input_dict (dict): the tree. Default: ``None``.
        json_filepath (str): or its file. Default: ``None``.
    Returns:
        Dataset, or None if neither is given.
    Raises:
        ValueError: if the tree is not a pipeline, or contains Python functions or arrays.
    Source: mindspore.dataset.deserialize
    """
    if input_dict:
        require(input_dict, dict, "deserialize", "input_dict")
    elif json_filepath:
        with open(require(json_filepath, str, "deserialize", "json_filepath"), "rb") as file:
            input_dict = file.read()
    else:
        return None
    try:
        return _node(json.loads(input_dict) if isinstance(input_dict, bytes) else input_dict)
    except _NO_TREE as error:
        if str(error).startswith(_OPENING):
            raise
        raise ValueError(_MSG_TREE.format(f"{type(error).__name__}: {str(error)[:_LONGEST]}")) from error


def show(dataset, indentation=2):
    """Logs the tree of a pipeline, as JSON, at the level INFO.

    Args:
        dataset (Dataset): the last node.
        indentation (int): spaces, or None for one line. Default: ``2``.
    Source: mindspore.dataset.show
    """
    log.info(json.dumps(serialize(dataset), indent=indentation))


def compare(pipeline1, pipeline2):
    """Whether two pipelines have the same nodes with the same arguments, a bool; functions are compared by name.

    Source: mindspore.dataset.compare
    """
    return serialize(pipeline1) == serialize(pipeline2)


def _kinds(base):
    """The classes that extend one, by name."""
    kinds = {}
    for each in base.__subclasses__():
        kinds |= {each.__name__: each, **_kinds(each)}
    return kinds


def _node(tree):
    if not isinstance(tree, dict) or not isinstance(tree.get("op_type"), str):
        raise ValueError(_MSG_TREE.format("a node has no 'op_type'"))
    kinds, name = _kinds(Dataset), tree["op_type"]
    kind = kinds.get(name) or kinds.get(f"{name}Dataset")
    if kind is None:
        raise ValueError(_MSG_TREE.format(f"there is no source or operation {shown(name)}"))
    children = [_node(child) for child in _checked_type(list, tree.get("children", []))]
    return _make_object(
        kind, {name: each for name, each in tree.items() if name in inspect.signature(kind).parameters}, children
    )


def _make_object(kind, arguments, children=()):
    """Makes an object of a class from arguments in JSON."""
    values = {name: _value(name, each, children) for name, each in arguments.items()}
    for each in inspect.signature(kind).parameters.values():
        if each.kind is each.VAR_POSITIONAL:
            return kind(*values[each.name])
        if each.kind is each.VAR_KEYWORD and each.name in values:
            values |= values.pop(each.name)
    return kind(**values)


def _value(name, value, children):
    if isinstance(value, list):
        return [_value(name, each, children) for each in value]
    if not isinstance(value, dict):
        return value
    if "python" in value:
        raise ValueError(_MSG_PYTHON.format(name, str(value["python"])[:_LONGEST]))
    if "child" in value:
        return children[range(len(children)).index(value["child"])]
    if "tuple" in value:
        return tuple(_value(name, each, children) for each in _checked_type(list, value["tuple"]))
    if "dict" in value:
        return {key: _value(name, each, children) for key, each in _checked_type(dict, value["dict"]).items()}
    if "dtype" in value:
        return _checked_type(DType, getattr(mstype, _checked_type(str, value["dtype"]), None))
    if "enum" in value:
        return _enum(value)
    return _object(value)


def _checked_type(kind, value):
    """``value``, checked to be of this type."""
    if not isinstance(value, kind):
        raise ValueError(_MSG_TREE.format(f"{shown(value)} is no {kind.__name__}"))
    return value


def _enum(description):
    kinds = {"Shuffle": Shuffle, **vars(of_images), **vars(of_sound)}
    kind = kinds.get(_checked_type(str, description.get("python_class")))
    if not isinstance(kind, enum.EnumMeta) or description["enum"] not in kind.__members__:
        raise ValueError(_MSG_TREE.format(f"there is no {shown(description)}"))
    return kind[description["enum"]]


def _object(description):
    module = str(description.get("python_module", ""))
    if module.startswith(_OURS):
        kind = getattr(importlib.import_module(module), str(description.get("python_class")), None)
        if isinstance(kind, type) and issubclass(kind, Described):
            return _make_object(kind, _checked_type(dict, description.get("arguments", {})))
    raise ValueError(_MSG_TREE.format(f"{shown(description)} is not a transform or sampler"))
