"""``mindspore.numpy``: reductions, products, statistics, polynomials and Fourier transforms."""

from .case import rows

_HALF = {"dtypes": ("float16", "float64")}
_NAN = "mnp.where(x > 0.5, float('nan'), x)"
VECTORS = ((4,), (3,))
_IHFFTN = (
    "np.stack([np.fft.rfftn(x, norm='forward').real, -np.fft.rfftn(x, norm='forward').imag], -1).astype(np.float32)"
)
_UNSURE = {
    "golden_order": 0,
    "reason": "the derivative of a slice of negative stride is wrong in MindSpore 2.10",
}
_ROUNDED = {"exact_slope": False}  # it computes in float32
NO_SLOPE = "MindSpore 2.10 fails at its derivative"
OTHER = "MindSpore 2.10 computes hfftn instead"

REDUCTIONS = rows(
    [
        ("np_sum", "mnp.sum(x, 1, keepdims=True, initial=2)", {"dtypes": ("float16", "int32", "int8")}),
        ("np_sum_in", "mnp.sum(x, (0, 1), ms.float16)", _ROUNDED),
        ("np_mean", "mnp.mean(x, 0)", {"dtypes": ("float16", "int32")}),
        ("np_mean_in", "mnp.mean(x, dtype=ms.float32)", "i32[2,3]<9", {}),
        ("np_std", "mnp.std(x, 1, 1, True)", {}),
        ("np_var", "mnp.var(x)", {"dtypes": ("float64",), "golden_order": 0, "reason": NO_SLOPE}),
        ("np_average", "mnp.average(x, weights=y)", {"shapes": ((2, 3), (2, 3)), "domain": (0.5, 2.0)}),
        ("np_average_along", "mnp.average(x, 1, y, returned=True)[1]", {"shapes": ((2, 3), (3,))}),
        ("np_average_of_ints", "mnp.average(x, axis=1)", "i32[2,3]<9", {"order": 0}),
        ("np_amax", "mnp.amax(x, 0)", {"faces": ("mnp.max(x, 0)",), "dtypes": ("int32",)}),
        ("np_amax_where", "mnp.amax(x, 1, initial=0.5, where=x > -1)", {}),
        ("np_amin", "mnp.amin(x, -1, True)", {"faces": ("mnp.min(x, -1, True)",), "dtypes": ("int32",)}),
        ("np_ptp", "mnp.ptp(x, 0)", {}),
        ("np_argmax", "mnp.argmax(x, 0)", {"order": 0}),
        ("np_argmin", "mnp.argmin(x)", {"order": 0}),
        ("np_count_nonzero", "mnp.count_nonzero(x, 0, True)", "i32[2,3]<2", {}),
        ("np_nanmax", f"mnp.nanmax({_NAN}, 1)", {"order": 0}),
        ("np_nanmin", f"mnp.nanmin({_NAN})", {"order": 0}),
        ("np_nansum", f"mnp.nansum({_NAN}, 0)", {"order": 0}),
        ("np_nanmean", f"mnp.nanmean({_NAN})", {"order": 0}),
        ("np_nanmean_of_ints", "mnp.nanmean(x, 0)", "i32[2,3]<9", {}),
        ("np_nanvar", f"mnp.nanvar({_NAN}, ddof=1)", {"order": 0}),
        ("np_nanstd", f"mnp.nanstd({_NAN})", {"order": 0}),
        ("np_cumsum", "mnp.cumsum(x, 1)", {"dtypes": ("float16", "int8", "int64")}),
        ("np_cumsum_all", "mnp.cumsum(x)", {}),
        ("np_nancumsum", f"mnp.nancumsum({_NAN})", {"order": 0}),
        ("np_cumprod", "mnp.cumprod(x, 1)", {"dtypes": ("int32", "float16")}),
    ],
    order=1,
)

