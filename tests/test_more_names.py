"""Names beside the layers that public programs import: what they compute, and that the rest says a sentence."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._names import (
    amp_levels,
    argument_checks,
    c_expression,
    c_transforms,
    indexing,
    layers,
    numpy_parts,
    primitives,
    sparse_tensor,
    summary,
    transformers,
)
from msgrad._names.executors import _pynative_executor
from msgrad.dataset.vision import legacy

X = Tensor(np.linspace(-1, 1, 6).reshape(2, 3).astype(np.float32))


def test_the_layer_is_no_metric():
    other = Tensor(np.cos(X.asnumpy()))
    assert layers.CosineSimilarity()(X, other).tolist() == ops.cosine_similarity(X, other).tolist()


CELLS = [
    (nn.RNNCell(3, 4), layers._rnn_tanh_cell),
    (nn.RNNCell(3, 4, nonlinearity="relu"), layers._rnn_relu_cell),
    (nn.GRUCell(3, 4), layers._gru_cell),
    (nn.LSTMCell(3, 4), layers._lstm_cell),
]


@pytest.mark.parametrize("cell, function", CELLS)
def test_cells_as_functions(cell, function):
    state = ops.ones((2, 4))
    state = (state, state * 2) if isinstance(cell, nn.LSTMCell) else state
    weights = cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh
    found, expected = function(X, state, *weights), cell(X, state)
    for one, other in zip(*[each if isinstance(each, tuple) else (each,) for each in (found, expected)], strict=True):
        assert one.tolist() == other.tolist()


def test_checks_of_shapes():
    layers._check_input_2d((2, 3), "x", "Op")
    layers._check_input_3d((2, 3, 4), "Op")
    layers.check_dense_input_shape((2, 3))
    for call in (
        lambda: layers._check_input_2d((2,), "x", "Op"),
        lambda: layers._check_input_3d((2, 3), "Op"),
        lambda: layers._check_input_4d((2, 3), "x", "Op"),
    ):
        with pytest.raises(ValueError, match="For 'Op', the 'input' must be of . axes"):
            call()
    with pytest.raises(ValueError, match="of 2 axes or more"):
        layers.check_dense_input_shape((2,), "Dense")


def test_sums_of_gradients():
    total, gradient = Parameter(Tensor([6.0]), name="t"), Tensor([4.0])
    assert layers.cumulative_grad_process(2, total, gradient).tolist() == [8]
    assert layers.grad_scale(Tensor(2.0), gradient, total).tolist() == [4] and total.tolist() == [0]
    total.set_data(Tensor([6.0]))
    assert layers.shard_grad_scale(Tensor(2.0), gradient, total).tolist() == [2] and total.tolist() == [0]
    total.set_data(Tensor([6.0]))
    assert layers.gradient_clear_op(total).tolist() == [0]


def test_overflow_of_a_gradient():
    for values, overflows in (([1.0, 2.0], 0), ([1.0, np.inf], 1), ([np.nan, 2.0], 1)):
        gradient = Tensor(values, ms.float32)
        assert layers._grad_overflow(gradient).tolist() == [overflows]
        assert layers._grad_overflow(ms.RowTensor(Tensor([1]), gradient, (3,))).tolist() == [overflows]


def test_indexing_as_functions():
    x = Tensor([1.0, 2.0])
    assert indexing._tensor_getitem(x, 1).item() == 2
    assert indexing._tensor_setitem(x, 0, 5).tolist() == [5, 2]


def test_parts_of_numpy():
    one, two = numpy_parts._to_tensor(1, [2.0])
    assert (one.dtype, two.dtype) == (ms.int32, ms.float32) and numpy_parts._to_tensor(X) is X
    with pytest.raises(TypeError, match="Tensors, numbers, lists or tuples"):
        numpy_parts._to_tensor("a")
    with pytest.raises(ValueError, match="got 3"):
        numpy_parts._raise_value_error("got ", 3)


def test_former_classes():
    class Double(nn.GraphKernel):
        def construct(self, x):
            return x * 2

    assert Double()(Tensor([1.0])).tolist() == [2] and ms.amp.init_status().tolist() == 8 * [0]
    assert ms.amp.all_finite((X,), ms.amp.init_status()).item()
    assert primitives._VirtualDataset()(1, 2) == (1, 2) and not isinstance(X, c_expression.TensorNode)


def test_parts_of_build_train_network():
    levels = amp_levels._config_level
    assert set(levels) == {"O0", "O1", "O2", "O3", "auto"} and levels["O2"]["cast_model_type"] == ms.float16
    assert levels["O2"]["loss_scale_manager"].get_loss_scale() == 2**24 and levels["O3"]["loss_scale_manager"] is None
    net = nn.SequentialCell(nn.Dense(3, 2), nn.BatchNorm1d(2)).to_float(ms.float16)
    amp_levels._do_keep_batchnorm_fp32(net)
    loss = amp_levels._add_loss_network(net, nn.MSELoss(), ms.float16)
    assert net(X).dtype == ms.float16 and loss(X, X[:, :2]).dtype == ms.float32
    assert type(amp_levels._add_loss_network(net, nn.MSELoss(), ms.float32)) is nn.WithLossCell


def test_checks_of_arguments_as_decorators():
    @argument_checks._args_type_validator_check(
        size=argument_checks._valid_type_checks([int, float], "Layer"),
        kind=argument_checks._valid_value_checks(["a", "b"], "Layer"),
    )
    def build(other, size, kind="a", **rest):
        return other, size, kind, rest

    assert build("x", 2, kind="b", more=1) == ("x", 2, "b", {"more": 1}) and build(None, 2.5)[2] == "a"
    with pytest.raises(TypeError, match="For 'Layer', the 'size' must be an int or a float, but got '2'"):
        build("x", "2")
    with pytest.raises(ValueError, match="For 'Layer', the 'kind' must be one of a, b, but got 'c'"):
        build("x", 2, "c")


def test_functions_of_images_and_sparse_gradients():
    image = np.arange(6).reshape(1, 2, 3)
    assert legacy.is_numpy(image) and not legacy.is_numpy([1])
    assert legacy.hwc_to_chw(image).shape == (3, 1, 2) and legacy.hwc_to_chw(image[0]).shape == (2, 3)
    for wrong in ([1], image[0, 0]):
        with pytest.raises(TypeError, match="an array of two or three axes"):
            legacy.hwc_to_chw(wrong)
    assert sparse_tensor.RowTensorInner(Tensor([1]), Tensor([[2.0]]), (3, 1)).dense_shape == (3, 1)


@pytest.mark.parametrize(
    "name, use",
    [
        ("dataset.vision.c_transforms.SoftDvppDecodeResizeJpeg", lambda: c_transforms.SoftDvppDecodeResizeJpeg(2)),
        ("train.summary.summary_record._get_summary_tensor_data", lambda: summary._get_summary_tensor_data()),
        ("nn.transformer.FlashAttention", lambda: transformers.FlashAttention(2)),
        ("nn.transformer.TransformerEncoder", lambda: transformers.TransformerEncoder(2)),
        ("operations.BatchAssign", lambda: primitives.BatchAssign()),
        ("operations.TensorArray", lambda: primitives.TensorArray.write),
        ("_pynative_executor.new_graph", lambda: _pynative_executor.new_graph(3)),
        ("_c_expression.op_enum", lambda: c_expression.op_enum.str_to_enum),
        ("boost.AutoBoost", lambda: __import__("msgrad.boost").boost.AutoBoost()),
    ],
)
def test_the_rest_says_a_sentence(name, use):
    with pytest.raises(NotImplementedError, match=f"'{name}' is left out of msgrad: .* [A-Z].*"):
        use()
