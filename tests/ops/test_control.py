"""Loops over functions, operations on Python values, and the Primitive objects of `ops`."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, ops
from msgrad.ops.control import language
from msgrad.ops.legacy import instances

from ..helpers import assert_close

# expression, value: MindSpore's, except for what it can only compute inside graphs
VALUES = [
    ("ops.array_to_scalar(Tensor(2))", 2),
    ("ops.augassign_add((1,), (2,))", (1, 2)),
    ("ops.augassign_div(7, 2)", 3.5),
    ("ops.augassign_floordiv(7, 2)", 3),
    ("ops.augassign_mod(7, 2)", 1),
    ("ops.augassign_mul(7, 2)", 14),
    ("ops.augassign_sub(7, 2)", 5),
    ("ops.bool_and(True, False)", False),
    ("ops.bool_eq(True, True)", True),
    ("ops.bool_not(False)", True),
    ("ops.bool_or(False, True)", True),
    ("ops.broadcast_gradient_args((2, 3), (3,))", ((), (0,))),
    ("ops.broadcast_gradient_args((2, 1), (2, 3))", ((1,), ())),
    ("ops.dict_getitem({'a': 1}, 'a')", 1),
    ("ops.dict_setitem({'a': 1}, 'b', 2)", {"a": 1, "b": 2}),
    ("ops.hastype(Tensor([1.5]), ms.tensor_type)", True),
    ("ops.hastype(Tensor([1.5]), ms.float32)", False),
    ("ops.hastype(1, ms.int64)", True),
    ("ops.hastype(1, ms.int32)", False),
    ("ops.hastype(1, ms.number)", True),
    ("ops.hyper_add((1, 2.5), (2, 3.0))", (3, 5.5)),
    ("ops.in_dict('a', {'a': 1})", True),
    ("ops.is_(None, None)", True),
    ("ops.is_not(None, 1)", True),
    ("ops.is_sequence_shape_unknown((1, 2))", False),
    ("ops.is_sequence_value_unknown((1, 2))", False),
    ("ops.is_tensor_bool_cond(Tensor(False))", True),
    ("ops.isconstant(1)", True),
    ("ops.isconstant(Tensor(1))", True),
    ("ops.iter_converter({'a': 1})", ("a",)),
    ("ops.iter_converter([1, 2])", [1, 2]),
    ("ops.list_equal([1], [1])", True),
    ("ops.list_getitem([1, 2], 1)", 2),
    ("ops.list_len([1, 2])", 2),
    ("ops.list_setitem([1, 2], 0, 5)", [5, 2]),
    ("ops.make_dict(('a', 'b'), (1, 2))", {"a": 1, "b": 2}),
    ("ops.make_list(1, 2)", [1, 2]),
    ("ops.make_range(0, 5, 2)", (0, 2, 4)),
    ("ops.make_slice(1, 2, 3)", slice(1, 2, 3)),
    ("ops.make_tuple(1, 2)", (1, 2)),
    ("ops.ms_hasnext(())", False),
    ("ops.ms_next([1, 2])", (1, [2])),
    ("ops.not_in_dict('a', {'a': 1})", False),
    ("ops.reduced_shape((2, 3), (0,))", (1, 3)),
    ("ops.scalar_add(1, 2.5)", 3.5),
    ("ops.scalar_div(3, 2)", 1.5),
    ("ops.scalar_eq(1, 1)", True),
    ("ops.scalar_floordiv(7, 2)", 3),
    ("ops.scalar_ge(2, 1)", True),
    ("ops.scalar_gt(1, 2)", False),
    ("ops.scalar_le(1, 2)", True),
    ("ops.scalar_log(1.0)", 0.0),
    ("ops.scalar_lt(1, 2)", True),
    ("ops.scalar_max(1, 2)", 2),
    ("ops.scalar_min(1, 2)", 1),
    ("ops.scalar_mod(5, 3)", 2),
    ("ops.scalar_mul(2, 3)", 6),
    ("ops.scalar_ne(1, 2)", True),
    ("ops.scalar_pow(2, 3)", 8),
    ("ops.scalar_sub(2, 3)", -1),
    ("ops.scalar_uadd(2)", 2),
    ("ops.scalar_usub(2)", -2),
    ("ops.shape_mul((2, 3))", 6),
    ("ops.SliceGetItem(slice(1, 2, 3), 'stop')", 2),
    ("ops.string_concat('a', 'b')", "ab"),
    ("ops.string_eq('a', 'a')", True),
    ("ops.switch(True, 1, 2)", 1),
    ("ops.switch_layer(Tensor(1, ms.int32), (abs, len))((1, 2))", 2),
    ("ops.tail((1, 2, 3))", (2, 3)),
    ("ops.tuple_div((6, 4), (2, 2))", (3, 2)),
    ("ops.tuple_equal((1,), (1,))", True),
    ("ops.tuple_getitem((1, 2), 1)", 2),
    ("ops.tuple_len((1, 2))", 2),
    ("ops.tuple_reversed((1, 2))", (2, 1)),
    ("ops.tuple_setitem((1, 2), 0, 5)", (5, 2)),
    (
        "str(ops.typeof((1, 2.5, True, None, 'a', [Tensor([1.5])], ms.int8, len)))",
        "Tuple[Int64,Float32,Bool,None,String,List[Tensor[Float32]],TypeType,Func]",
    ),
    ("ops.zip_operation((1, 2), (3, 4))", ((1, 3), (2, 4))),
    ("ops.shape_(Tensor([1, 2]))", (2,)),
    ("ops.DtypeToEnum()('Cast', 'dtype', ms.int32)", 34),
    ("ops.TensorToTuple()(Tensor([True]))", (True,)),
    ("ops.PyFunc(lambda x: x.sum(), [ms.float32], [(2,)], [ms.float32], [()])(Tensor([1.0, 2.0]))[0].item()", 3.0),
    ("ops.Custom(max, lambda x, y: x, lambda x, y: y)(Tensor([1.0]), Tensor([2.0])).tolist()", [2.0]),
    ("ops.PyFunc(max, [ms.int64] * 2, [()] * 2, [ms.int64], [()])((Tensor(1), Tensor(2)))[0].item()", 2),
    ("Tensor([1, 2]).data_ptr() > 0", True),
    ("Tensor([[1, 2, 3], [4, 5, 6]]).T.stride()", [1, 3]),
    ("Tensor([[1, 2, 3], [4, 5, 6]])[1:, 1].storage_offset()", 4),
    ("Tensor([[1, 2, 3], [4, 5, 6]]).T.is_contiguous()", False),
    ("Tensor([[1, 2, 3], [4, 5, 6]]).T.contiguous().is_contiguous()", True),
    ("Tensor([1, 2]).offload_file_path()", ""),
    ("Tensor([1, 2]).offload('/dev/null')", True),
    ("Tensor.convert_bytes_to_tensor(b'\\x01\\x00', (1,), ms.int16).tolist()", [1]),
    ("ops.WhileLoop()(lambda s: s[0] < 3, lambda s: [s[0] + 1, s[1] * 2], [0, 1])", [3, 8]),
    ("ops.ForiLoop()(3, 0, lambda i, x: x + i, 1)", 1),
    ("ops.ForiLoop()(0, 4, lambda i, x: x + i, 1)", 7),
    ("ops.Scan()(lambda c, x: (c + x, c * x), 1, [1, 2])", (4, [1, 4])),
    ("ops.Scan()(lambda c, x: (c + 1, c), 1, None, 2)", (3, [1, 2])),
]
ERRORS = [
    ("ops.WhileLoop()(1, 2, 3)", TypeError, "For 'WhileLoop', the 'cond_func' must be a function"),
    ("ops.ForiLoop()(0, 2.5, len, 0)", TypeError, "For 'ForiLoop', the 'upper' must be an int"),
    ("ops.Scan()(len, 0, Tensor([1]))", TypeError, "For 'Scan', the 'xs' must be a list or tuple of items"),
    ("ops.Scan()(lambda c, x: c, 0, [1])", ValueError, "For 'Scan', the 'loop_func' must be a function that returns"),
    ("ops.Scan()(len, 0, None)", ValueError, "For 'Scan', the 'length' must be given"),
    ("ops.typeof(1j)", TypeError, "For 'typeof', the 'x' must be"),
    ("ops.is_tensor_bool_cond(Tensor([1, 2]))", ValueError, "must be of one element"),
    ("ops.DtypeToEnum()('Cast', 'dtype', 1)", TypeError, "For 'Cast', the 'dtype' must be a mindspore dtype"),
    ("ops.TensorToTuple()(Tensor([[1]]))", TypeError, "must be a Tensor with one axis"),
    ("ops.PyFunc(len, [ms.float32], [(3,)], [ms.int64], [()])(Tensor([1.0]))", TypeError, "the 'input_x' must be"),
    ("ops.PyFunc(abs, [ms.float32], [(1,)], [ms.int64], [()])(Tensor([1.0]))", TypeError, "the 'fn' must be"),
    ("ops.Assert()(False, [Tensor([1, 2])])", RuntimeError, "input data: [[1, 2]]"),
    ("ops.CheckNumerics()(Tensor([float('nan')]))", RuntimeError, "Tensor had NaN values"),
    ("ops.ScalarSummary()(1, Tensor(1.0))", TypeError, "the 'name' must be a str"),
]
NAMES = {"ms": ms, "ops": ops, "Tensor": Tensor}
PRINTED = ["ops.Print()", "ops.print_", "ops.TensorDump()", "ops.tensordump"]
SUMMARIES = [f"ops.{name}Summary()('x', Tensor([[[[1.0]]]]))" for name in ("Scalar", "Tensor", "Image", "Histogram")]
TRIED = [row[0] for row in VALUES + ERRORS] + PRINTED + SUMMARIES + [f"ops.{name}" for name, _ in instances._ROWS]


@pytest.mark.parametrize("expression, value", VALUES, ids=[row[0] for row in VALUES])
def test_value(expression, value):
    result = eval(expression, NAMES)
    assert type(result) is type(value) and result == value


@pytest.mark.parametrize("expression, error, text", ERRORS, ids=[row[0] for row in ERRORS])
def test_refused(expression, error, text):
    with pytest.raises(error) as raised:
        eval(expression, NAMES)
    assert text in str(raised.value)


@pytest.mark.parametrize("expression", SUMMARIES)
def test_a_summary_without_a_recorder_is_nothing(expression):
    assert eval(expression, NAMES) is None


@pytest.mark.parametrize("name, primitive", instances._ROWS)
def test_object_is_of_its_primitive(name, primitive):
    assert repr(getattr(ops, name)).startswith(f"Prim[{primitive}]")
    assert type(getattr(ops, name)) is getattr(ops, primitive)


def test_every_operation_on_values_is_tried():
    tried = " ".join(expression for expression, _ in VALUES)
    assert not [text for text, *_ in language._ROWS if f"ops.{text.partition('(')[0]}(" not in tried]


def _powers(x):
    return ops.ForiLoop()(0, 3, lambda i, y: y * x, x).sum()


def _until(x):
    return ops.WhileLoop()(lambda y: y.sum() < 100, lambda y: y * x, x).sum()


def _scanned(x):
    return ops.Scan()(lambda total, y: (total + y * x, total * y), x, [x, x * 2])[0].sum()


@pytest.mark.parametrize("function", [_powers, _until, _scanned])
def test_loops_have_gradients(function, mode):
    x, step = np.array([1.5, 2.0]), 1e-6
    gradient = ms.grad(function)(Tensor(x)).asnumpy()
    for k, e in enumerate(np.eye(2)):
        ahead, behind = (function(Tensor(x + sign * step * e)).asnumpy() for sign in (1, -1))
        assert_close(gradient[k], (ahead - behind) / (2 * step), rtol=1e-6)


def test_prints_each_argument_on_its_line(capsys):
    ops.Print()("x is", Tensor([1.0]), 3, (1, None))
    assert capsys.readouterr().out == "x is\nTensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])\n3\n(1, None)\n"


def test_dumps_are_numbered(tmp_path):
    for value in (1.0, 2.0):
        ops.TensorDump()(str(tmp_path / "x.npy"), Tensor([value]))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x_float32_0.npy", "x_float32_1.npy"]
    assert np.load(tmp_path / "x_float32_1.npy").tolist() == [2.0]


def test_offload_writes_the_bytes(tmp_path):
    x, path = Tensor([1, 2], ms.int16), str(tmp_path / "x")
    assert x.offload(path) and x.offload_file_path() == path
    assert Tensor.convert_bytes_to_tensor((tmp_path / "x").read_bytes(), (2,), ms.int16).tolist() == [1, 2]


def test_a_tensor_is_no_constant_of_a_graph():
    assert ms.jit(lambda x: (x, ops.isconstant(x), ops.isconstant(1)))(Tensor([1.0]))[1:] == (False, True)
