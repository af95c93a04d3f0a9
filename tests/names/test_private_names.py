"""Behaviour of private names that MindSpore's own tests import."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad import dataset as ds
from msgrad import dtype as mstype
from msgrad._compat.checkparam import _expand_tuple
from msgrad._compat.common import parameters, seeds
from msgrad._compat.compiler import c_expression
from msgrad._compat.compiler.executors import _JitExecutor
from msgrad._compat.dataset import data_engine, data_types, transforms
from msgrad._compat.ops import gradient_rules
from msgrad._compat.train import precision, summary, summary_adapter, summary_enums


class WithBuffer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.mean = parameters._Buffer(Tensor([1.0]))


def test_a_buffer_belongs_to_the_cell_that_it_is_assigned_to():
    cell = WithBuffer()
    assert [name for name, _ in cell.named_buffers()] == list(cell.state_dict()) == ["mean"]
    assert isinstance(cell.mean, parameters._Buffer) and not isinstance(Tensor([1.0]), parameters._Buffer)
    assert not parameters._Buffer(Tensor([1.0]), persistent=False).persistent
    for value, error in ((None, ValueError), (1, TypeError)):
        with pytest.raises(error, match="For 'Buffer', the 'data' must be a Tensor"):
            parameters._Buffer(value)


def test_output_to_float32():
    network = precision._OutputTo32(nn.Dense(2, 2).to_float(ms.float16))
    assert network(ops.ones((1, 2))).dtype == ms.float32
    assert [each.name for each in network.get_parameters()] == ["weight", "bias"]


def test_expand_tuple():
    assert _expand_tuple(2)(3) == (3, 3) and _expand_tuple(2)((1, 2)) == (1, 2)
    for wrong in ([1], (1, 2, 3), (1, 2.0)):
        with pytest.raises(TypeError):
            _expand_tuple(2)(wrong)


def test_jit_executor_calls_functions_and_methods():
    assert _JitExecutor(lambda x: x * 2)(Tensor([2.0])).tolist() == [4.0]
    cell = nn.Dense(2, 1, weight_init="ones", has_bias=False)
    assert _JitExecutor(nn.Dense.construct, obj=cell)(Tensor([[1.0, 2.0]])).tolist() == [[3.0]]


class Doubled(ops.Primitive):
    def __init__(self):
        super().__init__("Doubled")

    def vm_impl(self, x):
        return x * 2


def test_a_registered_rule_gives_the_gradient():
    assert gradient_rules.get_bprop_fn("Doubled") is None

    @gradient_rules.bprop_getters.register(Doubled)
    def getter(primitive):
        return lambda x, out, dout: (dout * 7,)

    try:
        assert gradient_rules.get_bprop_fn(Doubled(), True) is getter
        assert ms.grad(lambda x: Doubled()(x))(Tensor([1.0])).tolist() == [7.0]
    finally:
        del gradient_rules.bprop_getters[Doubled]
    assert ms.grad(lambda x: Doubled()(x))(Tensor([1.0])).tolist() == [2.0]


def test_parts_of_rules():
    x = Tensor(np.ones((2, 3), np.float32))
    assert gradient_rules.convert_to_tensor((1, 2)) == (False, (1, 2)) and gradient_rules.convert_to_tensor(x)[0]
    assert gradient_rules.create_tensor_by_element((1, 2)).dtype == mstype.int64
    assert gradient_rules.dyn_fill(ms.int32, Tensor([2]), 3).tolist() == [3, 3]
    assert gradient_rules.dyn_ones((2,), ms.float32).tolist() == [1.0, 1.0]
    assert gradient_rules.sum_grad_reduce_axis(x, (0,)).tolist() == [2.0, 2.0, 2.0]
    assert gradient_rules.sum_grad_reduce_axis(x, ()) is x


def test_kept_values_and_names_of_summaries():
    value = Tensor(1.0)
    assert summary._cache_summary_tensor_data([{"name": "a[:Scalar]", "data": value}])
    assert summary._get_summary_tensor_data()["a[:Scalar]"] is value and not summary._get_summary_tensor_data()
    assert summary_enums.ModeEnum.to_list() == ["train", "eval"] and summary_enums.PluginEnum("scalar").name == "SCALAR"
    assert summary_adapter.get_event_file_name("a", "_MS", 12).startswith("a.out.events.summary.12.0.")
    with pytest.raises(ValueError, match="the 'prefix' must be"):
        summary_adapter.get_event_file_name("", "_MS", 12)
    with pytest.raises(NotImplementedError, match="'train.summary._summary_adapter.package_init_event' is left out"):
        summary_adapter.package_init_event()


def test_settings_that_are_hints():
    assert ms.JitConfig(jit_syntax_level="COMPATIBLE").jit_config_dict["jit_syntax_level"] == "COMPATIBLE"
    with pytest.warns(UserWarning, match="set_dump has no effect"):
        ms.set_dump(nn.Dense(1, 1))
    ms.set_dump(ops.Add(), False)
    for target, enabled in ((1, True), (ops.Add(), 1)):
        with pytest.raises(ValueError, match="For 'set_dump'"):
            ms.set_dump(target, enabled)


def test_softmax_keeps_its_axis_as_a_tuple():
    assert nn.Softmax().softmax.axis == ops.Softmax().axis == (-1,)
    assert ops.Softmax((0,)).axis == (0,)
    assert ops.Softmax(0)(Tensor([[1.0], [1.0]])).tolist() == [[0.5], [0.5]]


def test_groups_say_whether_they_are_ordered():
    net = nn.Dense(2, 2)
    groups = [{"params": [net.weight]}, {"params": [net.bias]}]
    assert not nn.Momentum(net.trainable_params(), 0.1, 0.9).is_group_params_ordered
    assert not nn.Momentum(groups, 0.1, 0.9).is_group_params_ordered
    ordered = [*groups, {"order_params": [net.bias, net.weight]}]
    optimizer = nn.Momentum(ordered, 0.1, 0.9)
    assert optimizer.is_group_params_ordered
    other = Parameter(Tensor(1.0), name="other")
    for wrong, error, owner in (
        (1, TypeError, "get_lr_parameter"), ([1], TypeError, "Momentum"), (other, ValueError, "get_lr_parameter"),
    ):  # fmt: skip
        with pytest.raises(error, match=f"For '{owner}'"):
            optimizer.get_lr_parameter(wrong)


class Backwards:
    """A sampler that can only be indexed."""

    def __getitem__(self, index):
        return [2, 0, 1][index]

    def __len__(self):
        return 3


def test_samplers_may_have_only_items():
    for _ in range(2):
        rows = ds.NumpySlicesDataset([1, 2, 3], sampler=Backwards()).create_tuple_iterator(output_numpy=True)
        assert [row[0].item() for row in rows] == [3, 1, 2]


def test_names_that_mindnlp_takes():
    empty = c_expression.pyboost_empty([(2, 3), ms.float16, None])
    assert empty.shape == (2, 3) and empty.dtype == ms.float16
    assert c_expression._framework_profiler_step_start() is c_expression._framework_profiler_step_end() is None
    ms.set_seed(7)
    assert seeds._get_seed(None, "dropout") == (7, 0) and seeds._get_seed(3, "dropout") == (7, 3)
    assert seeds._set_prim_op_user_data(ops.Dropout(), "random_cache", False).attrs["random_cache"] is False
    assert isinstance(ds.NumpySlicesDataset([1]), ds.TextBaseDataset) and not isinstance(1, ds.TextBaseDataset)
    assert data_types.mstype_to_detype(ms.int32) == "int32" and data_types.mstype_to_detype(mstype.bool_) == "bool"
    form = ds.text.NormalizeForm.NFC
    assert transforms.DE_C_INTER_NORMALIZE_FORM[form] is form
    with pytest.raises(NotImplementedError, match="'_c_dataengine.Vocab' is left out of msgrad"):
        data_engine.Vocab.from_dict({})
