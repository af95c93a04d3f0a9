"""Automatic mixed precision, the level ``"auto"``: the operation determines the dtype of its float operands.

MindSpore's lists name its Primitives. ``_RECORDED`` maps them to the names under which their operations are recorded
here, if those differ, and to functions that MindSpore composes of listed Primitives.
"""

import collections
import enum
import functools
import types
import typing
from typing import Any

from .. import ops
from ..engine import dtypes
from ..engine.calls import staging
from ..engine.handle import scope
from ..engine.recording.trace import apply
from ..nn.cell import Cell
from ..tensor.tensor import Tensor

_WHITE = """
    Conv2D Conv2DExt Conv3D Conv3DExt Conv2DTranspose ConvTranspose2D Conv3DTranspose Convolution MatMul MatMulExt
    BatchMatMul BatchMatMulExt PReLU Einsum Dense Addmm Addbmm Addmv Baddbmm Mv
""".split()
_BLACK = """
    Pow ACos Asin Cosh Erfinv Exp Expm1 Log Log10 Log1p Log2 Reciprocal Rsqrt Sinh Tan Softplus SoftplusExt LayerNorm
    LayerNormExt BatchNorm BatchNormExt GroupNorm Norm KLDivLoss SmoothL1Loss MultilabelMarginLoss SoftMarginLoss
    TripletMarginLoss MultiMarginLoss BCEWithLogitsLoss Pdist Cdist Renorm ReduceProd Softmax LogSoftmax LogSoftmaxExt
    CumProd CumSum CumsumExt ProdExt SumExt L1LossExt MSELossExt NLLLoss NLLLoss2d
""".split()
_PROMOTED = """
    Addcdiv Addcmul Cross _PyboostCrossPrim GridSampler2D GridSampler3D BiasAdd AddN Dot Concat
""".split()
_RECORDED = {
    "BatchNorm": "normalized _normalize_batch",
    "Conv2DExt": "conv1d conv2d",
    "Conv3DExt": "conv3d",
    "ConvTranspose2D": "conv_transpose2d",
    "CumProd": "cumprod",
    "CumsumExt": "cumsum",
    "Exp": "gaussian_nll_loss logsumexp logaddexp",
    "GridSampler2D": "_grid_sampler2d",
    "GridSampler3D": "_grid_sampler3d",
    "GroupNorm": "group_norm",
    "LayerNormExt": "layer_norm",
    "Log": "multilabel_soft_margin_loss",
    "Log10": "log10",
    "Log2": "log2",
    "LogSoftmaxExt": "log_softmax_ext cross_entropy",
    "MatMulExt": "matmul dot _inner tensor_dot batch_dot",
    "MultilabelMarginLoss": "multilabel_margin_loss _multilabel_margin_loss",
    "Mv": "mv",
    "NLLLoss": "nll_loss",
    "Pow": "_pow_of_int _pow_of_operands exp2 var cosine_similarity",
    "ProdExt": "prod",
    "Renorm": "renorm",
    "SoftMarginLoss": "soft_margin_loss",
    "Softmax": "softmax softmin",
    "SoftplusExt": "softplus logsigmoid",
    "SumExt": "sum",
    "TripletMarginLoss": "triplet_margin_loss",
}
_WIDTH = {dtypes.float16: 0, dtypes.bfloat16: 0, dtypes.float32: 1, dtypes.float64: 2}

# The Primitive classes on MindSpore's lists that msgrad has.
AMP_AUTO_WHITE_LIST = [getattr(ops, name) for name in _WHITE if hasattr(ops, name)]
AMP_AUTO_BLACK_LIST = [getattr(ops, name) for name in _BLACK if hasattr(ops, name)]
AMP_PRIM_ARG_TABLE = collections.defaultdict(list)  # the inputs that are cast, by class, if not all are
# Each name with the inputs that are cast; [] is all. MindSpore has Primitives of the first kind only.
AutoPromoteList = [(name, []) for name in _PROMOTED]
SetDtypeList, SetDtypeOptList = [], []


class AmpLevel(enum.Enum):
    """The levels of mixed precision by operations."""

    AmpO0 = 0
    AmpO1 = 1
    AmpO2 = 2
    AmpO3 = 3
    AmpAuto = 4


class PrimCastStrategy(enum.Enum):
    """What a strategy does with the float operands of an operation."""

    AmpIgnore = 0
    AmpDoCast = 1
    AmpSetDtype = 2
    AmpSetDtypeOpt = 3
    AmpAutoPromote = 4


class PrimCastStrategyInfo(typing.NamedTuple):
    """How a strategy casts the operands of one operation: see `get_prim_cast_strategy_info`."""

    strategy: PrimCastStrategy = PrimCastStrategy.AmpIgnore
    dtype: dtypes.DType = dtypes.float32
    arg_pos: list = []


_WIDEN = PrimCastStrategyInfo(PrimCastStrategy.AmpAutoPromote)  # to the widest dtype among the operands