PRODUCTS = rows(
    [
        ("np_matmul", "mnp.matmul(x, y)", {"shapes": ((2, 3), (3, 2)), "order": 0}),
        ("np_dot", "mnp.dot(x, y)", {"shapes": ((2, 2, 3), (2, 3, 2))}),
        ("np_dot_vectors", "mnp.dot(x, y)", "i32[3]<9 i32[3]<9", {}),
        ("np_inner", "mnp.inner(x, y)", {"shapes": ((2, 3), (4, 3))}),
        ("np_outer", "mnp.outer(x, y)", {"shapes": ((2, 2), (3,))}),
        ("np_kron", "mnp.kron(x, y)", {"shapes": ((2, 2), (1, 3))}),
        ("np_tensordot", "mnp.tensordot(x, y, ((1, 2), (1, 0)))", {"shapes": ((2, 3, 4), (4, 3, 2)), "order": 0}),
        ("np_tensordot_none", "mnp.tensordot(x, y, 0)", {"shapes": ((2,), (3,)), "order": 0}),
        ("np_cross", "mnp.cross(x, y)", {"shapes": ((2, 3), (2, 3)), "dtypes": ("int32",)}),
        ("np_cross_axes", "mnp.cross(x, y, axisa=0, axisc=0)", {"shapes": ((3, 2), (2, 3))}),
        ("np_multi_dot", "mnp.multi_dot([x, y, z])", {"shapes": ((2, 3), (3, 4), (4, 2))}),
        ("np_matrix_power", "mnp.matrix_power(x, 3)", {"shapes": ((2, 2),), "order": 0}),
        ("np_norm", "mnp.norm(x)", {"dtypes": ("int32",)}),
        ("np_norm_of_rows", "mnp.norm(x, 3, 1, True)", {"domain": (0.5, 2.0)}),
        ("np_norm_of_matrix", "mnp.norm(x, 1)", {}),
        ("np_convolve", "mnp.convolve(x, y)", {"shapes": VECTORS, "dtypes": ("int32",), **_UNSURE}),
        ("np_convolve_same", "mnp.convolve(x, y, 'same')", {"shapes": VECTORS, **_UNSURE}),
        ("np_correlate", "mnp.correlate(x, y, 'full')", {"shapes": VECTORS, "dtypes": ("int32",)}),
    ],
    order=1,
    golden_order=1,
)

STATISTICS = rows(
    [
        ("np_diff", "mnp.diff(x, 2)", {"dtypes": ("int32",)}),
        ("np_diff_ends", "mnp.diff(x, prepend=0, append=y)", {"shapes": ((2, 3), (2, 1))}),
        ("np_ediff1d", "mnp.ediff1d(x, to_begin=9)", {}),
        ("np_trapz", "mnp.trapz(x, dx=2.0)", {"dtypes": ("int32",)}),
        ("np_trapz_at", "mnp.trapz(x, y)", {"shapes": ((2, 3), (3,))}),
        ("np_gradient", "mnp.gradient(x, 2.0, axis=0)", {"shapes": ((3, 2),)}),
        ("np_gradient_all", "mnp.gradient(x)[1]", {}),
        ("np_unwrap", "mnp.unwrap(x)", {"shapes": ((6,),), "domain": (-9.0, 9.0), "order": 0}),
        ("np_interp", "mnp.interp(x, [-1, 0, 2], [3, 2, 0])", {"order": 0}),
        ("np_interp_ends", "mnp.interp(x, [0.0, 0.5], [3.0, 2.0], -5, 7)", {"order": 0}),
        ("np_cov", "mnp.cov(x)", _ROUNDED),
        ("np_cov_weights", "mnp.cov(x, fweights=[1, 2, 3], aweights=[3, 2, 1])", _ROUNDED),
        ("np_cov_columns", "mnp.cov(x, y, rowvar=False, bias=True)", {"shapes": ((2, 3), (2, 3)), **_ROUNDED}),
        ("np_corrcoef", "mnp.corrcoef(x)", {"rtol": 1e-4, "shapes": ((3, 5),), "order": 0}),
        ("np_searchsorted", "mnp.searchsorted([0, 2, 2, 5], x, 'right')", "i32[2,3]<9", {}),
        ("np_searchsorted_sorter", "mnp.searchsorted([3.0, 1.0, 2.0], x, sorter=Tensor([1, 2, 0]))", {"order": 0}),
        ("np_digitize", "mnp.digitize(x, [0.0, 1.0, 2.5], True)", {"order": 0}),
        ("np_digitize_falling", "mnp.digitize(x, [4, 2, 1])", "i32[6]<6", {}),
        ("np_bincount", "mnp.bincount(x, y, length=4)", "i32[6]<4 f[6]", {"order": 0}),
        ("np_histogram_bin_edges", "mnp.histogram_bin_edges(x, 4)", {"order": 0}),
        ("np_histogram", "mnp.histogram(x, 3)[0]", {"order": 0}),
        ("np_histogram_density", "mnp.histogram(x, [-2, 0, 1, 2], density=True)[0]", {"order": 0}),
        ("np_histogramdd", "mnp.histogramdd(x, 2, ((-2, 2), (-1, 1)))[0]", {"shapes": ((6, 2),), "order": 0}),
        ("np_histogram2d", "mnp.histogram2d(x, y, [2, 3])[0]", {"shapes": ((6,), (6,)), "order": 0}),
    ],
    order=1,
    golden_order=1,
)

POLYNOMIALS = rows(
    [
        ("np_polyadd", "mnp.polyadd(x, y)", {"shapes": VECTORS, "dtypes": ("int32",)}),
        ("np_polysub", "mnp.polysub(x, y)", {"shapes": VECTORS}),
        ("np_polymul", "mnp.polymul(x, y)", {"shapes": VECTORS, **_UNSURE}),
        ("np_polyval", "mnp.polyval(x, y)", {"shapes": VECTORS}),
        ("np_polyder", "mnp.polyder(x, 2)", {"shapes": ((4,),), "dtypes": ("int32",)}),
        ("np_polyint", "mnp.polyint(x, 2, [5, 6])", {"shapes": ((3,),)}),
    ],
    order=1,
    golden_order=1,
)

