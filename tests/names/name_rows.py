"""Calls of private names and of related ones; ``golden/make_names.py`` asks MindSpore what each gives.

A row is an expression. Its outcome is the ``repr`` of the value, or the type of the exception. ``answers`` evaluates
all rows in the interpreter it runs in, so that MindSpore and msgrad are asked the same. It is `test_names` that imports
this module, in a process where ``mindspore`` is msgrad.
"""
# ruff: noqa: F401  the rows use the names

import importlib.metadata

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor, context, mutable, nn, ops
from mindspore import _checkparam as v
from mindspore._c_expression import MSContext, ParamInfo, get_code_extra, ms_ctx_param, security, typing
from mindspore._c_expression import amp as strategies
from mindspore._extends import cell_attr_register
from mindspore.common import initializer as init
from mindspore.common._decorator import deprecated
from mindspore.common._register_for_tensor import tensor_operator_registry
from mindspore.common._stub_tensor import StubTensor
from mindspore.common._utils import get_func, is_dim_unknown, is_shape_unknown
from mindspore.common.api import (
    _add_flags,
    _cell_graph_executor,
    _convert_python_data,
    _core,
    _function_forbid_reuse,
    _no_grad,
    _no_recursive,
    _pynative_executor,
)
from mindspore.common.initializer import (
    _INITIALIZER_ALIAS,
    _assignment,
    _calculate_correct_fan,
    _calculate_fan_in_and_fan_out,
    _calculate_gain,
    _init_random_normal,
    _init_random_uniform,
)
from mindspore.common.np_dtype import bfloat16
from mindspore.common.parameter import PARAMETER_NAME_DEFAULT, _is_parameter_generated, init_to_value
from mindspore.common.seed import DEFAULT_GRAPH_SEED, _get_graph_seed
from mindspore.communication._comm_helper import _get_group_map, _is_initialized
from mindspore.nn.loss.loss import _check_is_tensor
from mindspore.nn.optim.optimizer import _apply_decay
from mindspore.nn.wrap.loss_scale import _grad_scale, reciprocal
from mindspore.ops import composite
from mindspore.ops._grad_experimental import grad_math_ops
from mindspore.ops._primitive_cache import _get_cache_prim
from mindspore.ops._register_for_op import Registry
from mindspore.ops._utils import get_broadcast_shape
from mindspore.ops._utils.utils import dim_not_equal, get_1d_shape, range_op
from mindspore.ops.composite import base as composite_base
from mindspore.ops.function import math_func, nn_func
from mindspore.ops.function.array_func import split_ext
from mindspore.ops.operations import _sequence_ops as sequence
from mindspore.ops.primitive import _primexpr
from mindspore.parallel import _cost_model_context as cost
from mindspore.parallel import _utils as parallel
from mindspore.parallel._auto_parallel_context import auto_parallel_context
from mindspore.parallel._ps_context import _is_role_sched
from mindspore.train import model as train_model
from mindspore.train._utils import check_value_type
from mindspore.train.amp import _auto_black_list
from mindspore.train.callback._checkpoint import _chg_ckpt_file_name_if_same_exist
from mindspore.train.serialization import _load_dismatch_prefix_params
from mindspore.train.summary import summary_record

GE, GT, LT, EQ, IN, INC_BOTH, INC_LEFT, INC_RIGHT, INC_NEITHER = (
    v.GE,
    v.GT,
    v.LT,
    v.EQ,
    v.IN,
    v.INC_BOTH,
    v.INC_LEFT,
    v.INC_RIGHT,
    v.INC_NEITHER,
)


def double(x, y=None):
    return x * 2


def declared(x, y=None):
    return x * 2


def jitted(x, y=None):
    return x * 2


class Net(nn.Cell):
    def construct(self, x, y=None):
        return x * 2


class Two(nn.Cell):
    def construct(self, x, y):
        return x + y


class Registered(nn.Cell):
    @cell_attr_register
    def __init__(self, a, b=2):
        super().__init__()
        self.a = a


class Lazy(nn.Cell):
    @ms.lazy_inline
    def __init__(self):
        super().__init__()

    def construct(self, x):
        return x


def unknown(*shape, dtype=ms.float32):
    return Tensor(shape=list(shape), dtype=dtype)


def ones(*shape, dtype=np.float32):
    return Tensor(np.ones(shape, dtype))


def strategy(level):
    return strategies.create_amp_strategy(level, ms.float16, [("MatMul", [])], [("Softmax", [1])])


