"""`TFRecordToMR`: TFRecord files as MindRecord files, without TensorFlow."""

import string

import numpy as np

from ..sources.tfrecord import examples
from .converters import Converter, existing_path

_KINDS = ("string", "int64", "float32")  # the possible types of a feature
_MSG_FEATURE = "For 'TFRecordToMR', the feature '{}' must {}, but got {!r}."
_NAMES = str.maketrans({sign: "_" for sign in f"{string.punctuation} "})


class TFRecordToMR(Converter):
    """A TFRecord file: a field for each feature; in names, ``_`` replaces all but letters and digits.

    Args:
        source (str), destination (str): the paths.
        feature_dict (dict): by name, ``tf.io.FixedLenFeature`` or anything that has its attributes (a
            ``types.SimpleNamespace``): ``shape``, ``[]`` or ``[n]``; ``dtype``, tf.string (of shape ``[]``), tf.int64
            or tf.float32, or the name of one; and ``default_value``, for records that lack the feature, or None.
        bytes_fields (list[str]): the tf.string features that are bytes; others are text. Default: ``None``, none.
    Raises:
        ValueError: for other arguments, and in `transform` if a record does not match them.
    Source: mindspore.mindrecord.TFRecordToMR
    """

    def __init__(self, source, destination, feature_dict, bytes_fields=None):
        for name, value in (("source", source), ("destination", destination)):
            if not isinstance(value, str):
                raise ValueError(f"For 'TFRecordToMR', the '{name}' must be a path, but got {value!r}.")
        if not isinstance(feature_dict, dict):
            raise ValueError(f"For 'TFRecordToMR', the 'feature_dict' must be a dict, but got {feature_dict!r}.")
        if not isinstance(bytes_fields, list | None):
            raise ValueError(f"For 'TFRecordToMR', the 'bytes_fields' must be a list, but got {bytes_fields!r}.")
        self.source, self.destination, self.feature_dict = existing_path(source), destination, feature_dict
        self.mindrecord_schema = {_name(name): _described(name, each) for name, each in feature_dict.items()}
        self.bytes_fields_list = []
        for name in bytes_fields or ():
            if name not in feature_dict or _kind(feature_dict[name]) != "string":
                raise ValueError(_MSG_FEATURE.format(name, "be in the feature_dict, of tf.string", feature_dict))
            self.bytes_fields_list.append(_name(name))
            self.mindrecord_schema[_name(name)] = {"type": "bytes"}

    def _files(self):
        yield self.destination, self.mindrecord_schema, self.tfrecord_iterator()

    def tfrecord_iterator(self):
        """Yields the rows, dicts by field.  Source: mindspore.mindrecord.TFRecordToMR.tfrecord_iterator"""
        for features in examples(self.source):
            yield {_name(name): self._value(name, features.get(name)) for name in self.feature_dict}

    def _value(self, name, value):
        described = self.mindrecord_schema[_name(name)]
        if value is None or not len(value):
            value = self._default(name)
        kind = "string" if isinstance(value, list) else str(value.dtype)
        if kind != _kind(self.feature_dict[name]):
            raise ValueError(_MSG_FEATURE.format(name, f"be {described['type']} in {self.source}", value))
        if len(value) != described.get("shape", [1])[0]:
            raise ValueError(_MSG_FEATURE.format(name, f"have the shape {self.feature_dict[name].shape}", value))
        if "shape" in described:
            return value
        return {"string": bytes.decode, "bytes": bytes}.get(described["type"], np.generic.item)(value[0])

    def _default(self, name):
        """The default value of a feature, in the form that records use."""
        feature = self.feature_dict[name]
        value = getattr(feature, "default_value", None)
        if value is None:
            raise ValueError(_MSG_FEATURE.format(name, f"be in each record of {self.source}", "a record without it"))
        if _kind(feature) == "string":
            return [value.encode() if isinstance(value, str) else value]
        return np.broadcast_to(np.array(value, _kind(feature)), tuple(feature.shape) or (1,)).copy()


def _name(name):
    return name.translate(_NAMES)


def _kind(feature):
    """The name of a feature's dtype, which may be TensorFlow's, NumPy's or a str."""
    return str(getattr(feature.dtype, "name", None) or getattr(feature.dtype, "__name__", feature.dtype))


def _described(name, feature):
    """The schema of a feature's field."""
    if not (isinstance(name, str) and hasattr(feature, "shape") and hasattr(feature, "dtype")):
        raise ValueError(_MSG_FEATURE.format(name, "be a tf.io.FixedLenFeature", feature))
    kind, shape = _kind(feature), list(feature.shape)
    if kind not in _KINDS:
        raise ValueError(_MSG_FEATURE.format(name, "be of tf.string, tf.int64 or tf.float32", feature.dtype))
    if not shape:
        return {"type": kind}
    if kind == "string" or len(shape) != 1 or type(shape[0]) is not int or shape[0] < 1:
        raise ValueError(_MSG_FEATURE.format(name, "have the shape [], or [n] if it is of numbers", feature.shape))
    return {"type": kind, "shape": shape}
