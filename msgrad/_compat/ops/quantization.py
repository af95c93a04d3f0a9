"""``ops.operations._quant_ops``: operations for quantised training, which have no CPU kernels in MindSpore 2.10."""

import sys

from ...engine.refusal import require
from ...ops._core.primitive import Primitive, prim_attr_register
from ...ops.legacy.left_out import LeftOutPrimitive, leave_out

_KERNEL = ("it is a kernel of Ascend's and GPU's for quantised training", "Compute with float16.")
_NAMES = (
    "ActsULQ BatchNormFold BatchNormFoldD BatchNormFold2 BatchNormFold2D CorrectionMul FakeLearnedScaleQuantPerChannel "
    "FakeLearnedScaleQuantPerLayer IFMR WtsARQ"
).split()
_ROWS = [(name, _KERNEL) for name in _NAMES]
leave_out(sys.modules[__name__], "operations._quant_ops", _ROWS, LeftOutPrimitive)


class FakeQuantParam(Primitive):
    """Returns a Tensor unchanged, and stores its quantisation as attributes.

    Args:
        quant_dtype (QuantDtype): of the quantised Tensor.
        quant_algo_name (str): how.
        is_per_channel (bool): whether there are numbers for each channel.
        kwargs: further attributes.
    """

    attr_key_linear_quant_scale = "linear_quant_scale"
    attr_key_linear_quant_zero_point = "linear_quant_zero_point"
    attr_value_linear_quant_algo_name = "linear_quant_algo"

    @prim_attr_register
    def __init__(self, quant_dtype, quant_algo_name, is_per_channel, **kwargs):
        self.add_prim_attr("quant_dtype", quant_dtype.value())
        for name, value in kwargs.items():
            self.add_prim_attr(name, value)

    def __call__(self, input_x):
        return input_x

    @classmethod
    def linear_quant_param(cls, quant_dtype, scale, zp, is_per_channel=False, **kwargs):
        """One for linear quantisation by scales (float, or several) and zero points (int, or several)."""
        for name, value, kind in (("scale", scale, float), ("zero_point", zp, int)):
            require(value, (kind, tuple, list), "FakeQuantParam", name)
        require(is_per_channel, bool, "FakeQuantParam", "is_per_channel")
        kwargs[cls.attr_key_linear_quant_scale] = [scale] if isinstance(scale, float) else scale
        kwargs[cls.attr_key_linear_quant_zero_point] = [zp] if isinstance(zp, int) else zp
        return cls(quant_dtype, cls.attr_value_linear_quant_algo_name, is_per_channel, **kwargs)
