"""Internal Primitives used by old programs: of ``_inner_ops``, ``sparse_ops`` and similar modules.

`_ROWS` has a row for each: the Primitive, its result as a function of inputs and attributes, and a description.
"""

import functools

import numpy as np

from ... import dtype as dtypes
from ... import ops
from ..._contracts import check
from ...numpy import correlate as numpy_correlate
from ...ops._core.tables import Table
from ...ops.optim.sequential_row_updates import INNER_STEPS
from ...scipy.linalg import eigh, lstsq, solve_triangular
from ...tensor.tensor import Tensor
from .attention import flash_attention
from .gradient_operations import resized_v2
from .gradients import called
from .inner import define
from .mint_primitives import MINT_PRIMITIVES
from .region_pooling import psroi_pooling
from .scalar_primitives import ROWS as _SCALARS
from .sets import ROWS as _SETS
from .sparse_primitives import ROWS as _SPARSE

INNER = Table()  # the Primitives by name


def _shift(x, coming, periods, axis, fill_value):
    """Shifts elements along an axis; the fill value is an input, or an attribute as in MindSpore 1.x."""
    number = next((each for each in (coming, fill_value) if each is not None), np.nan)
    number = number.asnumpy() if isinstance(number, Tensor) else number
    periods = int(np.clip(periods, -x.shape[axis], x.shape[axis]))
    shape = [abs(periods) if each == axis % x.ndim else length for each, length in enumerate(x.shape)]
    coming = Tensor(np.full(shape, number), x.dtype)
    joined = ops.cat((coming, x) if periods >= 0 else (x, coming), axis)
    return ops.narrow(joined, axis, max(-periods, 0), x.shape[axis])


def _copy_slices(x, value, begin, end, strides):
    """``x`` with a slice of it replaced by a value."""
    slices = tuple(slice(*each) for each in zip(begin, end, strides, strict=True))
    x = x.copy()
    x[slices] = value
    return x


_SEQUENCES = {dtypes.list_: list, dtypes.tuple_: tuple}


def _is_instance(inst, type_):
    """Whether a value is of a type: list, tuple, or one of numbers, ``int_`` and ``float_`` among them."""
    if not isinstance(type_, dtypes.Type):
        check.refuse(TypeError, "IsInstance", "type_", "a type of mindspore.dtype", type_)
    if type_ in _SEQUENCES:
        return isinstance(inst, _SEQUENCES[type_])
    return dtypes._issubclass_(dtypes.get_py_obj_dtype(inst), type_)


def _is_subclass(sub_type, type_):
    for name, each in (("sub_type", sub_type), ("type_", type_)):
        if not isinstance(each, dtypes.Type):
            check.refuse(TypeError, "IsSubClass", name, "a type of mindspore.dtype", each)
    return dtypes._issubclass_(sub_type, type_)


def _eigh(A, compute_eigenvectors, lower):  # noqa: N803
    return eigh(A, lower=lower, eigvals_only=not compute_eigenvectors)


def _update_cache(input_x, indices, updates, max_num):
    """Writes rows; those with an index out of range are dropped."""
    valid_rows = np.flatnonzero((indices.asnumpy() >= 0) & (indices.asnumpy() < int(np.asarray(max_num).reshape(()))))
    rows = Tensor(valid_rows)
    input_x[indices.reshape(-1)[rows]] = updates.reshape((-1, *input_x.shape[1:]))[rows]
    return ops.zeros((1,), input_x.dtype)


def _instance_normed(x, gamma, beta, mean, variance, is_training, epsilon):
    """The normalized images, and in training the means and reciprocal deviations that they were normalized by."""
    if is_training:
        mean = x.mean((2, 3), keep_dims=True)
        variance = ((x - mean) ** 2).mean((2, 3), keep_dims=True)
    rstd = ops.rsqrt(variance + epsilon)
    return (x - mean) * rstd * gamma + beta, mean, rstd


