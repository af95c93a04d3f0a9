"""Other names of MindSpore's layer modules: ``nn.loss.loss._Loss``, ``nn.layer.activation._activation``, ..."""

from ... import ops
from ..._contracts.check import refuse
from ...nn._rows import layer
from ...nn.basic import activation
from ...nn.cell import Cell
from ...nn.loss.regression import LossBase
from ...ops.control.composite import MultitypeFuncGraph
from ...ops.recurrent.layers import recurrent_cell
from ...tensor.tensor import Tensor

_Loss = LossBase  # 1.x
_activation = {name: getattr(activation, layer_name) for name, layer_name in activation._BY_NAME.items()}


class _VirtualDatasetCell(Cell):
    """A network whose inputs MindSpore splits over devices; on one device the network itself."""

    def __init__(self, backbone):
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, *inputs):
        """The network's output."""
        return self._backbone(*inputs)


# The layer; ``mindspore.nn.CosineSimilarity`` is a metric.  (``nn.layer``, ``nn.layer.math``)
CosineSimilarity = layer(ops.cosine_similarity, "CosineSimilarity(dim=1, eps=1e-08)(x1, x2)", path="mindspore.nn.layer")


# -- nn.layer.rnn_cells ------------------------------------------------------------------------------------------------


def _rnn_tanh_cell(inputs, hidden, w_ih, w_hh, b_ih, b_hh):
    """One time step of an RNN with tanh; the biases may be None."""
    return recurrent_cell(inputs, (hidden,), w_ih, w_hh, b_ih, b_hh, "RNN_TANH")[0]


def _rnn_relu_cell(inputs, hidden, w_ih, w_hh, b_ih, b_hh):
    """One time step of an RNN with ReLU; the biases may be None."""
    return recurrent_cell(inputs, (hidden,), w_ih, w_hh, b_ih, b_hh, "RNN_RELU")[0]


def _lstm_cell(inputs, hidden, w_ih, w_hh, b_ih, b_hh):
    """One time step of an LSTM; ``hidden`` is the pair of states, and so is the result."""
    return recurrent_cell(inputs, hidden, w_ih, w_hh, b_ih, b_hh, "LSTM")


def _gru_cell(inputs, hidden, w_ih, w_hh, b_ih, b_hh):
    """One time step of a GRU; the biases may be None."""
    return recurrent_cell(inputs, (hidden,), w_ih, w_hh, b_ih, b_hh, "GRU")[0]


# -- checks of shapes  (``nn.layer.conv``, ``.image``, ``.basic``) -----------------------------------------------------


def _rank(input_shape, op_name, minimum, maximum):
    if not minimum <= len(input_shape) <= (maximum or len(input_shape)):
        refuse(ValueError, op_name, "input", f"of {minimum} axes" + ("" if maximum else " or more"), tuple(input_shape))


def _deconv_output_length(is_valid, is_same, is_pad, input_length, filter_size, stride_size, dilation_size, padding):
    """The output length (int) of a transposed convolution along an axis; 0 if no pad mode is set."""
    reach = 1 + (filter_size - 1) * dilation_size
    if is_valid:
        return input_length * stride_size + max(reach - stride_size, 0)
    if is_same:
        return input_length * stride_size
    return input_length * stride_size - padding + reach - stride_size if is_pad else 0


def _check_input_2d(input_shape, param_name, func_name):
    """Raises ValueError unless a shape has two axes."""
    _rank(input_shape, func_name, 2, 2)


def _check_input_3d(input_shape, op_name):
    """Raises ValueError unless a shape has three axes."""
    _rank(input_shape, op_name, 3, 3)


def _check_input_4d(input_shape, param_name, func_name):
    """Raises ValueError unless a shape has four axes."""
    _rank(input_shape, func_name, 4, 4)


def check_dense_input_shape(x, prim_name=None):
    """Raises ValueError unless a shape has two axes or more.  (1.x)"""
    _rank(x, prim_name or "Dense", 2, None)


def _check_is_tensor(param_name, input_data, cls_name):
    """Raises TypeError unless an argument of a loss is a Tensor or None.  (``nn.loss.loss``)"""
    if input_data is not None and not isinstance(input_data, Tensor):
        refuse(TypeError, cls_name, param_name, "a Tensor", input_data)


# -- gradients that were added up  (``nn.wrap.loss_scale``, ``boost.grad_accumulation``) -------------------------------

_grad_overflow = MultitypeFuncGraph("_grad_overflow")
grad_scale = MultitypeFuncGraph("grad_scale")
_grad_scale = MultitypeFuncGraph("grad_scale")
reciprocal = ops.Reciprocal()
shard_grad_scale = MultitypeFuncGraph("shard_grad_scale")
gradient_accumulation_op = MultitypeFuncGraph("gradient_accumulation_op")
gradient_clear_op = MultitypeFuncGraph("gradient_clear_op")


@_grad_overflow.register("Tensor")
def _tensor_grad_overflow(grad):
    """1 if a gradient has an element that is not finite, else 0, in shape ``(1,)``.  (``nn.wrap.loss_scale``)"""
    return ops.FloatStatus()(grad)


@_grad_overflow.register("RowTensor")
def _tensor_grad_overflow_row_tensor(grad):
    """The same of a sparse one.  (``nn.wrap.loss_scale``)"""
    return ops.FloatStatus()(grad.values)


@_grad_scale.register("Tensor", "Tensor")
def tensor_grad_scale(scale, grad):
    """Divides a gradient by a scale, in the gradient's dtype."""
    return grad * ops.cast(reciprocal(scale), ops.dtype(grad))


@grad_scale.register("Tensor", "Tensor", "Tensor")
def tensor_grad_scale_pipeline(scale, grad, accu_grad):
    """Divides accumulated gradients by a scale, and resets their sum."""
    return _taken(accu_grad, accu_grad / scale)


@shard_grad_scale.register("Tensor", "Tensor", "Tensor")
def tensor_shard_grad_scale_pipeline(scale, grad, accu_grad):
    """Divides a gradient by a scale, and resets the sum."""
    return _taken(accu_grad, grad / scale)


@gradient_accumulation_op.register("Int64", "Tensor", "Tensor")
def cumulative_grad_process(accumulation_step, cumulative_grad, grad):
    """Adds a gradient divided by the number of steps to a sum; returns the sum."""
    ops.assign_add(cumulative_grad, grad / accumulation_step)
    return cumulative_grad


@gradient_clear_op.register("Tensor")
def clear_grad(cumulative_grad):
    """Sets a sum of gradients to 0; returns it."""
    return ops.assign(cumulative_grad, ops.zeros_like(cumulative_grad))


def _taken(total, value):
    ops.assign(total, ops.zeros_like(total))
    return value