class AmpStrategy:
    """Casts the float operands of operations; it replaces `engine.recording.trace.apply` while it is active.

    Args:
        amp_level (AmpLevel): ``AmpO1`` lowers the operations on the white list, ``AmpO2`` all but those on the black
            list, ``AmpO3`` all; ``AmpAuto`` uses both lists.
        amp_dtype (mindspore.dtype): half precision.
        white_list, black_list (list of tuple): names of Primitives, each with the inputs that are cast; [] is all.
    """

    def __init__(self, amp_level, amp_dtype, white_list, black_list):
        self._given = amp_level, amp_dtype, white_list, black_list
        self._outer = None
        is_auto = amp_level is AmpLevel.AmpAuto
        lowers = amp_level in (AmpLevel.AmpO2, AmpLevel.AmpO3)
        self._otherwise = _casting(amp_dtype, []) if lowers else PrimCastStrategyInfo()
        self._rules = dict.fromkeys(_recorded(_PROMOTED), _WIDEN) if is_auto else {}
        if is_auto or amp_level is AmpLevel.AmpO1:
            self._add(white_list, amp_dtype)
        if is_auto or amp_level is AmpLevel.AmpO2:
            self._add(black_list, dtypes.float32)

    def _add(self, rows, dtype):
        for primitive, positions in rows:
            self._rules.update(dict.fromkeys(_recorded([primitive]), _casting(dtype, positions)))

    def get_amp_level(self):
        """The level."""
        return self._given[0]

    def get_amp_dtype(self):
        """The dtype of half precision."""
        return self._given[1]

    def get_white_list(self):
        """The operations that compute in the lower precision."""
        return self._given[2]

    def get_black_list(self):
        """The operations that compute in float32."""
        return self._given[3]

    def __call__(self, op, operands, static=()):
        """Records an operation with its operands cast."""
        scope.casting = None
        try:
            return apply(op, self._cast(op.name, operands), static)
        finally:
            scope.casting = self

    def _rule_of(self, name):
        return self._rules.get(name, self._otherwise)

    def _cast(self, name, operands):
        rule = self._rule_of(name)
        dtype = _widest(operands) if rule is _WIDEN else rule.dtype
        if dtype is None or name == "Cast" or rule.strategy is PrimCastStrategy.AmpIgnore:
            return operands
        cast = rule.arg_pos or range(len(operands))
        return [amp_cast(operand, dtype) if k in cast else operand for k, operand in enumerate(operands)]


def _casting(dtype, positions):
    return PrimCastStrategyInfo(PrimCastStrategy.AmpDoCast, dtype, list(positions))


def _recorded(names):
    return [recorded for name in names for recorded in (name, *_RECORDED.get(name, "").split())]


def _widest(operands):
    """The widest dtype among the float operands, or None; float32 if two are as wide."""
    float_dtypes = {value.dtype for value in operands if isinstance(value, Tensor) and value.is_floating_point()}
    widths = {dtype: _WIDTH.get(dtype, -1) for dtype in float_dtypes}
    widest = [dtype for dtype, width in widths.items() if width == max(widths.values())]
    return widest[0] if len(widest) == 1 else dtypes.float32 if widest else None


def amp_cast(value, dtype):
    """Casts a float Tensor to ``dtype``; returns anything else unchanged."""
    return value.astype(dtype) if isinstance(value, Tensor) and value.is_floating_point() else value


def create_amp_strategy(amp_level, amp_dtype, white_list, black_list):
    """An `AmpStrategy`."""
    return AmpStrategy(amp_level, amp_dtype, white_list, black_list)


def push_amp_strategy(amp_level, amp_dtype, white_list, black_list):
    """Activates a strategy for the operations of this thread, until `pop_amp_strategy`."""
    strategy = AmpStrategy(amp_level, amp_dtype, white_list, black_list)
    strategy._outer, scope.casting = scope.casting, strategy


def pop_amp_strategy():
    """Deactivates the strategy of the last `push_amp_strategy`; does nothing if there is none."""
    scope.casting = scope.casting and scope.casting._outer


def get_curr_amp_strategy():
    """The strategy that is active in this thread, or None."""
    return scope.casting


def get_prim_cast_strategy_info(amp_strategy, op_name):
    """How an `AmpStrategy` casts the operands of the Primitive ``op_name`` (str): a `PrimCastStrategyInfo`."""
    return amp_strategy._rule_of(op_name)


class AmpDecorator:
    """A context manager that activates a strategy.

    Args:
        amp_level, amp_dtype, white_list, black_list: of an `AmpStrategy`.
    """

    def __init__(self, amp_level, amp_dtype, white_list, black_list):
        self.amp_level, self.amp_dtype, self.white_list, self.black_list = amp_level, amp_dtype, white_list, black_list

    def __enter__(self):
        if scope.trace is None:
            staging.invalidate()  # recordings made without the strategy are invalid now
        push_amp_strategy(self.amp_level, self.amp_dtype, self.white_list, self.black_list)

    def __exit__(self, kind, error, traceback):
        pop_amp_strategy()
        if scope.trace is None:
            staging.invalidate()


def strategy_of(dtype):
    """The `AmpStrategy` of MindSpore's lists of operations."""
    rows = [[(name, AMP_PRIM_ARG_TABLE[getattr(ops, name, None)]) for name in names] for names in (_WHITE, _BLACK)]
    return AmpStrategy(AmpLevel.AmpAuto, dtype, *rows)


def by_operations(target, dtype):
    """Makes a function, or a Cell in place, compute with MindSpore's lists of operations."""
    strategy = strategy_of(dtype)
    if isinstance(target, Cell):
        target.construct = types.MethodType(_under(strategy, target.construct.__func__), target)
    else:
        target = _under(strategy, target)
    target.amp_strategy = strategy
    return target


def _under(strategy, function) -> Any:
    memo = staging.Memo()
    site = function.__name__

    def casting(*args, **kwargs):
        outer, scope.casting = scope.casting, strategy
        try:
            return function(*args, **kwargs)
        finally:
            scope.casting = outer

    @functools.wraps(function)
    def decorated(*args, **kwargs):
        return staging.call(casting, args, kwargs, site, memo)

    return decorated
