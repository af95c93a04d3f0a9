"""``mindspore.dataset.core.datatypes``: the names of dtypes in pipelines."""

from ... import dtype as dtypes
from ...engine.refusal import require

_NAMES = {dtypes.bool_: "bool", dtypes.string: "string"}


def mstype_to_detype(type_):
    """The name of a MindSpore dtype (str), such as ``"int32"``."""
    return _NAMES.get(require(type_, dtypes.Type, "mstype_to_detype", "type_")) or str(type_).lower()
