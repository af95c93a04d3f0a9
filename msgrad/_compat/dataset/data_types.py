"""``mindspore.dataset.core.datatypes``: the names that pipelines have for dtypes."""

from ... import dtype as dtypes
from ...engine.refusal import require

_NAMES = {dtypes.bool_: "bool", dtypes.string: "string"}


def mstype_to_detype(type_):
    """The name of a dtype of MindSpore (str), ``"int32"``, say."""
    return _NAMES.get(require(type_, dtypes.Type, "mstype_to_detype", "type_")) or str(type_).lower()
