"""A group of one process: its properties, and the writes of its collectives."""

import pytest

from msgrad import Tensor, ops

# expression, value
VALUES = [
    ("ops.is_available()", True),
    ("ops.is_initialized()", False),
    ("ops.get_rank()", 0),
    ("ops.get_rank('hccl_world_group')", 0),
    ("ops.get_rank('other'), ops.get_world_size('other')", (0, 1)),
    ("ops.get_world_size()", 1),
    ("ops.get_world_size(ops.new_group([0]))", 1),
    ("ops.get_backend()", "hccl"),
    ("ops.get_global_rank('hccl_world_group', 0)", 0),
    ("ops.get_group_rank('hccl_world_group', 0)", 0),
    ("ops.get_process_group_ranks()", [0]),
    ("(ops.init_process_group('mccl', world_size=1, rank=0), ops.get_backend(), ops.is_initialized())",
     (None, "mccl", True)),
    ("(ops.init_process_group(), ops.destroy_process_group(), ops.is_initialized())", (None, None, False)),
    ("ops.set_comm_ops_inplace(True)", None),
    ("ops.barrier()", None),
    ("ops.barrier(async_op=True).wait()", None),
    ("ops.all_reduce(x, ops.ReduceOp.MAX), x.tolist()", (None, [1.0, 2.0])),
    ("ops.all_reduce(x, async_op=True).wait()", None),
    ("ops.reduce(x, 0)", None),
    ("ops.broadcast(x, 0), x.tolist()", (None, [1.0, 2.0])),
]  # fmt: skip
# calls that write x into y
WRITTEN = [
    "ops.all_gather([y], x)",
    "ops.all_gather_into_tensor(y, x)",
    "ops.all_gather_into_tensor_uneven(y, x, [2])",
    "ops.all_to_all([y], [x])",
    "ops.all_to_all_single(y, x, [2], [2])",
    "ops.all_to_all_v_c(y, x, [2])",
    "ops.gather_into_tensor(y, x)",
    "ops.scatter_tensor(y, x, 0)",
    "ops.reduce_scatter(y, [x])",
    "ops.reduce_scatter_tensor(y, x, 'prod')",
    "ops.reduce_scatter_tensor_uneven(y, x, [2])",
]
# calls that put 'a' into a list
PUT = [
    "ops.all_gather_object(objects, 'a')",
    "ops.gather_object('a', objects)",
    "ops.scatter_object_list(objects, ['a'])",
]
ERRORS = [
    ("ops.get_backend('other')", ValueError, "the 'group' must be None, or a group that create_group or new_group"),
    ("ops.get_rank(1)", TypeError, "the 'group' must be a str"),
    ("ops.AllReduce('sum', 3)", TypeError, "For 'AllReduce', the 'group' must be a str"),
    ("ops.AllReduce()('a')", TypeError, "For 'AllReduce', the 'input_x' must be a Tensor"),
    ("ops.Broadcast(0)(x)", TypeError, "For 'Broadcast', the 'input_x' must be a tuple"),
    ("ops.Broadcast(0)([x])", TypeError, "For 'Broadcast', the 'input_x' must be a tuple"),
    ("ops.Broadcast(0)((3,))", TypeError, "For 'Broadcast', the 'input_x' must be a Tensor"),
    ("ops.new_group([0, 1])", ValueError, "For 'new_group', the 'ranks' must be 0, the only process"),
    ("ops.init_process_group(world_size=2)", ValueError, "the 'world_size' must be 1"),
    ("ops.init_process_group(rank=1)", ValueError, "the 'rank' must be 0"),
    ("ops.get_group_rank('hccl_world_group', 1)", ValueError, "the 'global_rank' must be 0"),
    ("ops.set_comm_ops_inplace(False)", ValueError, "collectives write here"),
    ("ops.all_reduce(1)", TypeError, "For 'all_reduce', the 'tensor' must be a Tensor"),
    ("ops.all_reduce(x, 'half')", TypeError, "For 'all_reduce', the 'op' must be one of"),
    ("ops.reduce(x, 1)", ValueError, "For 'reduce', the 'dst' must be 0"),
    ("ops.broadcast(x, 1)", ValueError, "For 'broadcast', the 'src' must be 0"),
    ("ops.all_gather([y, y], x)", TypeError, "For 'all_gather', the 'tensor_list' must be a list of one Tensor"),
    ("ops.all_gather([y[:1]], x)", TypeError, "the 'tensor_list' must be like 'tensor'"),
    ("ops.all_to_all_single(y, x, [1])", ValueError, "the 'output_split_sizes' must be [2]"),
    ("ops.all_to_all_v_c(y, x, [1])", ValueError, "the 'send_count_matrix' must be [2]"),
    ("ops.all_gather_object([], 1)", TypeError, "of one item"),
    ("ops.broadcast_object_list('a')", TypeError, "the 'object_list' must be a list"),
]
TRIED = [row[0] for row in VALUES + ERRORS] + WRITTEN + PUT


@pytest.fixture
def names():
    yield {"ops": ops, "x": Tensor([1.0, 2.0]), "y": ops.zeros(2)}
    ops.destroy_process_group()
    ops.init_process_group()
    ops.destroy_process_group()


@pytest.mark.parametrize("expression, value", VALUES, ids=[row[0] for row in VALUES])
def test_value(expression, value, names):
    assert eval(expression, names) == value


@pytest.mark.parametrize("call", WRITTEN)
def test_writes_what_the_process_sent(call, names):
    assert eval(call, names) is None
    assert names["y"].tolist() == [1.0, 2.0]


@pytest.mark.parametrize("call", PUT)
def test_puts_what_the_process_sent(call, names):
    names["objects"] = [None]
    assert eval(call, names) is None
    assert names["objects"] == ["a"]


@pytest.mark.parametrize("expression, error, text", ERRORS, ids=[row[0] for row in ERRORS])
def test_refused(expression, error, text, names):
    with pytest.raises(error) as raised:
        eval(expression, names)
    assert text in str(raised.value)


def test_a_new_group_after_one_was_destroyed_has_a_name_of_its_own():
    first, second = ops.new_group([0]), ops.new_group([0])
    ops.destroy_process_group(first)
    assert ops.new_group([0]) not in (first, second)
    ops.destroy_process_group()
