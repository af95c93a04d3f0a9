"""MindSpore's internal gradient Primitives (``ops.operations._grad_ops``), derived from their operations.

`_DERIVATIVES` has a row for each: the Primitive, the input that is the gradient of the operation's result, the operands
to differentiate by, and the operation. An operand that the Primitive does not get, since the operation is linear in it,
is a dict entry instead: its shape, as the name of an input or a function of inputs. `_FORMULAS` has those that get only
the result of the operation, so that it cannot be differentiated at its inputs.
"""

import functools
import inspect
import re

import numpy as np

from ... import ops
from ...autodiff import vjp
from ...ops._core.faces import PRIMITIVES
from ...ops._core.tables import Table
from ...scipy.linalg import lstsq
from ...tensor.tensor import Tensor
from . import gradient_operations as operations
from .inner import define
from .region_pooling import psroi_pooling

_PATH = "mindspore.ops.operations._grad_ops"
GRADIENTS = Table()  # the Primitives by name

_POOL = "kernel_size=1, strides=1, pad_mode='VALID'"
_CONV = "out_channel, kernel_size, pad_mode='valid', pad=0, pad_list=(0, 0, 0, 0), mode=1, stride=(1, 1), "
_CONV += "dilation=(1, 1, 1, 1), group=1, data_format='NCHW'"
_CONV3 = "out_channel, kernel_size, mode=1, pad_mode='valid', pad=0, stride=(1, 1, 1, 1, 1), "
_CONV3 += "dilation=(1, 1, 1, 1, 1), group=1, data_format='NCDHW'"
_POOL3 = "kernel_size=(1, 1, 1, 1, 1), strides=(1, 1, 1, 1, 1), pad_mode='VALID'"
_RESIZE = "align_corners=False, half_pixel_centers=False"
_GRID = "interpolation_mode='bilinear', padding_mode='zeros', align_corners=False, output_mask=(1, 1)"


