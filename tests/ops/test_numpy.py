"""``mindspore.numpy`` apart from the rows of `op_cases`: non-Tensor and random results, and NumPy's."""

import re

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor
from msgrad import numpy as mnp

from ..helpers import assert_close
from ..op_cases import CASES

# (expression, its value): by MindSpore 2.10
VALUES = {
    "mnp.size(mnp.ones((2, 3)))": 6,
    "mnp.size([[1, 2, 3]], 1)": 3,
    "mnp.array_str(mnp.arange(3))": "[0 1 2]",
    "mnp.isscalar(3), mnp.isscalar('a'), mnp.isscalar(None), mnp.isscalar([1])": (True, True, False, False),
    "mnp.promote_types(ms.float32, ms.int64)": ms.float32,
    "mnp.promote_types('int8', 'uint16')": ms.int32,
    "mnp.promote_types('uint16', 'float64')": ms.float32,
    "mnp.promote_types(float, int)": ms.float32,
    "mnp.result_type(Tensor([1]), 1.5)": ms.float32,
    "mnp.result_type('int8', True)": ms.int8,
    "mnp.int_, mnp.float_, mnp.uint": (ms.int32, ms.float32, ms.uint32),
    "mnp.array([1, 2]).dtype, mnp.array([1.5]).dtype": (ms.int32, ms.float32),
    "mnp.array([Tensor(1.5), Tensor(2)]).dtype": ms.float32,
    "mnp.bincount([0, 1, 1, -2], [0.5, 0.5, 0.25, 1.0]).tolist()": [1.5, 0.75],
    "mnp.bincount([0, 1], minlength=4).tolist()": [1.0, 1.0, 0.0, 0.0],
    "[each.tolist() for each in mnp.intersect1d([3, 1, 2], [1, 3], return_indices=True)]": [[1, 3], [1, 0], [0, 1]],
    "mnp.setdiff1d([3, 1, 2, 1], [1], True).tolist()": [3, 2],
    "mnp.pad(mnp.ones(2), 1, lambda v, width, axis, kwargs: v + kwargs['k'], k=2).tolist()": [2, 3, 3, 2],
    "len(mnp.histogramdd(mnp.ones((4, 2)), 3)[1])": 2,
    "mnp.histogram2d([1, 2], [3, 4], 2)[2].tolist()": [3.0, 3.5, 4.0],
    "mnp.histogram2d(mnp.zeros(0), mnp.zeros(0), 1)[0].tolist(), mnp.histogram(mnp.zeros(0), 1)[1].tolist()": (
        [[0.0]],
        [-0.5, 0.5],
    ),
    "mnp.piecewise(mnp.arange(3), [[True, False, False]], [-1, 7]).tolist()": [-1, 7, 7],
    "mnp.norm(Tensor([[3.0, 0.0], [0.0, 4.0]]), 'nuc').item()": 7.0,
    "mnp.rand(2, 3).shape, mnp.rand([2]).shape, mnp.rand().shape": ((2, 3), (2,), (1,)),
    "mnp.randn((2, 3), dtype=mnp.float16).dtype": ms.float16,
    "mnp.randint(1, 2, (2,)).tolist(), mnp.randint(5).shape": ([1, 1], (1,)),
    "mnp.randint(5, dtype=ms.int8).dtype": ms.int8,
    "mnp.multi_dot([mnp.ones(2), mnp.ones((2, 3)), mnp.ones(3)]).item()": 6.0,
    "ms.numpy.matrix_power(mnp.ones((2, 2)), 0).tolist()": [[1.0, 0.0], [0.0, 1.0]],
}


@pytest.mark.parametrize("expression", VALUES)
def test_value(expression, mode):
    assert eval(expression, {"ms": ms, "mnp": mnp, "Tensor": Tensor}) == VALUES[expression]