def _solved(a, b, trans, lower, unit_diagonal):
    return solve_triangular(a, b, trans=trans, lower=lower, unit_diagonal=unit_diagonal)


def _tridiagonal_solved(diagonals, rhs):
    """The solution of equations with three diagonals: above, on and below the main one."""
    above, main, below = (diagonals[..., row, :] for row in range(3))
    matrix = ops.diag_embed(main) + ops.diag_embed(above[..., :-1], 1) + ops.diag_embed(below[..., 1:], -1)
    return ops.matmul(ops.inverse(matrix), rhs)


def _correlated(a, v, pad_mode):
    return numpy_correlate(a, v, pad_mode)


def _of_shape(dout, shape):
    """A Tensor cut off and filled up with zeros at the ends of its axes."""
    part = dout[tuple(slice(0, length) for length in shape)]
    pads = [(0, length - own) for length, own in zip(shape, part.shape, strict=True)]
    return ops.pad(part, [each for pair in reversed(pads) for each in pair])


def _clipped_by_norm(x, clip_norm, axis):
    axes = tuple(range(x.ndim)) if axis is None else axis
    norm = ops.sqrt((x * x).sum(axes, keepdims=True))
    return x * clip_norm / ops.maximum(norm, clip_norm)


def _offsets_of_shapes(axis, x):
    """Start offset of each of the Tensors of given shapes when they are concatenated."""
    shapes = np.stack([each.asnumpy() for each in x])
    starts = np.zeros_like(shapes)
    axis = axis.asnumpy().item()
    starts[1:, axis] = np.cumsum(shapes[:-1, axis])
    return tuple([Tensor(each) for each in starts])


def _without_item(input_data, index):
    left = list(input_data)
    del left[index]
    return type(input_data)(left)


def _least_squares(A, B):  # noqa: N803
    """The solution, no residuals, the rank, and no singular values."""
    solution, _, rank, _ = lstsq(A, B)
    nothing = ops.zeros(0, A.dtype)
    return solution, nothing, Tensor(rank).astype(dtypes.int64), nothing


def _self_adjoint_eig(x, compute_v):
    if compute_v:
        return eigh(x)
    return eigh(x, eigvals_only=True), ops.zeros_like(x)


def _contrasted(images, contrast_factor):
    mean = images.mean((-3, -2), keep_dims=True)
    return (images - mean) * contrast_factor + mean


def _broadcast_axes(x, y):
    """The axes along which each of two shapes is broadcast."""
    return tuple([Tensor(np.array(axes, np.int64)) for axes in ops.broadcast_gradient_args(_ints(x), _ints(y))])


def _ints(shape):
    return tuple(shape.asnumpy().tolist())


def _same_kind(x, y):
    if x.dtype != y.dtype or x.shape != y.shape:
        kinds = [(each.dtype, each.shape) for each in (x, y)]
        raise ValueError(f"For 'SameTypeShape', the dtypes and shapes of 'x' and 'y' must be equal, but got {kinds}.")
    return x


def _repeats(shape, out_shape, ndim):
    """Number of repetitions of each axis that broadcast one shape to another."""
    return [1 if own == length else length for own, length in zip(shape[:ndim], out_shape[:ndim], strict=True)]


def _sparse_cross_entropies(features, labels):
    """The losses, and their gradients by the logits."""
    classes = ops.one_hot(labels, features.shape[-1], Tensor(1, features.dtype), Tensor(0, features.dtype))
    logs = ops.log_softmax(features, -1)
    return -(logs * classes).sum(-1), ops.exp(logs) - classes


def _assigned(ref, value):
    if ref.shape != value.shape:
        shapes = f"got the shape of 'input_x': {ref.shape}, and the shape of 'input_y': {value.shape}"
        message = f"For 'DynamicAssign', the shape of 'input_x' and 'input_y' must be the same, but {shapes}."
        raise RuntimeError(message)
    return ops.assign(ref, value)