# The Primitive, the gradient of the result, the operands to differentiate by, the operation.
_DERIVATIVES = [
    # pooling
    ("AdaptiveAvgPool2DGrad()(input_grad, orig_input_shape: Shape)", "input_grad", {"of": "orig_input_shape"},
     lambda of, input_grad: ops.AdaptiveAvgPool2D(input_grad.shape[-2:])(of)),
    ("AdaptiveAvgPool3DGrad()(y_grad, orig_input_shape: Shape)", "y_grad", {"of": "orig_input_shape"},
     lambda of, y_grad: ops.AdaptiveAvgPool3D(y_grad.shape[-3:])(of)),
    ("AdaptiveMaxPool2DGrad()(y_grad, x, argmax)", "y_grad", "x", operations.at_flat_indices),
    ("AdaptiveMaxPool3DGrad()(input_grad, x, argmax)", "input_grad", "x", operations.at_flat_indices),
    (f"AvgPoolGradV1({_POOL}, data_format='NCHW')(orig_input_shape: Shape, out_backprop)", "out_backprop",
     {"of": "orig_input_shape"}, "AvgPool(of)"),
    ("AvgPool3DGrad(kernel_size=1, strides=1, pads=0, ceil_mode=False, count_include_pad=True, divisor_override=0, "
     "data_format='NCDHW', pad_mode='pad')(origin_input_shape: Shape, grads)", "grads", {"of": "origin_input_shape"},
     "AvgPool3D(pad=pads)(of)"),
    ("FractionalAvgPoolGrad(overlapping=False)(orig_input_tensor_shape: Shape, out_backprop, row_pooling_sequence, "
     "col_pooling_sequence)", "out_backprop", {"of": "orig_input_tensor_shape"},
     lambda of, row_pooling_sequence, col_pooling_sequence, overlapping:
     operations.mean_fractions(of, row_pooling_sequence, col_pooling_sequence, overlapping)),
    ("FractionalMaxPoolGrad(overlapping=False)(orig_input, orig_output, out_backprop, row_pooling_sequence, "
     "col_pooling_sequence)", "out_backprop", "orig_input",
     lambda orig_input, row_pooling_sequence, col_pooling_sequence, overlapping:
     operations.max_fractions(orig_input, row_pooling_sequence, col_pooling_sequence, overlapping)),
    ("FractionalMaxPoolGradWithFixedKsize(data_format='NCHW')(origin_input, out_backprop, argmax)", "out_backprop",
     "origin_input", lambda origin_input, argmax: operations.at_flat_indices(origin_input, argmax)),
    ("FractionalMaxPool3DGradWithFixedKsize(data_format='NCDHW')(origin_input, out_backprop, argmax)", "out_backprop",
     "origin_input", lambda origin_input, argmax: operations.at_flat_indices(origin_input, argmax)),
    (f"MaxPoolGradV1({_POOL}, data_format='NCHW')(x_origin, out_origin, grad)", "grad", "x_origin",
     "MaxPool(x_origin)"),
    (f"MaxPoolGradGrad({_POOL}, data_format='NCHW')(x_origin, out_origin, grad)", "grad", {"of": "out_origin"},
     "MaxPoolGrad(x_origin, out_origin, of)"),
    (f"MaxPoolGradWithArgmax({_POOL}, data_format='NCHW')(x, grad, argmax)", "grad", "x",
     operations.at_flat_indices_of_images),
    (f"MaxPoolGradGradWithArgmax({_POOL}, data_format='NCHW')(x, grad, argmax)", "grad", {"of": "argmax"},
     lambda of, x, argmax: operations.unpooled(of, argmax, x.shape, 1)),
    ("MaxPoolGradWithArgmaxV2(kernel_size, strides=None, pads=0, dilation=(1, 1), ceil_mode=False, argmax_type=int64)"
     "(x, grad, argmax)", "grad", "x", operations.at_flat_indices),
    (f"MaxPool3DGrad({_POOL3}, pad_list=0, data_format='NCDHW')(x_origin, out_origin, grad)", "grad", "x_origin",
     "MaxPool3D(x_origin)"),
    (f"MaxPool3DGradGrad({_POOL3}, data_format='NCDHW')(x_origin, out_origin, grad)", "grad", {"of": "out_origin"},
     "MaxPool3DGrad(x_origin, out_origin, of)"),
    ("MaxPool3DGradWithArgmax(ksize, strides, pads, dilation=(1, 1, 1), ceil_mode=False, data_format='NCDHW')"
     "(x, grads, argmax)", "grads", "x", operations.at_flat_indices),
    ("MaxUnpool2DGrad(ksize, strides=0, pads=0, output_shape=(), data_format='NCHW')(x, grads, argmax)", "grads", "x",
     lambda x, grads, argmax: operations.unpooled(x, argmax, grads.shape)),
    ("MaxUnpool3DGrad(ksize, strides=0, pads=0, output_shape=(), data_format='NCDHW')(x, grads, argmax)", "grads", "x",
     lambda x, grads, argmax: operations.unpooled(x, argmax, grads.shape)),
    # normalization
    ("BatchNormGrad(is_training=False, epsilon=1e-05, data_format='NCHW')"
     "(dout, x, scale, saved_mean, saved_variance, reserve)", "dout", {"x": None, "scale": None, "bias": "scale"},
     operations.batch_normed),
    ("BatchNormGradGrad(is_training=False, epsilon=1e-05, data_format='NCHW')(x, dy, scale, saved_mean, "
     "saved_variance, dout_dx, dout_dscale, dout_dbias)", "dout_dx, dout_dscale, dout_dbias", "x, dy, scale",
     "BatchNormGrad(dy, x, scale, saved_mean, saved_variance, saved_mean)"),
    ("GroupNormGrad()(dy, x, mean, rstd, gamma_opt, num_groups: Int, dx_is_require: ANY = True, "
     "dgamma_is_require: ANY = True, dbeta_is_require: ANY = True)", "dy",
     {"x": None, "gamma_opt": None, "beta": "gamma_opt"}, operations.group_normed),
    ("InstanceNormV2Grad(is_training=True, epsilon=1e-05)(dy, x, gamma, mean, variance, save_mean, save_variance)",
     "dy", {"x": None, "gamma": None, "beta": "gamma"}, operations.instance_normed),
    ("LayerNormGrad(begin_norm_axis=1, begin_params_axis=1)(x, dy, variance, mean, gamma)", "dy",
     {"x": None, "gamma": None, "beta": "gamma"}, operations.layer_normed),
    ("LayerNormGradGrad(begin_norm_axis=1, begin_params_axis=1)(x, dy, variance, mean, gamma, d_dx, d_dg, d_db)",
     "d_dx, d_dg, d_db", "x, dy, gamma", "LayerNormGrad(x, dy, variance, mean, gamma)"),
    ("RmsNormGrad()(dy, x, rstd, gamma)", "dy", "x, gamma", operations.rms_normed),
    # convolution
    (f"Conv2DBackpropFilter({_CONV})(out_backprop, input, filter_sizes: Shape)", "out_backprop",
     {"of": "filter_sizes"}, "Conv2D(input, of)"),
    (f"Conv3DBackpropFilter({_CONV3})(x, out_backprop, filter_size: Shape)", "out_backprop", {"of": "filter_size"},
     "Conv3D(x, of)"),
    (f"Conv3DBackpropInput({_CONV3})(filter, out_backprop, input_size: Shape)", "out_backprop", {"of": "input_size"},
     "Conv3D(of, filter)"),
    ("DeformableOffsetsGrad(strides, pads, kernel_size, dilations=(1, 1, 1, 1), data_format='NCHW', "
     "deformable_groups=1, modulated=True)(out_backprop, input, offsets)", "out_backprop", "input, offsets",
     "DeformableOffsets(ksize=kernel_size)(input, offsets)"),
    ("Dilation2DBackpropInput(stride, dilation, pad_mode='SAME', data_format='NCHW')(x, filter, out_backprop)",
     "out_backprop", "x", "Dilation2D(x, filter)"),
    ("Dilation2DBackpropFilter(stride, dilation, pad_mode='SAME', data_format='NCHW')(x, filter, out_backprop)",
     "out_backprop", "filter", "Dilation2D(x, filter)"),
    # images
    ("AffineGridGrad(align_corners=False)(y_grad, x_size: Shape)", "y_grad",
     {"of": lambda x_size: (x_size[0], len(x_size) - 2, len(x_size) - 1)}, "AffineGrid(of, x_size)"),
    ("CropAndResizeGradBoxes(method='bilinear')(grads, images, boxes, box_index)", "grads", "boxes",
     lambda images, boxes, box_index, grads, method:
     ops.CropAndResize(method)(images, boxes, box_index, grads.shape[1:3])),
    ("CropAndResizeGradImage(T, method='bilinear')(grads, boxes, box_index, image_size: Shape)", "grads",
     {"of": "image_size"}, lambda of, boxes, box_index, grads, method:
     ops.CropAndResize(method)(of, boxes, box_index, grads.shape[1:3])),
    (f"GridSampler2DGrad({_GRID})(grad, input_x, grid)", "grad", "input_x, grid", "GridSampler2D(input_x, grid)"),
    (f"GridSampler3DGrad({_GRID})(grad, input_x, grid)", "grad", "input_x, grid", "GridSampler3D(input_x, grid)"),
    (f"ResizeBicubicGrad({_RESIZE})(grads, image)", "grads", {"of": "image"}, operations.resized("ResizeBicubic")),
    (f"ResizeBilinearGrad({_RESIZE})(grads, image)", "grads", {"of": "image"}, operations.resized("ResizeBilinearV2")),
    (f"ResizeNearestNeighborGrad({_RESIZE})(grads, size: Shape)", "grads", {"of": operations.resized_area},
     operations.resized("ResizeNearestNeighborV2")),
    (f"ResizeNearestNeighborV2Grad({_RESIZE})(grads, size: Shape)", "grads", {"of": operations.resized_area},
     operations.resized("ResizeNearestNeighborV2")),
    ("ResizeLinear1DGrad(coordinate_transformation_mode='align_corners')(grads, x)", "grads", {"of": "x"},
     lambda of, grads, coordinate_transformation_mode:
     ops.ResizeLinear1D(coordinate_transformation_mode)(of, grads.shape[2:])),
    ("ResizeV2Grad(coordinate_transformation_mode='half_pixel', mode='nearest')(grads, roi, scales, "
     "original_size: Shape)", "grads", {"of": "original_size"},
     lambda of, grads, coordinate_transformation_mode, mode:
     operations.resized_v2(of, grads.shape, coordinate_transformation_mode, mode)),
    ("ROIAlignGrad(pooled_height, pooled_width, spatial_scale, sample_num=2)(dy, rois, xdiff_shape: Shape)", "dy",
     {"of": "xdiff_shape"}, "ROIAlign(of, rois)"),
    ("PSROIPoolingGrad(input_size, spatial_scale, group_size, output_dim)(dy, rois)", "dy",
     {"of": lambda rois, input_size, group_size, output_dim:
      (rois.shape[0], output_dim * group_size**2, *input_size)},
     lambda of, rois, spatial_scale, group_size, output_dim:
     psroi_pooling(of, rois, spatial_scale, group_size, output_dim)),
    ("ScaleAndTranslateGrad(kernel_type='lanczos3', antialias=True)(grads, original_image, scale, translation)",
     "grads", {"of": "original_image"}, lambda of, grads, scale, translation, kernel_type, antialias:
     ops.ScaleAndTranslate(kernel_type, antialias)(of, Tensor(np.int32(grads.shape[1:3])), scale, translation)),
    *[(f"UpsampleNearest{axes}DGrad()(dy, input_size: Shape, output_size: ANY = None, scales: ANY = None)", "dy",
       {"of": "input_size"}, lambda of, dy: ops.interpolate(of, dy.shape[2:])) for axes in (1, 2)],
    ("UpsampleNearest3DGrad()(dy, input_size: Shape, output_size: ANY = None, scales: ANY = None)", "dy",
     {"of": "input_size"}, "UpsampleNearest3D(of, output_size, scales)"),
    ("UpsampleTrilinear3DGrad(align_corners=False)(dy, input_size: Shape, output_size: ANY = None, scales: ANY = None)",
     "dy", {"of": "input_size"}, "UpsampleTrilinear3D(of, output_size, scales)"),
    # losses
    ("MultiMarginLossGrad(p=1, margin=1.0, reduction='mean')(y_grad, x, target, weight=None)", "y_grad", "x",
     "MultiMarginLoss(x, target, weight)"),
    ("MultilabelMarginLossGrad(reduction='mean')(y_grad, x, target, is_target)", "y_grad", "x",
     lambda x, target, reduction: ops.MultilabelMarginLoss(reduction)(x, target)[0]),
    ("NLLLossGrad(reduction='mean', ignore_index=-100)(logits, loss_grad, labels, weight, total_weight)", "loss_grad",
     "logits", lambda logits, labels, weight, reduction, ignore_index:
     ops.NLLLoss(reduction, ignore_index)(logits, labels, weight)[0]),
    # shapes and positions
    ("FlattenGrad()(x, shape: Shape)", "x", {"of": "shape"}, "Flatten(of)"),
    ("GatherDGradV2()(x, dim: Int, index, dout)", "dout", "x", "GatherD(x, dim, index)"),
    ("MaskedSelectGrad()(input, mask, grad)", "grad", "input", "MaskedSelect(input, mask)"),
    ("MirrorPadGrad(mode='REFLECT')(dy, paddings)", "dy", {"of": operations.unpadded}, "MirrorPad(of, paddings)"),
    ("PadV3Grad(mode='reflect', paddings_contiguous=True)(x, paddings: ANY)", "x", {"of": operations.unpadded_v3},
     "PadV3(of, paddings)"),
    ("SliceGrad()(dy, x, begin: Shape, size: Shape)", "dy", {"of": "x"}, "Slice(of, begin, size)"),
    ("TraceV2Grad()(dout, shape: Shape, offset: Int = 0, axis1: Int = 1, axis2: Int = 0)", "dout", {"of": "shape"},
     lambda of, offset, axis1, axis2: ops.diagonal(of, offset, axis1, axis2).sum(-1)),
    ("TraceGrad()(y_grad, x_shape: Shape)", "y_grad", {"of": "x_shape"}, "Trace(of)"),
    ("SparseSegmentSumGrad()(x, indices, segment_ids, output_dim0: ANY)", "x", {"of": operations.first_axis},
     operations.by_segment(0)),
    ("SparseSegmentMeanGrad()(x, indices, segment_ids, output_dim0: ANY)", "x", {"of": operations.first_axis},
     operations.by_segment(1)),
    ("SparseSegmentSqrtNGrad()(x, indices, segment_ids, output_dim0: ANY)", "x", {"of": operations.first_axis},
     operations.by_segment(0.5)),
    # mathematics
    ("CdistGrad(p=2.0)(grad, input_x, input_y, cdist)", "grad", "input_x", "Cdist(input_x, input_y)"),
    ("CholeskyGrad()(x, grad)", "grad", {"of": lambda x: x @ x.swapaxes(-1, -2)}, "Cholesky(of)"),
    ("EinsumGrad(equation)(x: Arrays, dout)", "dout", "x", "Einsum(x)"),
    ("GluGrad(axis)(grads, x)", "grads", "x", "GLU(x)"),
    ("LstsqV2Grad()(gX, A, B)", "gX", "A, B", lambda A, B: lstsq(A, B)[0]),  # noqa: N803
    ("IgammaGradA()(a, x)", None, "a", "Igamma(a, x)"),
    ("MaximumGrad(grad_x=True, grad_y=True)(x, y, grads)", "grads", "x, y", "Maximum(x, y)"),
    ("MinimumGrad(grad_x=True, grad_y=True)(x1, x2, grads)", "grads", "x1, x2", "Minimum(x1, x2)"),
    ("MedianGrad(global_median=False, axis=0, keep_dims=False)(y_grad, x, y, indices)", "y_grad", "x",
     operations.median),
    ("MvlgammaGrad(p)(y_grad, x)", "y_grad", "x", "Mvlgamma(x)"),
    ("PdistGrad(p=2.0)(y_grad, x, y)", "y_grad", "x", "Pdist(x)"),
]  # fmt: skip