A, B = np.array([[1.0, -2.5, 3.0], [0.5, 2.0, -1.0]], np.float32), np.array([2.0, 0.5, -1.5], np.float32)
GIVEN = {"A": A, "B": B, "I": np.array([[0], [1]]), "J": np.array([0, 1, 0])}
# Calls whose results are NumPy's own, except for the dtype.
SAME = """
    add(A, B) subtract(A, B) multiply(A, B) divide(A, B) minimum(A, B) maximum(A, B) hypot(A, B) remainder(A, B)
    fmod(A, B) floor_divide(A, B) arctan2(A, B) copysign(A, B) heaviside(A, B) logaddexp(A, B) logaddexp2(A, B)
    absolute(A) square(A) exp(A) expm1(A) exp2(A) cbrt(A) sin(A) cos(A) tanh(A) arctan(A) arcsinh(A) floor(A) ceil(A)
    trunc(A) fix(A) rint(A) sign(A) deg2rad(A) rad2deg(A) isfinite(A) signbit(A) logical_not(A) greater(A, B)
    sum(A) sum(A,0) mean(A,1) std(A,1) var(A,ddof=1) amax(A,0) amin(A) ptp(A,1) argmax(A) argmin(A,1) cumsum(A)
    cumsum(A,1) cumprod(A,0) count_nonzero(A,0) average(A,1) nansum(A) nanmean(A,0) nanmax(A) nanstd(A)
    transpose(A) swapaxes(A,0,1) moveaxis(A,0,1) rollaxis(A,1) reshape(A,(3,2)) ravel(A) expand_dims(A,1) flip(A)
    flipud(A) fliplr(A) rot90(A) rot90(A,3) roll(A,2) roll(A,1,1) tile(A,(2,2)) repeat(A,2,0) broadcast_to(B,(2,3))
    concatenate((A,A)) stack((A,A),1) vstack((A,B)) hstack((A,A)) dstack((A,A)) column_stack((A,A)) append(A,B)
    split(B,3)[1] array_split(B,2)[0] tril(A) triu(A,1) diag(B) diag(A) diagflat(B,1) diagonal(A) trace(A) vander(B)
    eye(2,3,1) tri(3) identity(2) arange(1,9,2) linspace(0,1,5) logspace(0,2,3) geomspace(1,8,4) meshgrid(B,B)[0]
    indices((2,3))[1] hamming(5) hanning(5) bartlett(5) blackman(5) triu_indices(3)[1] tril_indices(3,-1)[0]
    dot(A,A.T) inner(A,B) outer(A,B) kron(B,B) tensordot(A,A) matmul(A,B) cross(B,B*B) convolve(B,B) correlate(B,B)
    cov(A) corrcoef(A) diff(A) ediff1d(A) trapz(A) gradient(B) interp(A,[0,1],[3,4]) searchsorted([0,1,2],A)
    digitize(A,[0.0,1.0]) histogram(A,3)[0] histogram_bin_edges(A,3) bincount([0,2,2]) unwrap(A*4)
    polyadd(B,B) polysub(B,A[0]) polymul(B,B) polyval(B,A) polyder(B) polyint(B) where(A>0,A,B) clip(A,0,1)
    take(A,J,1) take_along_axis(A,I,1) select([A>0,A<0],[A,-A]) choose(J,[B,B*2]) isin(A,B)
    unravel_index(J,(2,3))[1] ravel_multi_index(([0,1],[2,1]),(2,3)) in1d(A,B) setdiff1d(A,B) intersect1d(A,A[0])
    pad(A,1) pad(B,(2,3),mode='reflect') pad(B,2,mode='symmetric') pad(B,4,mode='wrap') pad(A,1,mode='edge')
    fft.fft(B) fft.ifft(B) fft.rfft(B) fft.irfft(B) fft.hfft(B) fft.fft2(A) fft.rfftn(A) fft.fftshift(B)
    fft.fftfreq(5) fft.rfftfreq(4,0.5)
""".replace(", ", ",").split()
_OLD = {"trapz": "trapezoid", "in1d": "isin", "fix": "trunc"}  # NumPy's newer names


@pytest.mark.parametrize("call", SAME)
def test_is_numpy_s_own(call):
    theirs = re.sub(r"^(\w+)", lambda name: _OLD.get(name[0], name[0]), call)
    if call.startswith("in1d"):
        theirs += ".reshape(-1)"
    expected = eval(f"np.{theirs}", {"np": np, **GIVEN})
    actual = eval(f"mnp.{call}", {"mnp": mnp, **{name: Tensor(array) for name, array in GIVEN.items()}}).asnumpy()
    assert_close(actual, np.asarray(expected).astype(actual.dtype), rtol=1e-4, atol=1e-5)


TRIED = "\n".join([each for case in CASES for each in (case.expression, *case.faces)] + list(VALUES))
PUBLIC = [f"mnp.{name}" for name in mnp.__all__] + [f"mnp.fft.{name}" for name in mnp.fft.__all__]


def test_each_function_has_a_row():
    names = set(PUBLIC) - {f"mnp.{name}" for name in mnp.numeric_types}
    assert not [name for name in names if not re.search(rf"\b{re.escape(name)}\b", TRIED)]


def test_membership_among_many_is_that_among_few():
    elements = np.array([np.nan, 0.0, -0.0, np.inf, 3.0, 3.5, -1.0, 100.0], np.float32)
    members = np.array([*range(40), np.nan, np.inf], np.float32)
    for count in (3, len(members)):
        chosen = members[-count:]
        actual = mnp.isin(Tensor(elements), Tensor(chosen)).asnumpy()
        np.testing.assert_array_equal(actual, np.isin(elements, chosen))