FOURIER = rows(
    [
        ("np_fft", "ops.view_as_real(mnp.fft.fft(x, axis=0))", {}),
        ("np_ifft", "ops.view_as_real(mnp.fft.ifft(x, 4))", {}),
        ("np_rfft", "ops.view_as_real(mnp.fft.rfft(x, norm='ortho'))", {}),
        ("np_irfft", "mnp.fft.irfft(x)", {}),
        ("np_hfft", "mnp.fft.hfft(x)", {}),
        ("np_ihfft", "ops.view_as_real(mnp.fft.ihfft(x))", {}),
        ("np_fft2", "ops.view_as_real(mnp.fft.fft2(x))", {}),
        ("np_ifft2", "ops.view_as_real(mnp.fft.ifft2(x))", {}),
        ("np_rfft2", "ops.view_as_real(mnp.fft.rfft2(x))", {}),
        ("np_irfft2", "mnp.fft.irfft2(x)", {}),
        ("np_hfft2", "mnp.fft.hfft2(x)", {}),
        ("np_ihfft2", "ops.view_as_real(mnp.fft.ihfft2(x))", {}),
        ("np_fftn", "ops.view_as_real(mnp.fft.fftn(x))", {}),
        ("np_ifftn", "ops.view_as_real(mnp.fft.ifftn(x, axes=(1,)))", {}),
        ("np_rfftn", "ops.view_as_real(mnp.fft.rfftn(x))", {}),
        ("np_irfftn", "mnp.fft.irfftn(x)", {}),
        ("np_hfftn", "mnp.fft.hfftn(x)", {}),
        (
            "np_ihfftn",
            "ops.view_as_real(mnp.fft.ihfftn(x))",
            {
                "reference": _IHFFTN,
                "reason": OTHER,
            },
        ),
        ("np_fftshift", "mnp.fft.fftshift(x, 1)", {}),
        ("np_ifftshift", "mnp.fft.ifftshift(x)", {}),
        ("np_fftfreq", "mnp.fft.fftfreq(5, 0.5)", {"shapes": ()}),
        ("np_rfftfreq", "mnp.fft.rfftfreq(4)", {"shapes": ()}),
    ],
    order=0,
)

CASES = REDUCTIONS + PRODUCTS + STATISTICS + POLYNOMIALS + FOURIER

ERRORS = [
    ("mnp.sum(Tensor([1.0]), 3)", ValueError, "For 'sum', the 'axis' must be"),
    ("mnp.amax(Tensor([1.0]), where=Tensor([True]))", ValueError, "For 'amax', the 'initial' must be given"),
    ("mnp.average(mnp.ones((2, 3)), weights=mnp.ones(3))", TypeError, "For 'average', the 'weights' must be"),
    ("mnp.average([1.0])", TypeError, "For 'average', the 'x' must be a Tensor"),
    ("mnp.dot(mnp.ones((2, 3)), mnp.ones((2, 3)))", ValueError, "For 'dot'"),
    ("mnp.cross(mnp.ones(4), mnp.ones(4))", ValueError, "For 'cross'"),
    ("mnp.multi_dot([mnp.ones((2, 3))])", ValueError, "For 'multi_dot'"),
    ("mnp.matrix_power(mnp.ones((2, 3)), 2)", ValueError, "For 'matrix_power'"),
    ("mnp.norm(mnp.ones(3), 'zz')", ValueError, "For 'norm', the 'ord' must be"),
    ("mnp.convolve(mnp.ones(2), mnp.ones(2), 'zz')", ValueError, "For 'convolve', the 'mode' must be"),
    ("mnp.diff(mnp.ones(3), 3)", ValueError, "For 'diff', the 'n' must be"),
    ("mnp.gradient(mnp.ones(4), edge_order=2)", NotImplementedError, "For 'gradient'"),
    ("mnp.interp(1, mnp.ones((2, 2)), 1)", ValueError, "For 'interp'"),
    ("mnp.cov(mnp.ones((2, 2, 2)))", ValueError, "For 'cov'"),
    ("mnp.searchsorted([1, 2], 1, 'zz')", ValueError, "For 'searchsorted', the 'side' must be"),
    ("mnp.bincount(mnp.ones(3))", TypeError, "For 'bincount', the 'x' must be"),
    ("mnp.histogram_bin_edges(mnp.ones(3), 'auto')", NotImplementedError, "For 'histogram_bin_edges'"),
    ("mnp.histogramdd(mnp.ones((6, 2)), [2])", ValueError, "For 'histogramdd', the 'bins' must be"),
    ("mnp.polyder(mnp.ones(3), -1)", ValueError, "For 'polyder', the 'm' must be"),
]
