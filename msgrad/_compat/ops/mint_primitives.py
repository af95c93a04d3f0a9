"""Internal Primitives that compute functions of `mint`: what MindSpore calls inside of them on Ascend."""

from ... import mint
from ...mint.nn import functional
from ...ops._core.faces import primitive
from ...ops._core.tables import Table
from ...tensor.tensor import Tensor

_ROWS = [
    (functional.adaptive_avg_pool1d, "AdaptiveAvgPool1D()(input, output_size)"),
    (mint.argmin, "ArgMinExt()(input, dim=None, keepdim=False)"),
    (mint.argsort, "ArgSort()(input, dim=-1, descending=False, stable=False)"),
    (mint.bitwise_not, "BitwiseNot()(input)"),
    (mint.clone, "Clone()(input)"),
    (mint.diag, "DiagExt()(input, diagonal=0)"),
    (functional.elu, "EluExt()(input, alpha=1.0)"),
    (mint.flatten, "FlattenExt()(input, start_dim=0, end_dim=-1)"),
    (mint.index_add, "IndexAddExt()(input, dim, index, source, alpha=1)"),
    (mint.isneginf, "IsNegInf()(input)"),
    (functional.kl_div, "KLDiv()(input, target, reduction='mean', log_target=False)"),
    (mint.kthvalue, "Kthvalue()(input, k, dim=-1, keepdim=False)"),
    (mint.linalg.qr, "LinalgQr()(A, mode='reduced')"),
    (mint.linalg.vector_norm, "LinalgVectorNorm()(x, ord=2, dim=None, keepdim=False, dtype=None)"),
    (mint.logsumexp, "LogSumExp()(input, dim, keepdim=False)"),
    (functional.mse_loss, "MSELossExt()(input, target, reduction='mean')"),
    (mint.inverse, "MatrixInverseExt()(input)"),
    (mint.median, "MedianExt()(input)"),
    (mint.median, "MedianDim()(input, dim=-1, keepdim=False)"),
    (Tensor.new_full, "NewFull()(input, size, fill_value, dtype=None)"),
    (mint.nonzero, "NonZeroExt()(input)"),
    (mint.norm, "Norm()(input, p=2.0, dim=None, keepdim=False, dtype=None)"),
    (Tensor.repeat, "Repeat()(input, repeats)"),
    (functional.selu, "SeLUExt()(input)"),
    (mint.unsqueeze, "Unsqueeze()(input, dim)"),
    (mint.vdot, "Vdot()(input, other)"),
]

MINT_PRIMITIVES = Table()  # every one by name
for _target, _text in _ROWS:
    primitive(_target, _text, table=MINT_PRIMITIVES, path="mindspore.ops.auto_generate", module=__name__)
