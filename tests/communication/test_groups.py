"""Communication in one process, as MindSpore 2.10 has it without a launcher."""

import types

import pytest

import msgrad as ms
from msgrad import Tensor, communication, ops
from msgrad.communication import GlobalComm, management
from msgrad.ops.collective import parts

SIZES = {"get_rank": 0, "get_group_size": 1, "get_local_rank": 0, "get_local_rank_size": 1}
NEEDS_INIT = [
    ("create_group", ("g", [0])),
    ("destroy_group", ("g",)),
    ("get_process_group_ranks", ()),
    ("get_world_rank_from_group_rank", ("hccl_world_group", 0)),
    ("get_group_rank_from_world_rank", (0, "hccl_world_group")),
    ("get_comm_name", ()),
]


@pytest.fixture
def initialized():
    communication.init()
    yield
    communication.release()


@pytest.mark.parametrize("name", SIZES)
def test_one_process_before_and_after_init(name):
    ask = getattr(communication, name)
    assert ask() == SIZES[name]
    communication.init("nccl")
    assert (ask(), ask("nccl_world_group"), GlobalComm.INITED) == (SIZES[name], SIZES[name], True)
    assert (GlobalComm.BACKEND, GlobalComm.WORLD_COMM_GROUP) == ("nccl", "nccl_world_group")
    communication.release()
    assert (GlobalComm.BACKEND, GlobalComm.INITED, ops.is_initialized()) == ("hccl", False, False)
    with pytest.raises(TypeError, match="the 'group' must be a str"):
        ask(3)


@pytest.mark.parametrize(("name", "args"), NEEDS_INIT)
def test_what_asks_for_init_first(name, args):
    with pytest.raises(RuntimeError, match="call init"):
        getattr(management, name)(*args)


def test_groups(initialized):
    communication.create_group("g", [0])
    assert communication.get_process_group_ranks("g") == [0]
    assert communication.get_world_rank_from_group_rank("g", 0) == 0
    assert communication.get_group_rank_from_world_rank(0, "g") == 0
    assert communication.get_comm_name("g") == "g"
    assert ops.AllReduce(group="g")(Tensor([1.0, 2.0])).tolist() == [1.0, 2.0]
    communication.destroy_group("g")
    with pytest.raises(RuntimeError, match="For 'get_process_group_ranks', the 'group' must be"):
        communication.get_process_group_ranks("g")


WORLD = "hccl_world_group"
TO_WORLD = "For 'get_world_rank_from_group_rank', the 'group_rank_id' "
TO_GROUP = "For 'get_group_rank_from_world_rank', the 'world_rank_id' "


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: communication.init("foo"), ValueError, "the 'backend_name' must be None or one of"),
        (lambda: communication.init(3), TypeError, "the 'backend_name' must be"),
        (lambda: communication.create_group("", [0]), ValueError, "the 'group' must be a name"),
        # The types are those of MindSpore in two processes by msrun.
        (lambda: communication.create_group("g", [0, 1]), RuntimeError, "the 'rank_ids' must be below 1, the number"),
        (lambda: communication.create_group("g", [-1]), TypeError, "the 'rank_ids' must be an int from 0"),
        (lambda: communication.create_group("g", [0.0]), TypeError, "the 'rank_ids' must be an int"),
        (lambda: communication.create_group("g", [0, 0]), ValueError, "the 'rank_ids' must be different ranks"),
        (lambda: communication.create_group("g", []), ValueError, "the 'rank_ids' must be different ranks"),
        (lambda: communication.create_group("g", 0), TypeError, "the 'rank_ids' must be a list"),
        (lambda: communication.destroy_group("hccl_world_group"), ValueError, "the 'group' must be one that"),
        (lambda: communication.destroy_group("g"), KeyError, "For 'destroy_group', the 'group' must be one that"),
        (lambda: communication.get_world_rank_from_group_rank(WORLD, 1), RuntimeError, f"{TO_WORLD}must be below 1"),
        (lambda: communication.get_world_rank_from_group_rank(WORLD, -1), TypeError, f"{TO_WORLD}must be an int from"),
        (lambda: communication.get_world_rank_from_group_rank(WORLD, "a"), TypeError, f"{TO_WORLD}must be an int"),
        (lambda: communication.get_world_rank_from_group_rank("g", 0), RuntimeError, "the 'group' must be one that"),
        (lambda: communication.get_group_rank_from_world_rank(1, WORLD), RuntimeError, f"{TO_GROUP}must be below 1"),
        (lambda: communication.get_group_rank_from_world_rank(0, 3), TypeError, "the 'group' must be a str"),
    ],
)
def test_errors(call, error, text, initialized):
    with pytest.raises(error) as caught:
        call()
    assert text in str(caught.value)


@pytest.mark.parametrize("name", ["RANK_SIZE", "MS_WORKER_NUM", "OMPI_COMM_WORLD_SIZE"])
@pytest.mark.parametrize("begin", [communication.init, ops.init_process_group])
def test_a_launcher_whose_processes_have_not_met_is_refused(name, begin, monkeypatch):
    monkeypatch.setenv(name, "8")
    with pytest.raises(RuntimeError, match=f"{name}=8 says that there are 8 processes"):
        begin()
    assert not GlobalComm.INITED
    monkeypatch.setenv(name, "1")
    begin()
    communication.release()


def test_the_usual_start_of_a_script(initialized):
    ms.set_auto_parallel_context(
        device_num=communication.get_group_size(), parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True
    )
    assert ms.get_auto_parallel_context("device_num") == 1
    ms.reset_auto_parallel_context()


def test_several_processes_need_the_counts_that_they_receive(monkeypatch):
    monkeypatch.setattr(parts, "group_of", lambda group: types.SimpleNamespace(size=2, rank=0))
    with pytest.raises(TypeError, match="For 'AlltoAllV', the 'recv_numel_list' must be given"):
        ops.AlltoAllV()(Tensor([1.0, 2.0]), [1, 1], None)