def _padded(input_x, cum_sum_arr, shift_idx):
    """The first elements at one of several segments of the result, which is -1 elsewhere."""
    starts, segment = cum_sum_arr.asnumpy(), int(shift_idx.asnumpy().reshape(()))
    start, end = int(starts[segment]), int(starts[segment + 1])
    return ops.cat([
        ops.full((start,), -1, dtype=input_x.dtype), input_x[: end - start],
        ops.full((int(starts[-1]) - end,), -1, dtype=input_x.dtype),
    ])  # fmt: skip


def _stitched(indices, data):
    """Rows put at indices, later ones over earlier ones."""
    rest = data[0].shape[indices[0].ndim :]
    rows_written = ops.cat([each.reshape(-1) for each in indices])
    count = int(rows_written.asnumpy().max(initial=-1)) + 1
    whole = ops.zeros((count, *rest), data[0].dtype)
    for each, rows in zip(indices, data, strict=True):
        whole = ops.tensor_scatter_update(whole, each.reshape(-1, 1), rows.reshape((-1, *rest)))
    return whole


def _scaled_orthogonally(input, axes, forward):
    """A cosine transform of some axes made orthogonal, or back: its first element has another factor."""
    for axis in axes or ():
        length = input.shape[axis]
        factors = np.full(length, np.sqrt(2.0 * length))
        factors[0] = np.sqrt(4.0 * length)
        factors = Tensor((1 / factors if forward else factors).astype(input.dtype.numpy))
        input = input * factors.reshape([-1 if each == axis % input.ndim else 1 for each in range(input.ndim)])
    return input


