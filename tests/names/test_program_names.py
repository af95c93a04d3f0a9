"""Names beside layers that public programs import: their results; unsupported ones raise a sentence."""

import importlib
import os
import pickle

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, alias, nn, ops
from msgrad._compat.checkparam import Validator
from msgrad._compat.common import sparse_tensor
from msgrad._compat.compiler import c_expression
from msgrad._compat.compiler.executors import _pynative_executor
from msgrad._compat.dataset import c_transforms, transforms
from msgrad._compat.nn import layers, transformers, validators
from msgrad._compat.ops import indexing, numpy_parts, primitives
from msgrad._compat.train import amp_levels, precision
from msgrad._names import legacy_paths
from msgrad.dataset.vision import legacy
from msgrad.train.callback.checkpoint_files import CheckpointManager

X = Tensor(np.linspace(-1, 1, 6).reshape(2, 3).astype(np.float32))


def test_the_layer_is_no_metric():
    other = Tensor(np.cos(X.asnumpy()))
    assert layers.CosineSimilarity()(X, other).tolist() == ops.cosine_similarity(X, other).tolist()


def test_names_that_mindspore_takes_over_from_its_parts():
    for part in ("mindrecord", "utils"):
        assert all(getattr(ms, name) is getattr(getattr(ms, part), name) for name in ms._TAKEN_OVER[part].split())
    with pytest.raises(NotImplementedError, match="'utils.MsDispatchMode' is left out of msgrad"):
        ms.MsDispatchMode()


def test_modules_that_few_programs_name_keep_their_paths():
    for name in legacy_paths.SELDOM_NAMED:
        module = importlib.import_module(f"msgrad.{name}")
        assert module is getattr(ms, name) and module is alias.LEGACY[f"mindspore.{name}"] and module.__all__
    for value, name in (
        (ms.boost.GradientAccumulation, "boost"),
        (ms.hal.DeviceProperties, "hal"),
        (ms.hal.device_count, "hal"),
        (ms.utils.to_dlpack, "utils"),
    ):
        assert value.__module__ == f"msgrad.{name}" and pickle.loads(pickle.dumps(value)) is value


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
    actual, expected = function(X, state, *weights), cell(X, state)
    for one, other in zip(*[each if isinstance(each, tuple) else (each,) for each in (actual, expected)], strict=True):
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
        ("nn.transformer.FlashAttention", lambda: transformers.FlashAttention(2)),
        ("nn.transformer.TransformerEncoder", lambda: transformers.TransformerEncoder(2)),
        ("operations.BatchAssign", lambda: primitives.BatchAssign()(1)),
        ("operations.TensorArray", lambda: primitives.TensorArray.write),
        ("_pynative_executor.check_run", lambda: _pynative_executor.check_run(3)),
        ("_c_expression.op_enum", lambda: c_expression.op_enum.str_to_enum),
        ("boost.AutoBoost", lambda: __import__("msgrad.boost").boost.AutoBoost()),
    ],
)
def test_the_rest_says_a_sentence(name, use):
    with pytest.raises(NotImplementedError, match=f"'{name}' is left out of msgrad: .* [A-Z].*"):
        use()


def test_checkpoints_of_a_folder_are_kept_track_of(tmp_path):
    for place, name in enumerate(["net-1_1.ckpt", "net-1_2.ckpt", "net-1_3.ckpt", "net-last.ckpt", "other-1_1.ckpt"]):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (place, place))
    kept = CheckpointManager()
    kept.update_ckpoint_filelist(str(tmp_path), "net")
    assert kept.ckpoint_num == 3
    kept.remove_oldest_ckpoint_file()
    assert sorted(map(os.path.basename, kept.ckpoint_filelist)) == ["net-1_2.ckpt", "net-1_3.ckpt"]
    kept.keep_one_ckpoint_per_minutes(1, 3)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["net-1_2.ckpt", "net-last.ckpt", "other-1_1.ckpt"]


def test_transforms_of_ones_own():
    class Doubled(transforms.PyTensorOperation):
        def _execute_py(self, value):
            return value * 2

    class Compiled(transforms.TensorOperation):
        def parse(self):
            return None

    assert Doubled()(3) == 6
    with pytest.raises(NotImplementedError, match="'Compiled' has no '_execute_py'"):
        Compiled()(3)


def test_decorators_of_former_layers_check_what_they_name():
    class Layer:
        @validators._args_type_validator_check(
            size=Validator.check_positive_int,
            kind=validators._valid_type_checks([int], "Layer"),
            dtype=validators._valid_value_checks([ms.float16, ms.float32], "Layer"),
        )
        def __init__(self, size, dtype=ms.float32, kind=1):
            self.size = size

    assert Layer(3, dtype=ms.float16).size == 3
    with pytest.raises(ValueError, match="size"):
        Layer(0)
    for wrong in ({"dtype": ms.int32}, {"kind": "a"}):
        with pytest.raises(TypeError, match=next(iter(wrong))):
            Layer(1, **wrong)


def test_lowering_to_half_precision_by_lists():
    net = nn.SequentialCell(nn.Dense(2, 2), nn.LayerNorm((2,)))
    x = Tensor([[1.0, 2.0]])
    assert precision._auto_mixed_precision_rewrite(net, ms.float16, black_list=[nn.LayerNorm])(x).dtype == ms.float32
    lowered = precision._auto_mixed_precision_rewrite(nn.Dense(2, 2), ms.float16, white_list=[nn.Dense])
    assert lowered(x).dtype == ms.float32