def casts(level):
    """How a strategy of a level casts operations."""
    rules = [strategies.get_prim_cast_strategy_info(strategy(level), name) for name in "MatMul Add Softmax Dot".split()]
    return [(rule.strategy.name, rule.dtype, rule.arg_pos) for rule in rules]


def while_pushed():
    """What the active strategy says, before, inside and after."""
    strategies.push_amp_strategy(strategies.AmpLevel.AmpO1, ms.float16, [("MatMul", [])], [])
    current = strategies.get_curr_amp_strategy()
    inside = current.get_amp_level().name, current is strategies.get_curr_amp_strategy()
    strategies.pop_amp_strategy()
    return inside, strategies.get_curr_amp_strategy()


def summed(x, y):
    """Gradients of two broadcast operands of these shapes."""
    whole = np.arange(6).reshape(2, 3)
    return grad_math_ops.binop_grad_common(ones(*x), ones(*y), Tensor(whole, ms.float32), Tensor(whole, ms.int32))


def called(inputs, *args, cell=Net):
    """A Cell that declares its inputs, called in GRAPH_MODE: the shape that it returns."""
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = cell()
        net.set_inputs(**inputs) if isinstance(inputs, dict) else net.set_inputs(*inputs)
        return net(*args).shape
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def lightly_checked(*args, **kwargs):
    """A call of a function with keywords of its own, some of which are checked."""

    @v.args_type_check(size=int)
    def size_of(x, **kwargs):
        return x, kwargs

    return size_of(*args, **kwargs)


def into_net(parameters, missing):
    """What is missing still, and the sums of the network's Parameters, after those behind a prefix have been loaded."""
    net = nn.Dense(2, 2, weight_init="zeros", bias_init="zeros")
    shapes = {"weight": (2, 2), "bias": (2,)}
    parameters = {
        name: ms.Parameter(ms.ops.full(shapes.get(name.split(".")[-1], (1,)), value, dtype=ms.float32), name=name)
        for name, value in parameters.items()
    }
    _load_dismatch_prefix_params(net, parameters, missing, False)
    return missing, [float(each.asnumpy().sum()) for each in net.get_parameters()]


def slices():
    """A pipeline of three rows."""
    return ds.NumpySlicesDataset([1, 2, 3])


def flags():
    return _pynative_executor.grad_flag(), _pynative_executor.enable_grad(), _pynative_executor.requires_grad()


def flags_in_a_gradient():
    seen = []
    ms.grad(lambda x: (seen.append(flags()), x * x)[1])(ones(2))
    return seen[0]


def flags_in_no_grad():
    with _no_grad():
        return flags()


def switched():
    _pynative_executor.set_enable_grad(False)
    off = _pynative_executor.enable_grad()
    _pynative_executor.set_enable_grad(True)
    return off, _pynative_executor.enable_grad()


