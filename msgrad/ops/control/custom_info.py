"""Descriptions of functions for `Custom`: data for MindSpore's compiler, without effect here."""

import functools

from ...engine.refusal import refuse, require

_TYPES = {
    "None": "", "BOOL": "bool", "I8": "int8", "U8": "uint8", "I16": "int16", "U16": "uint16", "I32": "int32",
    "U32": "uint32", "I64": "int64", "U64": "uint64", "F16": "float16", "F32": "float32", "F64": "float64",
    "BF16": "bfloat16", "C64": "complex64", "C128": "complex128",
}  # fmt: skip
_FORMATS = {
    "None": ("",), "Default": ("DefaultFormat",), "Default_List": ("DefaultFormat", "list"),
    "Default_Tuple": ("DefaultFormat", "tuple"), "5HD": ("NC1HWC0",), "NC1HWC0": ("NC1HWC0",), "NCHW": ("NCHW",),
    "NHWC": ("NHWC",), "HWCN": ("HWCN",), "DHWCN": ("DHWCN",), "NCDHW": ("NCDHW",), "NDHWC": ("NDHWC",),
    "NDC1HWC0": ("NDC1HWC0",), "C1HWNCoC0": ("C1HWNCoC0",), "ChannelLast": ("ChannelLast",), "FracZ": ("FRACTAL_Z",),
    "FracNZ": ("FRACTAL_NZ",), "FRACTAL_Z_3D": ("FRACTAL_Z_3D",), "FracZNLSTM": ("FRACTAL_ZN_LSTM",),
    "FracZNRNN": ("FRACTAL_ZN_RNN",), "ND_RNNBIAS": ("ND_RNN_BIAS",),
}  # fmt: skip


class DataType:
    """Pairs of a dtype and a format by name: ``DataType.F32_Default`` is ``('float32', 'DefaultFormat')``.

    Source: mindspore.ops.DataType
    """


for _type, _dtype in _TYPES.items():
    for _format, _described in _FORMATS.items():
        setattr(DataType, f"{_type}_{_format}", (_dtype, *_described))


class CustomRegOp:
    """Collects information about a function of `Custom` for MindSpore's compiler; without effect here.

    Args:
        op_name (str): a name. Default: ``"Custom"``.
    Raises:
        TypeError, ValueError: of the methods, for other values.
    Example:
        >>> described = ops.CustomRegOp().input(0, "x").output(0, "y")
        >>> described = described.dtype_format(ops.DataType.F32_Default, ops.DataType.F32_Default)
        >>> described.target("CPU").get_op_info()["dtype_format"]
        [(('float32', 'DefaultFormat'), ('float32', 'DefaultFormat'))]
    Source: mindspore.ops.CustomRegOp
    """

    def __init__(self, op_name="Custom"):
        if not isinstance(op_name, str) or not op_name:
            refuse(ValueError, "CustomRegOp", "op_name", "a str that is not empty", op_name)
        self._info = {"op_name": op_name, "inputs": [], "outputs": [], "attr": [], "fusion_type": ""}
        self._info |= {"dtype_format": [], "target": "UnKnown"}

    def input(self, index=None, name=None, param_type="required", **kwargs):
        """Adds an input: its ``index`` (int), ``name`` and ``param_type`` (str).

        Source: mindspore.ops.CustomRegOp.input
        """
        self._info["inputs"].append(_place(index, name, param_type, kwargs))
        return self

    def output(self, index=None, name=None, param_type="required", **kwargs):
        """Adds an output, as `input`.  Source: mindspore.ops.CustomRegOp.output"""
        self._info["outputs"].append(_place(index, name, param_type, kwargs))
        return self

    def attr(self, name=None, param_type=None, value_type=None, default_value=None, **kwargs):
        """Adds an attribute: all are str.  Source: mindspore.ops.CustomRegOp.attr"""
        description = {"name": name, "paramType": param_type, "type": value_type, "defaultValue": default_value}
        self._info["attr"].append(_described_by(description, dict.fromkeys(description, str)) | kwargs)
        return self

    def dtype_format(self, *args):
        """Adds a pair of dtype and format (`DataType`) for each input and output.

        Raises:
            ValueError: if they are not as many.
        Source: mindspore.ops.CustomRegOp.dtype_format
        """
        count = len(self._info["inputs"]) + len(self._info["outputs"])
        if len(args) != count or not all(isinstance(each, tuple) and len(each) in (2, 3) for each in args):
            refuse(ValueError, "dtype_format", "args", f"{count} tuples of a dtype and a format", args)
        self._info["dtype_format"].append(args)
        return self

    def fusion_type(self, fusion_type):
        """Sets the kind of fusion (str).  Source: mindspore.ops.CustomRegOp.fusion_type"""
        self._info["fusion_type"] = require(fusion_type, str, "fusion_type", "fusion_type")
        return self

    def target(self, target=None):
        """Sets the kind of device (str).  Source: mindspore.ops.CustomRegOp.target"""
        self._info["target"] = require(target, (str, type(None)), "target", "target")
        return self

    def get_op_info(self):
        """The collected information, a dict.  Source: mindspore.ops.CustomRegOp.get_op_info"""
        return dict(self._info)


def custom_info_register(*reg_info):
    """A decorator that stores ``reg_info`` (of `CustomRegOp`) with a function, for MindSpore's compiler.

    Example:
        >>> @ops.custom_info_register(ops.CustomRegOp().get_op_info())
        ... def double(x):
        ...     return x * 2
        >>> double(3)
        6
    Source: mindspore.ops.custom_info_register
    """

    def keep(func):
        func.reg_info = reg_info

        @functools.wraps(func)
        def kept(*args, **kwargs):
            return func(*args, **kwargs)

        return kept

    return keep


def _place(index, name, param_type, other_places):
    description = {"index": index, "name": name, "paramType": param_type}
    return _described_by(description, {"index": int, "name": str, "paramType": str}) | other_places


def _described_by(description, types):
    """The entries of ``description`` that are not None.

    Raises:
        TypeError: if it is of another type.
    """
    present = {key: value for key, value in description.items() if value is not None}
    return {key: require(value, types[key], "CustomRegOp", key) for key, value in present.items()}