# The Primitive, its result as a function of inputs and attributes, the function that it belongs to.
_FORMULAS = [
    ("BiasAddGrad(data_format='NCHW')(dout)", operations.bias_gradient, "BiasAdd"),
    ("ConcatOffset(N=2, axis=0)(x: Arrays)", operations.offsets, "Concat"),
    ("CTCLossV2Grad(blank, reduction='none', zero_infinity=False)(grad_out, log_probs, targets, input_lengths, "
     "target_lengths, neg_log_likelihood, log_alpha)", operations.ctc_gradient, "CTCLossV2"),
    ("DropoutGrad(keep_prob=0.5)(dy, mask)", lambda dy, mask, keep_prob: dy * mask / keep_prob, "Dropout"),
    ("EluGrad()(dout, out)", lambda dout, out: ops.select(out > 0, dout, dout * (out + 1)), "Elu"),
    ("InvGrad()(x, grad)", lambda x, grad: -grad * x * x, "Inv"),
    ("LogSoftmaxGrad(axis=-1)(logits, grad)",
     lambda logits, grad, axis: grad - ops.exp(logits) * grad.sum(axis, keepdims=True), "LogSoftmax"),
    ("LuUnpackGrad(L_grad_flag, U_grad_flag)(L_grad, U_grad, LU_data)",
     lambda L_grad, U_grad: (ops.tril(L_grad, -1), ops.triu(U_grad)), "LuUnpack"),  # noqa: N803
    ("MaximumGradGrad(grad_x=True, grad_y=True)(x, y, dx, dy)",
     lambda x, y, dx, dy: (x * 0, y * 0, ops.select(x >= y, dx, dy)), "MaximumGrad"),
    ("MinimumGradGrad()(x1, x2, grad_y1, grad_y2)",
     lambda x1, x2, grad_y1, grad_y2: (x1 * 0, x2 * 0, ops.select(x1 <= x2, grad_y1, grad_y2)), "MinimumGrad"),
    ("SeluGrad()(gradient, result)", lambda gradient, result: ops.select(
        result > 0, gradient * 1.0507009873554805, gradient * (result + 1.0507009873554805 * 1.6732632423543772)),
     "SeLU"),
    ("SoftmaxGrad()(y, dy)", lambda y, dy: y * (dy - (y * dy).sum(-1, keepdims=True)), "Softmax"),
    ("SparseFillEmptyRowsGrad()(reverse_index_map, grad_values)", operations.filled_rows, "SparseFillEmptyRows"),
    ("SparseAddGrad()(backprop_val_grad, x1_indices, x2_indices, sum_indices)",
     lambda backprop_val_grad, x1_indices, x2_indices, sum_indices: tuple(
         [operations.values_at(backprop_val_grad, sum_indices, each) for each in (x1_indices, x2_indices)]),
     "SparseAdd"),
    ("SparseSliceGrad()(backprop_val_grad, indices, start, new_indices)",
     lambda backprop_val_grad, indices, start, new_indices:
     operations.values_at(backprop_val_grad, new_indices + start, indices), "SparseSlice"),
    ("UniqueGrad()(dy: Arrays, y: Arrays)", lambda dy, y: dy[0][y[1]], "Unique"),
]  # fmt: skip


