"""``mindspore.train.serialization``: its other names, besides the functions that save and load."""

import sys

from ... import dtype as mstype
from ...ops.legacy.left_out import leave_out
from ...train.load_params import behind_prefixes, fitting
from ...train.merging import merge_sliced_parameter  # noqa: F401
from ..checkparam import Validator  # noqa: F401

tensor_to_ms_type = {
    "Int8": mstype.int8, "UInt8": mstype.uint8, "Int16": mstype.int16, "UInt16": mstype.uint16,
    "Int32": mstype.int32, "UInt32": mstype.uint32, "Int64": mstype.int64, "UInt64": mstype.uint64,
    "Float16": mstype.float16, "Float32": mstype.float32, "Float64": mstype.float64, "Bool": mstype.bool_,
    "str": mstype.string, "BFloat16": mstype.bfloat16,
}  # fmt: skip


def tensor_to_np_type(tensor_type_str):
    """NumPy's type for the name of a dtype in a file (str), or None. Source: mindspore.train.serialization"""
    if tensor_type_str == "str":
        return "U"
    dtype = tensor_to_ms_type.get(tensor_type_str)
    return None if dtype is None else mstype.dtype_to_nptype(dtype)


def _update_param(param, new_param, strict_load=False):
    """Writes ``new_param`` into ``param`` (Parameters), as `load_param_into_net` does. MindSpore 1.x has no third one.

    Raises:
        RuntimeError: if the shape differs, or a dtype that is not cast.
    """
    param.set_data(fitting(param, new_param, strict_load))


def _load_dismatch_prefix_params(net, parameter_dict, param_not_load, strict_load):
    """Loads the Parameters that ``parameter_dict`` has under a prefix, and removes their names from the list.

    Args:
        net (Cell): the network.
        parameter_dict (dict[str, Parameter]): by name.
        param_not_load (list[str]): names in ``net`` that have no Parameter yet; those found go.
        strict_load (bool): whether another dtype is an error.
    """
    own = net.parameters_dict()
    for name, value in behind_prefixes(param_not_load, parameter_dict).items():
        _update_param(own[name], value, strict_load)
        param_not_load.remove(name)


_STEP = "it is a step of MindSpore's own code for its files"
_LAYOUT = (
    "it reads MindSpore's layouts of Parameters on several devices",
    "Join the parts there, by mindspore.unified_safetensors.",
)
_LEFT_OUT = [
    ("Checkpoint()", (_STEP, "Use mindspore.load_checkpoint.")),
    (
        "_exec_save(ckpt_file_name, data_list, enc_key=None, enc_mode='AES-GCM', map_param_inc=False, crc_check=False, "
        "format='ckpt', remove_redundancy=None)",
        (_STEP, "Use mindspore.save_checkpoint, which takes a dict of Parameters."),
    ),
    ("_save_graph(network, file_name)", (_STEP, "Use mindspore.export.")),
    ("_parse_ckpt_proto(ckpt_file_name, dec_key, dec_mode, crc_check)", (_STEP, "Use mindspore.load_checkpoint.")),
    ("_get_merged_param_data(net, parameter_layout_dict, param_name, param_data, integrated_save)", _LAYOUT),
]
leave_out(sys.modules[__name__], "train.serialization", _LEFT_OUT)
