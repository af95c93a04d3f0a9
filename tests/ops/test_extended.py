"""Inner Primitives equal the public operations that they implement."""

import pickle

import pytest

import msgrad as ms
from msgrad import Tensor, ops
from msgrad.ops.legacy import extended

from ..helpers import assert_close

X, Y, M = Tensor([[1.0, 2.5, -0.5], [0.25, 3.0, 2.0]]), Tensor([[2.0, 1.0, 0.5], [4.0, 1.5, 2.0]]), Tensor([1, 0, 2])
SMALL, IMAGE = X / 10 + 0.4, ops.ones((1, 4, 2, 2))
SCOPE = {"ms": ms, "ops": ops, "Tensor": Tensor, "X": X, "Y": Y, "M": M, "SMALL": SMALL, "IMAGE": IMAGE}
# The name, what it is called with, and what that is.
ROWS = [
    ("AcosExt", "SMALL", "ops.acos(SMALL)"), ("AcoshExt", "X + 2", "ops.acosh(X + 2)"),
    ("AsinExt", "SMALL", "ops.asin(SMALL)"), ("AsinhExt", "X", "ops.asinh(X)"), ("AtanExt", "X", "ops.atan(X)"),
    ("Exp2", "X", "2.0**X"), ("Frac", "X", "ops.frac(X)"), ("Log10", "Y", "ops.log10(Y)"),
    ("Log2", "Y", "ops.log2(Y)"), ("RealView", "X", "X"), ("ImagView", "ops.fft(X)", "ops.imag(ops.fft(X))"),
    ("ClampScalar", "X, 0, 2.0", "ops.clamp(X, 0, 2.0)"), ("Muls", "X, 2", "X * 2"),
    ("FmodScalar", "X, 2", "ops.fmod(X, 2)"),
    ("GeluExt", "X, 'tanh'", "ops.gelu(X, approximate='tanh')"), ("Hardtanh", "X, -1, 2", "ops.clamp(X, -1, 2)"),
    ("LeakyReLUExt", "X, 0.5", "ops.leaky_relu(X, 0.5)"), ("LogSigmoid", "X", "ops.logsigmoid(X)"),
    ("MishExt", "X", "ops.mish(X)"), ("SiLU", "X", "X * ops.sigmoid(X)"),
    ("SoftplusExt", "X, 2", "ops.softplus(X, 2)"), ("Swiglu", "X[:, :2]", "ops.swiglu(X[:, :2])"),
    ("Threshold", "X, 1.0, 9.0", "ops.threshold(X, 1.0, 9.0)"), ("AddExt", "X, Y, 2", "X + 2 * Y"),
    ("SubExt", "X, Y, alpha=2", "X - 2 * Y"), ("Atan2Ext", "X, Y", "ops.atan2(X, Y)"),
    ("AddcmulExt", "X, Y, Y, 2", "X + 2 * Y * Y"), ("AddcdivExt", "X, Y, Y, 2", "X + 2"),
    ("LogAddExp", "X, Y", "ops.logaddexp(X, Y)"), ("LogAddExp2", "X, Y", "ops.logaddexp2(X, Y)"),
    ("EqualExt", "X, X", "X == X"), ("MatMulExt", "X, Y.T", "X @ Y.T"),
    ("BatchMatMulExt", "X[None], Y.T[None]", "(X @ Y.T)[None]"), ("Dot", "X[0], Y[0]", "(X[0] * Y[0]).sum()"),
    ("Mm", "X, Y.T", "X @ Y.T"), ("Mv", "X, Y[0]", "X @ Y[0]"), ("Outer", "X[0], Y[0]", "ops.outer(X[0], Y[0])"),
    ("Addmm", "X[:, :2], X, Y.T, 2, 3", "2 * X[:, :2] + 3 * X @ Y.T"),
    ("Addmv", "X[:, 0], X, Y[0]", "X[:, 0] + X @ Y[0]"),
    ("Addbmm", "X[:, :2], X[None], Y.T[None]", "X[:, :2] + X @ Y.T"),
    ("Baddbmm", "X[None, :, :2], X[None], Y.T[None]", "(X[:, :2] + X @ Y.T)[None]"),
    ("SumExt", "X, 1, True", "ops.sum(X, 1, True)"),
    ("MeanExt", "X, 1, dtype=ms.float64", "X.astype(ms.float64).mean(1)"),
    ("ProdExt", "X, 1", "ops.prod(X, 1)"), ("AnyExt", "X > 2, 0", "(X > 2).any(0)"), ("Any", "X > 2", "(X > 2).any()"),
    ("Nansum", "X, 0", "X.sum(0)"), ("Std", "X, 1", "ops.std(X, 1, 1)"), ("Var", "X, 1", "ops.var(X, 1, 1)"),
    ("StdMean", "X, 1", "ops.std_mean(X, 1, 1)"), ("VarMean", "X, 1", "ops.var_mean(X, 1, 1)"),
    ("BincountExt", "M", "ops.bincount(M)"), ("HistcExt", "X, 3", "ops.histc(X, 3)"),
    ("ArgMaxExt", "X, 1", "ops.argmax(X, 1)"),
    ("CumsumExt", "X, 1", "ops.cumsum(X, 1)"), ("CumminExt", "X, 1", "ops.cummin(X, 1)"),
    ("TopkExt", "X, 2", "ops.topk(X, 2)"), ("TraceExt", "X", "ops.trace(X)"),
    ("LayerNormExt", "X, (3,)", "ops.layer_norm(X, (3,))"), ("GroupNorm", "IMAGE, 2", "ops.group_norm(IMAGE, 2)"),
    ("AddRmsNorm", "X, Y, Y[0]", "ops.add_rms_norm(X, Y, Y[0])"), ("L1LossExt", "X, Y", "(X - Y).abs().mean()"),
    ("CosineEmbeddingLoss", "X, Y, M[:2] + 1 - M[:2]", "ops.cosine_embedding_loss(X, Y, Tensor([1, 1]))"),
    ("ExpandDimsView", "X, 1", "X[:, None]"), ("TExt", "X", "X.T"),
    ("OneHotExt", "M, 3, Tensor(1.0), Tensor(0.0)", "ops.one_hot(M, 3, Tensor(1.0), Tensor(0.0))"),
    ("Arange", "0, 5, 2, ms.float32", "Tensor([0.0, 2.0, 4.0])"),
    ("RepeatInterleaveInt", "X, 2, 1", "X[:, [0, 0, 1, 1, 2, 2]]"),
    ("RepeatInterleaveTensor", "X, Tensor([2, 1]), 0", "X[[0, 0, 1]]"),
    ("SliceExt", "X, 1, 0, 9, 2", "X[:, ::2]"), ("StackExt", "(X, Y)", "ops.stack((X, Y))"),
    ("SplitTensor", "X, 2, 1", "(X[:, :2], X[:, 2:])"), ("SplitWithSize", "X, (1, 2), 1", "(X[:, :1], X[:, 1:])"),
    ("SortExt", "X, 1, True", "ops.sort(X, 1, True)"),
    ("Scatter", "X, 1, M[None, :1], Y, 'add'", "X + Tensor([[0.0, 2.0, 0.0], [0.0, 0.0, 0.0]])"),
    ("ScatterAddExt", "X, 1, M[None, :1], Y", "X + Tensor([[0.0, 2.0, 0.0], [0.0, 0.0, 0.0]])"),
    ("MoeInitRoutingV2", "Y, Tensor([[1], [0]], ms.int32), 0, 1, 2, 0, 0, False",
     "ops.moe_init_routing_v2(Y, Tensor([[1], [0]], ms.int32), 0, 1, 2, 0, 0, False)"),
    ("MoeTokenPermute", "Y, Tensor([1, 0])", "ops.moe_token_permute(Y, Tensor([1, 0]))"),
    ("MoeTokenUnpermute", "Y, Tensor([1, 0], ms.int32)", "Y[[1, 0]]"),
    ("BroadcastToView", "X, (2, 2, 3)", "ops.stack((X, X))"),
    ("ExpandAs", "X[:1], Y", "ops.expand_as(X[:1], Y)"), ("ViewAs", "X, Y.T", "X.reshape(3, 2)"),
    ("TypeAs", "M, X", "M.astype(ms.float32)"), ("FullLike", "X, 5.0", "X * 0 + 5"),
    ("OnesLikeExt", "X, ms.int32", "ops.ones((2, 3), ms.int32)"), ("ZerosLikeExt", "X", "X * 0"),
    ("DiagonalView", "X, 1", "ops.diagonal(X, 1)"), ("TrilExt", "X", "ops.tril(X)"),
    ("Embedding", "M[:2], X", "X[M[:2]]"), ("IndexSelect", "X, 1, M", "X[:, M]"), ("Take", "X, M", "X[0, M]"),
    ("UpsampleNearest2D", "IMAGE, (4, 4), None", "ops.ones((1, 4, 4, 4))"),
    ("UpsampleBilinear2D", "IMAGE, (3, 3), None, True", "ops.ones((1, 4, 3, 3))"),
    ("PixelShuffle", "IMAGE, 2", "ops.ones((1, 1, 4, 4))"), ("Narrow", "X, 1, 1, 2", "X[:, 1:]"),
    ("NarrowView", "X, 1, 1, 2", "X[:, 1:]"), ("Chunk", "X, 2", "(X[:1], X[1:])"),
    ("ChunkView", "X, 2", "(X[:1], X[1:])"),
    ("RotaryPositionEmbedding", "X[0, :2], X[1, :2], Y[0, :2]",
     "ops.rotary_position_embedding(X[0, :2], X[1, :2], Y[0, :2])"),
    ("FFT", "X", "ops.fft(X)"), ("IFFT", "X", "ops.ifft(X)"), ("RFFT", "X", "ops.rfft(X)"),
    ("IRFFT", "X", "ops.irfft(X)"), ("HFFT", "X", "ops.hfft(X)"), ("IHFFT", "X", "ops.ihfft(X)"),
    ("FFT2", "X", "ops.fft2(X)"), ("IFFT2", "X", "ops.ifft2(X)"), ("RFFT2", "X", "ops.rfft2(X)"),
    ("IRFFT2", "X", "ops.irfft2(X)"), ("HFFT2", "X", "ops.hfft2(X)"), ("IHFFT2", "X", "ops.ihfft2(X)"),
    ("FFTN", "X", "ops.fftn(X)"), ("IFFTN", "X", "ops.ifftn(X)"), ("RFFTN", "X", "ops.rfftn(X)"),
    ("IRFFTN", "X", "ops.irfftn(X)"), ("HFFTN", "X", "ops.hfftn(X)"), ("IHFFTN", "X", "ops.ihfftn(X)"),
    ("DCT", "X", "ms.scipy.fft.dct(X)"), ("IDCT", "X", "ms.scipy.fft.idct(X)"),
    ("DCTN", "X", "ms.scipy.fft.dctn(X)"), ("IDCTN", "X", "ms.scipy.fft.idctn(X)"),
    ("InplaceAddExt", "X * 1, Y, 2", "X + 2 * Y"), ("InplaceSubExt", "X * 1, Y", "X - Y"),
    ("InplaceCopy", "X * 1, Y", "Y"), ("InplaceMul", "X * 1, Y", "X * Y"),
    ("InplaceDiv", "X * 1, Y", "X / Y"), ("InplaceExp", "X * 1", "X.exp()"), ("InplaceFloor", "X * 1", "X.floor()"),
    ("InplaceLog", "Y * 1", "Y.log()"), ("InplaceSigmoid", "X * 1", "ops.sigmoid(X)"),
    ("InplaceTanh", "X * 1", "X.tanh()"),
    ("InplaceZero", "X * 1", "X * 0"), ("InplaceErfinv", "SMALL * 1", "ops.erfinv(SMALL)"),
]  # fmt: skip


@pytest.mark.parametrize("name, arguments, expected", ROWS, ids=[row[0] for row in ROWS])
def test_value(name, arguments, expected):
    actual = eval(f"made({arguments})", SCOPE | {"made": getattr(extended, name)()})
    expected = eval(expected, SCOPE)
    pairs = zip(actual, expected, strict=True) if isinstance(actual, tuple) else [(actual, expected)]
    for ours, other in pairs:
        assert ours.dtype == other.dtype
        assert_close(ours.asnumpy(), other.asnumpy())


def test_every_one_has_a_row():
    assert {name for name, _, _ in ROWS} == set(extended.INNER)


def test_they_are_no_names_of_ops():
    assert not [name for name in extended.INNER if hasattr(ops, name)]
    made = pickle.loads(pickle.dumps(extended.SumExt()))
    assert made(X).item() == ops.sum(X).item()
    assert "Source: mindspore.ops.auto_generate.SumExt" in made.__doc__