def _operation(operation):
    """The operation of a row as a function, and the names of its parameters: ``"GatherD(x, dim, index)"`` is an
    ``ops.GatherD`` with the attributes of the Primitive that it takes, and ``(ksize=kernel_size)`` renames one."""
    if callable(operation):
        return lambda bindings: called(operation, bindings)
    name, *renamed, operands = re.split(r"\(|\)\(|\)", operation)[:-1]
    renames = dict(part.split("=") for part in renamed[0].split(", ")) if renamed else {}

    def run(bindings):
        kind = GRADIENTS.get(name) or PRIMITIVES[name]
        parameters = [
            each for each in inspect.signature(kind.__init__).parameters if each in bindings or each in renames
        ]
        primitive = kind(**{each: bindings[renames.get(each, each)] for each in parameters})
        return primitive(*[bindings[each] for each in operands.split(", ")])

    return run


def called(target, bindings):
    """Calls a function with the inputs and attributes that it names."""
    parameters = inspect.signature(target).parameters
    if any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
        return target(**bindings)
    return target(**{each: bindings[each] for each in parameters if each in bindings})


def _derivative(name, dout, by, operation):
    """Makes the function that computes the gradients of an operation by its vector-Jacobian product."""
    by = by if isinstance(by, dict) else dict.fromkeys(by.split(", "))
    run = _operation(operation)
    cotangent_names = dout.split(", ") if dout else []

    def compute(bindings):
        for each, entry in by.items():
            if entry is not None:
                bindings[each] = _operand(entry, bindings, bindings[cotangent_names[0]].dtype)
        operands = [bindings[each] for each in by]
        is_sequence = isinstance(operands[0], (tuple, list))

        def of(*values):
            return run(bindings | dict(zip(by, [values] if is_sequence else values, strict=True)))

        of.__name__ = name  # the call site by which its programs are counted
        result, pull = vjp(of, *(operands[0] if is_sequence else operands))
        results = result if isinstance(result, tuple) else (result,)
        if cotangent_names:
            pairs = zip([bindings[each] for each in cotangent_names], results, strict=True)
            gradients = pull(*[_fitted(cotangent, each) for cotangent, each in pairs])
        else:
            gradients = pull(*[ops.ones_like(each) for each in results])
        return gradients if is_sequence or len(by) > 1 else gradients[0]

    return compute


def _fitted(cotangent, result):
    """The gradient of a result in its dtype and shape; a vector of one element may represent a number."""
    return (cotangent.reshape(result.shape) if cotangent.size == 1 else cotangent).astype(result.dtype)


def _operand(entry, bindings, dtype):
    """Zeros of the shape in a row, or the Tensor that it names."""
    operand = bindings[entry] if isinstance(entry, str) else called(entry, bindings)
    if isinstance(operand, Tensor) and not isinstance(entry, str):
        return operand
    return ops.zeros(operand.shape if isinstance(operand, Tensor) else tuple(operand), dtype)


for _text, _dout, _by, _given in _DERIVATIVES:
    define(
        GRADIENTS,
        _PATH,
        _text,
        _derivative(_text.partition("(")[0], _dout, _by, _given),
        "the gradient of its operation",
    )
for _text, _formula, _of in _FORMULAS:
    define(GRADIENTS, _PATH, _text, functools.partial(called, _formula), f"the gradient of `{_of}`")
globals().update(GRADIENTS)