def _doubled(input, n, dim):
    """A half spectrum whose elements count twice, except those that a real signal of ``n`` numbers has once."""
    length = input.shape[dim]
    factors = np.full(length, 2)
    factors[[0] if n % 2 else [0, n // 2]] = 1
    return input * Tensor(factors).reshape([-1 if each == dim % input.ndim else 1 for each in range(input.ndim)])


def _sliced_gradient(dy, x, start, stop, step):
    """The gradient of a sequence of which a slice was taken."""
    whole = [ops.zeros_like(each) if isinstance(each, Tensor) else 0 for each in x]
    whole[start:stop:step] = dy
    return tuple(whole)


def _products_of_others(input_data, dout):
    """The gradients of the product of some ints, each the product of the others."""
    return tuple([dout * int(np.prod(input_data[:k] + input_data[k + 1 :])) for k in range(len(input_data))])


_ROWS = [
    ("AddV2()(x, y)", lambda x, y: x + y, "the sum"),
    ("AdjustContrastv2()(images, contrast_factor)", _contrasted, "images with the distances from their means scaled"),
    ("ClipByNorm(axis=None)(x, clip_norm)", _clipped_by_norm, "a Tensor of at most a norm"),
    ("ConcatOffsetV1()(axis, x: Arrays)", _offsets_of_shapes, "where Tensors begin that are joined"),
    ("Correlate(pad_mode='valid')(a, v)", _correlated, "the correlation of two vectors"),
    ("DynamicBroadcastGradientArgs()(x, y)", _broadcast_axes, "the axes along which shapes are repeated"),
    ("DynamicBroadcastTo()(x, shape: Shape)", lambda x, shape: ops.broadcast_to(x, shape), "a Tensor of a shape"),
    ("FFTShapeCopy()(dout, shape: Shape)", _of_shape, "a Tensor cut off and filled up with zeros"),
    ("InstanceNormV2(is_training=True, momentum=0.1, epsilon=1e-5)(x, gamma, beta, mean, variance)", _instance_normed,
     "instance norm"),
    ("ListAppendAndInsertGrad()(input_data: ANY, index: Int)", _without_item, "a sequence without an item"),
    ("LstsqV2()(A, B, driver: ANY = None)", _least_squares, "solution and rank of linear least squares"),
    ("RangeV2(maxlen=1000000)(start, limit, delta)", lambda start, limit, delta: ops.range(start, limit, delta),
     "numbers from one to another"),
    ("SelfAdjointEig(compute_v=True)(x)", _self_adjoint_eig, "eigenvalues and eigenvectors of symmetric matrices"),
    ("IsConstant()(x: ANY)", lambda x: not isinstance(x, Tensor), "whether a value is known when a graph is compiled"),
    ("RFFTFreq()(n: Int, d: ANY = 1.0, dtype: ANY = None)",
     lambda n, d, dtype: Tensor(np.fft.rfftfreq(n, d), dtype or dtypes.float32), "frequencies of a Fourier transform"),
    ("ReLUV3()(x)", lambda x: ops.relu(x), "the positive part"),
    ("ResizeV2(coordinate_transformation_mode='half_pixel', mode='nearest')(x, roi, scales, sizes: Shape)",
     lambda x, sizes, coordinate_transformation_mode, mode:
     resized_v2(x, sizes, coordinate_transformation_mode, mode), "images of another size"),
    ("SameTypeShape()(x, y)", _same_kind, "its first input, after a check that the second has its dtype and shape"),
    ("SolveTriangular()(a, b, trans: Int = 0, lower: ANY = False, unit_diagonal: ANY = False)", _solved,
     "the solution of triangular equations"),
    ("SparseSoftmaxCrossEntropyWithLogitsV2()(features, labels)", _sparse_cross_entropies,
     "cross entropies and their gradients"),
    ("TileSize()(shape: ANY, out_shape: ANY, ndim: Int)", _repeats, "how often axes are repeated"),
    ("TraceV2()(input, offset: Int = 0, axis1: Int = 1, axis2: Int = 0, dtype: ANY = None)",
     lambda input, offset, axis1, axis2, dtype: ops.diagonal(input, offset, axis1, axis2).sum(-1).astype(
         dtype or input.dtype), "the sum of a diagonal"),
    ("TridiagonalSolve(partial_pivoting=True)(diagonals, rhs)", _tridiagonal_solved,
     "the solution of equations with three diagonals"),
    ("UpsampleNearest1D()(x, output_size: ANY = None, scales: ANY = None)",
     lambda x, output_size, scales: ops.interpolate(x, output_size, scales),
     "signals of another length, by their nearest elements"),
    ("ConvertToDynamic(is_dynamic_rank=False)(input)", lambda input: input, "its input, as it is"),
    ("Eigh(compute_eigenvectors=True, lower=True)(A)", _eigh, "eigenvalues and eigenvectors of a Hermitian matrix"),
    ("Empty()(size: Shape, dtype: ANY = None, device: ANY = None, pin_memory: ANY = False)",
     lambda size, dtype: ops.zeros(size, dtype or dtypes.float32), "a Tensor whose values do not count: zeros"),
    ("FlashAttentionScore(head_num, keep_prob=1.0, scale_value=1.0, pre_tokens=2147483647, next_tokens=2147483647, "
     "inner_precise=0, input_layout='BSH', sparse_mode=0)(query, key, value, real_shift=None, drop_mask=None, "
     "padding_mask=None, attn_mask=None, prefix: ANY = None, actual_seq_qlen: ANY = None, "
     "actual_seq_kvlen: ANY = None)",
     flash_attention, "attention, after the largest scores, their sums and a scalar without meaning"),
    ("IsInstance()(inst: ANY, type_: ANY)", _is_instance, "whether a value is of a type"),
    ("IsSubClass()(sub_type: ANY, type_: ANY)", _is_subclass, "whether a type is another one, or of its kind"),
    ("Load()(variable, u: ANY = None)", lambda variable: variable.copy(), "the value of a Parameter"),
    ("PSROIPooling(spatial_scale, group_size, output_dim)(features, rois)", psroi_pooling,
     "position-sensitive pooling of regions"),
    ("SequenceAddN()(inputs: Arrays)", lambda inputs: ops.addn(inputs), "the sum of Tensors"),
    ("SequenceAddOffset()(shape_0: ANY, shape_1: ANY)", lambda shape_0: (0, len(shape_0)),
     "where two sequences begin, one behind the other"),
    ("Shift(periods=1, axis=-1, fill_value=None)(x, coming: ANY = None)", _shift,
     "a Tensor whose elements have moved along an axis"),
    ("TensorCopySlices()(x, value, begin: Shape, end: Shape, strides: Shape)", _copy_slices,
     "a Tensor with a value in place of a slice"),
    ("UpdateCache()(input_x, indices, updates, max_num: ANY)", _update_cache, "rows written, but those out of range"),
    ("Diagonal(offset=0, dim1=0, dim2=1)(input)",
     lambda input, offset, dim1, dim2: ops.diagonal(input, offset, dim1, dim2), "a diagonal"),
    ("DynamicAssign()(ref, value)", _assigned, "a Parameter with another value"),
    ("DynamicStitch()(indices: Arrays, data: Arrays)", _stitched, "rows put at indices"),
    ("EmptyLike()(input, dtype: ANY = None, device: ANY = None, pin_memory: ANY = False)",
     lambda input, dtype: ops.zeros(input.shape, dtype or input.dtype), "a Tensor whose values do not count: zeros"),
    ("FFTFreq()(n: Int, d: ANY = 1.0, dtype: ANY = None)",
     lambda n, d, dtype: Tensor(np.fft.fftfreq(n, d), dtype or dtypes.float32), "frequencies of a Fourier transform"),
    ("FFTOrtho()(input, axes: ANY = None, forward: ANY = True)", _scaled_orthogonally,
     "a cosine transform made orthogonal"),
    ("FFTShift()(input, dim: ANY = None)", lambda input, dim: ops.fftshift(input, dim),
     "a spectrum with the frequency 0 in the middle"),
    ("IFFTShift()(input, dim: ANY = None)", lambda input, dim: ops.ifftshift(input, dim),
     "a spectrum with the frequency 0 first"),
    ("IRFFTDouble()(input, n: Int, dim: Int = -1)", _doubled, "a half spectrum whose elements count twice"),
    ("ListToTuple()(input: ANY)", lambda input: tuple(input), "a list as a tuple"),
    ("NewEmpty()(input, size: Shape, dtype: ANY = None, device: ANY = None)",
     lambda input, size, dtype: ops.zeros(size, dtype or input.dtype), "a Tensor whose values do not count: zeros"),
    ("PadAndShift()(input_x, cum_sum_arr, shift_idx)", _padded, "elements at one segment of a padded Tensor"),
    ("SequenceConcat(axis=0)(x: Arrays)", lambda x, axis: ops.cat(x, axis), "Tensors joined along an axis"),
    ("SequenceSliceGrad()(dy: ANY, x: ANY, start: Int, stop: Int, step: Int)", _sliced_gradient,
     "the gradient of a sequence of which a slice was taken"),
    ("SequenceStack(axis=0)(x: Arrays)", lambda x, axis: ops.stack(list(x), axis), "Tensors joined along a new axis"),
    ("SequenceUnstack(axis=0, num=None)(x)", lambda x, axis: ops.unstack(x, axis), "the parts of a Tensor"),
    ("ShapeMulGrad()(input_data: ANY, dout: Int)", _products_of_others, "the gradients of a product of ints"),
    ("TupleToList()(input: ANY)", lambda input: list(input), "a tuple as a list"),
    *_SETS,
    *_SPARSE,
    *_SCALARS,
]  # fmt: skip

for _text, _function, _what in _ROWS:
    define(INNER, "mindspore.ops.operations", _text, functools.partial(called, _function), _what)
INNER.update(INNER_STEPS)
INNER.update(MINT_PRIMITIVES)
globals().update(INNER)