ROWS = """
v.check_positive_int(3, "n", "Op")
v.check_positive_int(0, "n", "Op")
v.check_positive_int(True, "n", "Op")
v.check_positive_int(1.0)
v.check_positive_int(np.int64(1))
v.check_non_negative_int(0)
v.check_non_negative_int(-1)
v.check_negative_int(-1)
v.check_non_positive_int(1)
v.check_positive_int_sequence((1, 2))
v.check_positive_int_sequence((1, 0))
v.check_non_negative_int_sequence([0, 1], "dims", "Op")
v.check_positive_float(0.5)
v.check_positive_float(0.0)
v.check_positive_float(1)
v.check_positive_float(float("nan"))
v.check_positive_float(float("inf"))
v.check_non_negative_float(0.0)
v.check_negative_float(-0.5)
v.check_non_positive_float(0.5)
v.check_positive_float_sequence((0.5, 1.5))
v.check_int(3, 2, GE, "n", "Op")
v.check_int(1, 2, GE, "n", "Op")
v.check_float(0.5, 1.0, LT)
v.check_equal_int(2, 2)
v.check_equal_int(2, 3)
v.check_is_int(3)
v.check_is_int(3.0)
v.check_is_int(True)
v.check_is_float(1.5)
v.check_is_float(float("inf"))
v.check_is_float(1)
v.check_is_number(2, int)
v.check_int_range(1, 0, 2, INC_BOTH)
v.check_int_range(2, 0, 2, INC_LEFT)
v.check_int_range(0, 0, 2, INC_RIGHT)
v.check_int_range(1.5, 0, 2, INC_BOTH)
v.check_int_range(True, 0, 2, INC_BOTH)
v.check_float_range(0.5, 0.0, 1.0, INC_NEITHER)
v.check_float_range(1.0, 0.0, 1.0, INC_NEITHER, "p", "Dropout")
float(v.check_float_range(np.float32(0.5), 0.0, 1.0, INC_NEITHER))
v.check_number("n", 3, 2, GT, "Op")
v.check_number("n", 1, 2, GT, "Op")
v.check("n", 3, "m", 3, EQ, "Op")
v.check("n", 3, "m", 4, EQ, "Op")
v.check("n", 3, "m", [3, 4], IN, "Op", TypeError)
v.check("n", 5, "m", [3, 4], IN, "Op", TypeError)
v.check_bool(True)
v.check_bool(1, "flag", "Op")
v.check_bool(np.bool_(True))
v.check_string("a", ["a", "b"], "mode", "Op")
v.check_string("c", ["a", "b"], "mode", "Op")
v.check_string(1, ["a", "b"])
v.check_str_by_regular("a_b.c")
v.check_str_by_regular("")
v.check_str_and_none_by_regular("")
v.check_file_name_by_regular("a/b.ckpt")
v.check_file_name_by_regular("a/b/")
v.check_file_name_by_regular(3)
v.check_pad_value_by_mode("pad", 3, "Conv2d")
v.check_pad_value_by_mode("same", 3, "Conv2d")
v.check_valid_input("x", 1, "Op")
v.check_valid_input("x", None, "Op")
v.check_isinstance("x", 1, int)
v.check_isinstance("x", "a", int)
v.check_value_type("x", 1, [int], "Op")
v.check_value_type("x", 1, int, "Op")
v.check_value_type("x", True, [int], "Op")
v.check_value_type("x", True, [int, bool], "Op")
v.check_value_type("x", "a", [int, float], "Op")
v.check_value_type("x", None, [int, type(None)])
v.check_element_type_of_iterable("x", [1, 2], [int], "Op")
v.check_element_type_of_iterable("x", [1, "a"], [int], "Op")
v.check_element_type_of_iterable("x", 3, [int], "Op")
v.check_element_type_of_dict("x", {"a": 1}, [str], [int], "Op")
v.check_element_type_of_dict("x", {"a": "b"}, [str], [int], "Op")
v.check_size_and_element_type_of_tuple("x", (1, 2), 2, int, "Op")
v.check_size_and_element_type_of_tuple("x", (1, 2), 3, int, "Op")
v.check_subclass("x", ms.float32, ms.number, "Op")
v.check_subclass("x", ms.float32, [ms.int32, ms.float32], "Op")
v.check_subclass("x", ms.float32, ms.int_, "Op")
v.check_type_name("x", ms.float32, [ms.float32, ms.float16], "Op")
v.check_type_name("x", ms.int32, [ms.float32, ms.float16], "Op")
v.check_types_same_and_valid({"x": ms.float32, "y": ms.float32}, (ms.float32,), "Op")
v.check_types_same_and_valid({"x": ms.float32, "y": ms.float16}, (ms.float32, ms.float16), "Op")
v.check_tensor_dtype_valid("x", ms.TensorType(ms.float32), (ms.float32,), "Op")
v.check_tensor_dtype_valid("x", ms.TensorType(ms.int32), (ms.float32,), "Op")
v.check_tensors_dtypes_same_and_valid({"x": ms.TensorType(ms.int32)}, (ms.int32,), "Op")
v.twice(3)
v.twice((1, 2))
v.twice((1, 2, 3))
v.twice("ab")
v.triple(1)
v.twice_sequence([1, 2])
v.args_type_check(x=int)(lambda x, y: x)(3, "a")
v.args_type_check(x=int)(lambda x, y: x)("a", 3)
v.args_type_check(x=(int, str))(lambda x, y=None: x)("a")
v.args_type_check(x=int)(lambda x: x)(None)
v.args_type_check(x=int)(lambda x: x)(True)
v.check_input_format("NCHW")
v.check_input_format("NHWC")
v.check_output_data(1)
v.check_output_data(None)
v.GE == GE, v.INC_BOTH > v.EQ
typing.Int(32), typing.Float(16), typing.BFloat(16), typing.Number(), typing.Bool(), typing.UInt(), typing.Complex(64)
typing.kFloat32, typing.kInt4, typing.kBool, typing.kNumber, typing.kTuple, typing.kTypeNone
isinstance(ms.float32, typing.Type), isinstance(ms.float32, typing.Float), isinstance(ms.bfloat16, typing.Float)
typing.type_to_type_id(ms.float32), typing.type_id_to_type(43), typing.type_size_in_bytes(ms.float32)
[typing.type_to_type_id(t) for t in (ms.bool_, ms.int8, ms.uint64, ms.bfloat16, ms.complex128, ms.string, ms.list_)]
typing.type_to_type_id(3)
typing.str_to_type("float32"), typing.str_to_type("Float32")
typing.str_to_type("nothing")
typing.is_subclass(ms.float32, ms.number)
typing.TensorType(ms.float32).element_type()
security.enable_security()
ParamInfo().name, ParamInfo().requires_grad, ParamInfo().parallel_optimizer, ParamInfo().comm_fusion, ParamInfo().key
ParamInfo().clone().storage_format
MSContext.get_instance().get_param(ms_ctx_param.mode), MSContext.get_instance().is_pkg_support_device("CPU")
MSContext.get_instance() is not None, MSContext.get_instance().get_ascend_soc_version()
context._get_mode(), context.get_jit_config()
_pynative_executor.sync()
flags()
flags_in_a_gradient()
flags_in_no_grad()
switched()
_pynative_executor.set_grad_flag(False)
_pynative_executor.set_grad_flag("a")
_pynative_executor.set_enable_grad("a")
_pynative_executor.clear_res()
_pynative_executor.set_jit_compile_phase("")
_cell_graph_executor.compile(Net(), ones(2))[1]
_cell_graph_executor.compile(Net(), unknown(None))[1] in (True, False)
_cell_graph_executor.has_compiled("predict")
_convert_python_data(3)
Net().compile(ones(2))
_is_parameter_generated("Parameter#3"), _is_parameter_generated("w"), PARAMETER_NAME_DEFAULT
init_to_value(1), init_to_value("zeros"), init_to_value("ones")
init_to_value("x")
init_to_value(None)
DEFAULT_GRAPH_SEED, _get_graph_seed(None, "Op"), _get_graph_seed(1, "Op")
_calculate_gain("relu"), _calculate_gain("leaky_relu", 0.1), _calculate_gain("tanh"), _calculate_gain("linear") == 1
_calculate_gain("nothing")
_calculate_gain("leaky_relu", "a")
_calculate_fan_in_and_fan_out((2, 3, 4)), _calculate_fan_in_and_fan_out((2, 3))
_calculate_fan_in_and_fan_out((2,))
_calculate_correct_fan((2, 3), "fan_in"), _calculate_correct_fan((2, 3), "FAN_OUT")
_calculate_correct_fan((2, 3), "x")
_INITIALIZER_ALIAS["zeros"].__name__, _INITIALIZER_ALIAS["he_normal"].__name__
_assignment(np.zeros(2), 3.0)
_assignment(np.zeros(2), np.array([1.0, 2.0]))
_init_random_normal(0.0, 1.0, (2, 3)).dtype, _init_random_uniform(0.0, 1.0, (2, 3)).shape
_init_random_normal(0.0, -1.0, (2, 3))
is_shape_unknown((2, -1)), is_shape_unknown((2,)), is_dim_unknown((-2,)), dim_not_equal(-1, 3), dim_not_equal(2, 3)
get_broadcast_shape((2, 1), (3,), "Op"), get_broadcast_shape((-1, 2), (3, 1), "Op"), get_broadcast_shape([-2], (3,), "")
get_broadcast_shape((2, 2), (3,), "Op")
get_1d_shape((2, 3)), range_op(0, 6, 2, ms.int32).tolist()
get_func(double) is double
deprecated("2.3", "ops.mul")(double)(2)
tensor_operator_registry.get(3)
isinstance(ones(1), StubTensor)
np.ones(2).astype(bfloat16).dtype
_core(lambda x: x)._func_graph_flags, _add_flags(lambda x: x, has_effect=True)._func_graph_flags
_no_recursive(lambda x: x)._func_graph_flags, issubclass(_no_recursive(type("Net", (nn.Cell,), {})), nn.Cell)
_no_recursive(3)
callable(_primexpr(lambda x: x + 1)), _function_forbid_reuse(lambda x: x)(2)
composite.matmul(Tensor([1, 2]), Tensor([3, 4]), ms.float32)
composite.matmul(Tensor([1, 2]), 3)
composite.zeros_like(Tensor([1, 2]))
composite.zeros_like(2.5)
composite.zeros_like(True)
sequence.InSequence()(1, (1, 2)), sequence.SequenceAdd()((1, 2), (3,)), sequence.SequenceCount()((1, 1), 1)
sequence.ListAppend()([1], 2), sequence.ListInsert()([1, 3], 1, 2), sequence.SequenceMul()((1, 2), 2)
sequence.ListToTensor()([1, 2], ms.float32), sequence.TupleToTensor()((1, 2), ms.int32)
sequence.SequenceIndex()((1, 2), 2, 0, 2), sequence.SequenceSlice()((1, 2, 3), 0, 3, 2)
sequence.SequenceMax()((1, 5)), sequence.SequenceMin()((1, 5)), sequence.SequenceZerosLike()((1, 2.5))
sequence.TensorToList()(Tensor([1, 2])), sequence.sequence_len()((1, 2))
sequence.TensorToScalar()(Tensor(3)), sequence.TensorToScalar()(Tensor([2.5]))
sequence.list_le()([1], [1]), sequence.list_lt()([1], [1])
sequence.tuple_le()((1,), (1,)), sequence.tuple_lt()((1,), (1,))
sequence.list_greater_equal()([1], [1]), sequence.list_greater_than()([2], [1])
sequence.tuple_greater_equal()((1,), (1,)), sequence.tuple_greater_than()((1,), (1,))
_get_cache_prim(ops.Softmax)(0) is _get_cache_prim(ops.Softmax)(0)
Registry().get("a", 3)
Registered(1).a, isinstance(Registered(1).cell_init_args, str)
Registered()
Registered(1, c=2)
isinstance(Lazy().cell_init_args, str), Lazy()(ones(2)).shape
ms.no_inline(double) is double, double.no_inline, ms.no_inline()(double) is double
ms.no_inline(3)
parallel._get_device_num(), parallel._get_global_rank(), parallel._get_pipeline_stages()
parallel._get_parallel_mode(), parallel._get_gradients_mean(), parallel._get_full_batch()
parallel._get_parameter_broadcast(), parallel._get_enable_parallel_optimizer(), parallel._get_stage_device_num()
parallel._is_in_auto_parallel_mode(), parallel._is_in_data_parallel_mode(), parallel._is_in_hybrid_parallel_mode()
parallel._is_parallel_mode(), parallel._is_sharding_propagation(), parallel._need_to_full()
parallel._get_grad_accumulation_shard(), parallel._check_full_batch(), parallel._reset_op_id()
parallel._device_number_check("data_parallel", 1)
parallel._device_number_check("stand_alone", 2)
parallel._parameter_broadcast_check("data_parallel", True)
parallel._parameter_broadcast_check("stand_alone", True)
parallel._to_full_shapes([[2, 3]], 1)
[t.tolist() for t in parallel._to_full_tensor(ones(2), 1, 0)]
auto_parallel_context() is auto_parallel_context(), auto_parallel_context().get_device_num()
auto_parallel_context().get_parallel_mode(), auto_parallel_context().get_parameter_broadcast_is_set()
auto_parallel_context().set_all_reduce_fusion_split_indices([1, 2], "g")
auto_parallel_context().get_all_reduce_fusion_split_indices("g")
[f(True) for f in (auto_parallel_context().set_gradients_mean,)], parallel._get_gradients_mean()
auto_parallel_context().reset(), parallel._get_gradients_mean()
_is_role_sched()
cost.get_cost_model_context("costmodel_alpha"), cost._get_multi_subgraphs()
cost.set_cost_model_context(nothing=2.0)
cost.get_cost_model_context("nothing")
ms.set_algo_parameters(nothing=1)
ms.set_algo_parameters(fully_use_devices=1)
ms.set_algo_parameters(tensor_slice_align_size=0)
ms.set_algo_parameters(tensor_slice_align_size=32), ms.get_algo_parameters("tensor_slice_align_size")
ms.get_algo_parameters("nothing")
unknown(None, 3)
unknown(None)
unknown(None, 3).shape, unknown(None, 3).ndim, unknown(None, 3).size, unknown(None, 3).dtype, unknown(None).nbytes
Tensor(dtype=ms.float32).shape, Tensor(shape=None, dtype=ms.float32).shape, unknown(-1, 3).shape
Tensor(shape=[None, 3])
Tensor(shape=[None, 3], dtype=ms.float32, init=1)
Tensor(1, shape=[None], dtype=ms.float32)
unknown(None, -3)
unknown(None, "a")
unknown(None, 3).asnumpy()
ms.Symbol(max=8, divisor=2).to_dict(), str(ms.Symbol(max=10, min=2, divisor=3, remainder=1)), ms.Symbol(min=4).to_dict()
unknown(ms.Symbol(max=8, divisor=2), 3).symbolic_shape, unknown(None, 3).symbolic_shape
ms.Symbol(min=0)
ms.Symbol(divisor=0)
ms.Symbol(divisor=4, remainder=5)
ms.Symbol(max="a")
ms.Symbol(unique=1)
called([unknown(None, 3)], ones(2, 3))
called([unknown(None, 3)], ones(2, 4))
called([unknown(None, 3)], ones(3))
called([unknown(None, 3)], ones(2, 3, dtype=np.float64))
called([unknown(None, 3)], 3)
called([unknown(None, 3)], ones(2, 3), ones(2, 3))
called([Tensor(dtype=ms.float32)], ones(2, 3, 4))
called([ones(2, 3)], ones(4, 3))
called([unknown(None, 3), 1], ones(2, 3), 1)
called([unknown(None, 3), 1], ones(2, 3), 2)
called([unknown(None, 3), None], ones(2, 3), ones(2, 3))
called({"y": unknown(None, 3)}, ones(2, 3), ones(2, 3), cell=Two)
called({"y": unknown(None, 3)}, ones(2, 3), ones(2, 4), cell=Two)
called({"z": unknown(None, 3)}, ones(2, 3))
called([unknown(ms.Symbol(divisor=8), 3)], ones(2, 3))
called([unknown(ms.Symbol(max=4), 3)], ones(6, 3))
called([unknown(ms.Symbol(min=4), 3)], ones(2, 3))
called([unknown(ms.Symbol(divisor=2, remainder=1), 3)], ones(1, 3))
called([unknown(ms.Symbol(max=4, min=2, divisor=2, remainder=1), 3)], ones(3, 3))
(lambda s: called([unknown(s, 3), unknown(s, 3)], ones(2, 3), ones(2, 3), cell=Two))(ms.Symbol(unique=True))
(lambda s: called([unknown(s, 3), unknown(s, 3)], ones(2, 3), ones(1, 3), cell=Two))(ms.Symbol(unique=True))
Net().set_inputs(unknown(None), x=unknown(None))
Net().set_inputs(unknown(None)), Net().get_inputs()
mutable((1, 2), dynamic_len=True), mutable((1, 2), True).__ms_dynamic_len__, mutable([1]).__ms_dynamic_len__
mutable(1, True)
mutable((1, 2), "a")
mutable({}, True)
ms.enable_dynamic()
ms.enable_dynamic(x=3)
ms.enable_dynamic(x=ones(2))
ms.enable_dynamic(z=unknown(None))(declared)
ms.enable_dynamic(x=unknown(None))(Net())
ms.jit(ms.enable_dynamic(x=unknown(None, 3))(declared))(ones(2, 3)).shape
ms.jit(ms.enable_dynamic(x=unknown(None, 3))(declared))(ones(2, 4))
ms.jit(ms.enable_dynamic(x=unknown(None, 3))(declared))(ones(2, 3, dtype=np.float64))
ms.enable_dynamic(x=unknown(None, 3))(declared)(ones(2)).shape
ms.enable_dynamic(x=unknown(None, 3))(ms.jit(jitted))(ones(2, 3)).shape
ms.enable_dynamic(x=unknown(None, 3))(ms.jit(jitted))(ones(2, 4)).shape
ms.jit(double, capture_mode="x")
ms.jit(double, jit_level="O2")
ms.jit(double, jit_level=1)
ms.jit(double, dynamic=2)
ms.jit(double, dynamic="a")
ms.jit(double, fullgraph=1)
ms.jit(double, exec_order="x")
ms.jit(double, exec_order=3)
ms.jit(double, exec_order="dfs")(ones(2)).shape
ms.jit(double, disable_format_transform=1)
ms.jit(double, infer_boost="x")
ms.jit(double, exc_mode="x")
ms.jit(double, auto_offload="x")
ms.jit(double, ge_options=1)
ms.jit(double, ge_options={"x": 1})
ms.jit(double, ge_options={"global": 1})
ms.jit(double, ge_options={"global": {"a": 1}})
ms.jit(double, nothing=1)(ones(2)).shape
ms.jit(double, mode="PIJit", input_signature=ones(2), compile_once=True)(ones(2)).shape
ms.jit(double, backend="GE", dynamic=1, fullgraph=True, jit_level="O1") is not None
ms.jit(3)
ms.jit(Net())(ones(2)).shape
ms.jit(Net)()(ones(2)).shape
ms.jit(Net().construct)(ones(2)).shape
ms.JitConfig().jit_config_dict
ms.JitConfig(exc_mode="no_sink", jit_syntax_level="STRICT", debug_level="DEBUG", infer_boost="on", a=1).jit_config_dict
ms.JitConfig(jit_level="O3")
ms.JitConfig(exc_mode=1)
ms.JitConfig(jit_syntax_level="X")
ms.JitConfig(debug_level="X")
ms.JitConfig(infer_boost="X")
Net().set_jit_config(ms.JitConfig())
Net().set_jit_config(3)
ms.is_tensor(ones(1)), ms.is_tensor(1), ms.ms_memory_recycle()
ms.runtime.synchronize(), ms.runtime.empty_cache(), ms.runtime.memory_allocated(), ms.max_memory_allocated()
ms.runtime.memory_stats()["total_reserved_memory"], ms.memory_reserved(), ms.max_memory_reserved()
ms.runtime.set_memory("a")
ms.runtime.set_memory(max_size=3)
ms.runtime.set_memory(optimize_level="O3")
ms.runtime.set_memory("1.5GB"), ms.runtime.launch_blocking()
importlib.metadata.version("mindspore"), importlib.metadata.version("MindSpore")
importlib.metadata.distribution("mindspore").metadata["Name"]
[ms.get_auto_parallel_context(name) for name in ("pipeline_interleave", "pipeline_scheduler", "full_batch_is_set")]
[ms.get_auto_parallel_context(name) for name in ("dump_local_norm", "dump_local_norm_path", "init_param_in_compile")]
ms.set_auto_parallel_context(pipeline_interleave=True)
_is_initialized(), _get_group_map()
check_value_type("size", 1, (int, str)), check_value_type("size", True, bool)
check_value_type("size", True, (int,))
check_value_type("size", "a", [int, float])
lightly_checked(1, size="x")
lightly_checked(1, size=2), lightly_checked(None, size=None)
into_net({"a.weight": 2, "a.bias": 3}, ["weight", "bias"])
into_net({"a.weight": 2, "b.bias": 3, "c": 4}, ["weight", "bias"])
into_net({"x": 2}, ["weight"])
[type(each).__name__ for each in (nn.Dropout(p=0.5).dropout, nn.Softmax().softmax, nn.Dense(2, 3).bias_add)]
[type(each).__name__ for each in (nn.Conv1d(1, 1, 1).squeeze, nn.LogSoftmax().log_softmax, nn.ReLU().relu)]
nn.Dropout(p=0.75).dropout.keep_prob, nn.Dropout(keep_prob=0.5).dropout.keep_prob, hasattr(nn.ReLU(), "dropout")
nn.Dense(2, 3).matmul(ones(1, 2), ones(3, 2)), nn.Softmax(0).softmax(ones(2))
nn.LossBase().reduce_mean(ones(2)), nn.MSELoss().mul(ones(2), ones(2)), nn.LossBase().cast(ones(1), ms.int32)
[type(nn.get_activation(name)).__name__ for name in ("rrelu", "preluExt", "logsoftmaxExt")]
nn.Dense(2, 3).activation_flag, nn.Dense(2, 3, activation="relu").activation_flag
nn_func._check_qkv_shape(3, 3, 3), nn_func._check_qkv_shape(2, 2, 2)
nn_func._check_qkv_shape(3, 2, 3)
nn_func._check_kpm_shape(3, 2), nn_func._check_attn_mask_shape(2, (4, 8), (5, 8), 3, (2, 4, 5), 2)
nn_func._check_kpm_shape(3, 3)
nn_func._check_attn_mask_shape(2, (4, 8), (5, 8), 3, (2, 4, 4), 2)
[x.shape for x in nn_func._in_projection_packed(ones(4, 2), ones(5, 2), ones(5, 2), ones(6, 2), ones(6), True, False)]
[x.shape for x in nn_func._in_projection(ones(4, 2), ones(5, 3), ones(5, 3), ones(2, 2), ones(2, 3), ones(2, 3))]
nn_func._in_projection(ones(4, 2), ones(5, 3), ones(5, 3), ones(2, 2), ones(2, 2), ones(2, 3))
nn_func._inner_pad(ones(2) > 0, (0, 1)), nn_func._inner_dropout(ones(2), 0.5, False)
nn_func._interploate_ext_make_tuple(ones(1, 1, 2, 2), 3), nn_func._interploate_ext_make_tuple(ones(1, 1, 2), [4])
nn_func._interpolate_ext_scale_factor_convert_size(ones(1, 1, 3, 5), [1.5, 2.0])
[isinstance(slices(), kind) for kind in (ds.SourceDataset, ds.MappableDataset, ds.VisionBaseDataset)]
[isinstance(slices().batch(2), kind) for kind in (ds.SourceDataset, ds.MappableDataset, ds.VisionBaseDataset)]
_auto_black_list(nn.SequentialCell(nn.Dense(2, 2), nn.LayerNorm((2,))), [nn.LayerNorm], ms.float16)(ones(1, 2)).dtype
[part.shape for part in split_ext(ones(5, 2), 2)]
ms.runtime.dispatch_threads_num("a")
ms.runtime.dispatch_threads_num(0)
ms.utils.dryrun.mock(1, 2), ms.utils.dryrun.mock(5, max, 3, 4), ms.dryrun.mock(1, lambda: 3)
ms.utils.dryrun.mock(1)
_grad_scale(Tensor(2.0), ones(2)), _grad_scale(Tensor(2.0), Tensor([3.0], ms.float16)), reciprocal(Tensor([4.0]))
_apply_decay(Tensor(0.5), True, ones(2), ones(2)), _apply_decay(Tensor(0.5), False, ones(2), ones(2))
_check_is_tensor("logits", None, "Loss"), _check_is_tensor("logits", ones(1), "Loss")
_check_is_tensor("logits", 3, "Loss")
_chg_ckpt_file_name_if_same_exist("tests/names", "net"), _chg_ckpt_file_name_if_same_exist("tests", lambda facts: 1)("")
train_model._get_parallel_mode(), train_model._get_device_num(), train_model._get_parameter_broadcast()
train_model._CallbackManager(None).on_train_begin(None), train_model._InternalCallbackParam(a=1).a
train_model._set_training_dataset(None), "TimeMonitor" in train_model.internal_cb_names
train_model.Validator.check_bool(True), train_model._transfer_tensor_to_tuple(ones(1)), v.is_stub_tensor(ones(1))
strategies.get_curr_amp_strategy(), while_pushed()
casts(strategies.AmpLevel.AmpO0), casts(strategies.AmpLevel.AmpO1), casts(strategies.AmpLevel.AmpO2)
casts(strategies.AmpLevel.AmpO3), casts(strategies.AmpLevel.AmpAuto)
strategies.AutoPromoteList, strategies.SetDtypeList, [each.name for each in (strategies.PrimCastStrategy(1),)]
get_code_extra(double), get_code_extra(3), composite_base.core(lambda x: x, a=1)._func_graph_flags
summed((2, 3), (3,)), summed((3,), (2, 3)), summed((2, 3), (2, 1)), summed((2, 3), (2, 3))
math_func.F.add(ones(1), 2), math_func.P.Add()(ones(1), 2), math_func.mstype.int8, math_func.C.HyperMap()(abs, (1, -2))
composite_base.np is np, hasattr(composite_base, "nothing")
summary_record._DEFAULT_EXPORT_OPTIONS == {"tensor_format": {"npy", None}}, summary_record.process_export_options(None)
summary_record.process_export_options({"tensor_format": "npy"})
summary_record.process_export_options({"tensor_format": "csv"})
Tensor([1.0]).__deepcopy__(memodict={}), ms.Parameter(Tensor(1.0), name="p").__deepcopy__(memodict={})
Tensor([1.0]).__deepcopy__(memo={})
ops.partial(max, 2)(3), ops.Partial()(max, 2)(1), type(ops.partial(max, 2)).__name__
""".strip().splitlines()


def answers():
    """``{row: outcome}`` in this interpreter."""
    results = {}
    for row in ROWS:
        try:
            results[row] = repr(eval(row))
        except Exception as error:
            results[row] = f"raises {type(error).__name__}"
    return results
