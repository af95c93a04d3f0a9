"""``mindspore.train._utils`` and related descriptions of files."""

import sys
from collections.abc import Iterable

from ...ops.legacy.left_out import leave_out

_MSG_TYPE = "For `{}` the type should be a valid type of {}, but got {}."


def check_value_type(arg_name, arg_value, valid_types):
    """Checks that a value is of one of some types; a bool is not an int.

    Args:
        arg_name (str): what the value is called.
        arg_value: the value.
        valid_types (type | iterable of type): what it may be.
    Raises:
        TypeError: if it is of another type.
    """
    kinds = tuple(valid_types) if isinstance(valid_types, Iterable) else (valid_types,)
    if not isinstance(arg_value, kinds) or (isinstance(arg_value, bool) and bool not in kinds):
        raise TypeError(_MSG_TYPE.format(arg_name, [kind.__name__ for kind in kinds], type(arg_value).__name__))


_LAYOUT = (
    "it reads MindSpore's layouts of Parameters on several devices",
    "Join the parts there, by mindspore.unified_safetensors.",
)
_LEFT_OUT = [
    ("ParallelStrategyMap()", _LAYOUT),
    ("get_parameter_redundancy(layout_obj, initial_rank=0)", _LAYOUT),
    ("parse_strategy_ckpt(file_name)", _LAYOUT),
    ("remove_param_redundancy(param_redundancy_dict, keep_redundancy=1)", _LAYOUT),
]
leave_out(sys.modules[__name__], "train._utils", _LEFT_OUT)
