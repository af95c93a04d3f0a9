"""Streams, memory, hints for devices, and what one device answers about several. Values are MindSpore 2.10's."""

import pytest

import msgrad as ms
from msgrad import Layout, Tensor, hal, nn, ops, runtime
from msgrad.device_context import ascend, cpu, gpu
from msgrad.parallel.auto_parallel import AutoParallel


def test_streams_change_nothing():
    stream = runtime.Stream()
    with runtime.StreamCtx(stream) as block:
        y = Tensor([1.0]) + 1
    assert block.stream is stream and y.tolist() == [2] and stream == runtime.current_stream()
    assert repr(stream) == "Stream(device_name=CPU, device_id:0, stream id:0)"
    assert stream.wait_event(stream.record_event()) is stream.wait_stream(runtime.default_stream()) is None
    assert stream.query() and runtime.set_cur_stream(stream) is None


def test_events_time_work():
    start, end = runtime.Event(enable_timing=True), runtime.Event(enable_timing=True)
    start.record()
    ops.exp(Tensor([1.0]))
    end.record()
    assert 0 < start.elapsed_time(end) < 1e6 and end.query()
    with pytest.raises(RuntimeError, match="both events must have been recorded, with timing"):
        start.elapsed_time(runtime.Event())


REFUSED = [
    (lambda: runtime.StreamCtx(3), TypeError, "For 'StreamCtx', the 'ctx_stream' must be a Stream"),
    (lambda: runtime.set_cur_stream(3), TypeError, "For 'set_cur_stream', the 'stream' must be a Stream"),
    (lambda: runtime.Stream("a"), TypeError, "For 'Stream', the 'priority' must be an int"),
    (lambda: runtime.MemPool(None), NotImplementedError, "'runtime.MemPool' is left out"),
    (lambda: hal.device_count("XPU"), ValueError, "the 'device_target' must be one of"),
    (lambda: hal.get_device_name(99), ValueError, "the 'device_id' must be less than"),
    (lambda: cpu.threads_num(0), ValueError, "the 'num' must be a positive int"),
    (ascend.device_count, RuntimeError, "there is no device of the kind Ascend"),
    (lambda: Layout(3, ("a",)), TypeError, "For 'Layout', the 'device_matrix' must be a tuple"),
    (lambda: Layout((1, 2), ("a",)), ValueError, "the 'alias_name' must be 2 different names"),
    (lambda: Layout((1,), ("a",))("b"), ValueError, r"the 'alias_names' must be among \('a',\)"),
    (lambda: Layout((1,), ("a",)).to_dict(), ValueError, "say first how the axes are shared"),
    (lambda: ms.shard(3, ()), TypeError, "For 'shard', the 'fn' must be a function"),
    (lambda: AutoParallel(3), TypeError, "For 'AutoParallel', the 'network' must be a Cell"),
    (lambda: AutoParallel(nn.ReLU(), "x"), ValueError, "the 'parallel_mode' must be one of"),
    (lambda: AutoParallel(nn.ReLU()).pipeline(2), NotImplementedError, "the 'stages' must be 1"),
    (lambda: AutoParallel(nn.ReLU()).load_param_strategy_file("a"), NotImplementedError, "leave it out"),
]


@pytest.mark.parametrize("call, error, text", REFUSED)
def test_refused(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_devices_and_memory():
    assert (hal.device_count("CPU"), hal.get_device_name(0, "CPU"), hal.get_device_properties(0, "CPU")) == (
        1,
        "CPU",
        None,
    )
    assert cpu.device_count() == 1 and cpu.is_available() and not gpu.is_available()
    assert hal.get_device_capability(0, "CPU") is hal.get_arch_list("CPU") is None
    assert "| Reserved memory      |" in runtime.memory_summary()
    assert ascend.precision_mode("force_fp16") is runtime.reset_peak_memory_stats() is None


def test_layouts():
    layout = Layout((2, 2), ("dp", "mp"))
    assert layout("dp", "None").to_dict() == {
        "device_matrix": (2, 2), "tensor_map": (1, -1), "interleaved_parallel": False, "alias_name": ("dp", "mp"),
        "rank_list": [0, 1, 2, 3],
    }  # fmt: skip
    assert layout(("dp", "mp"), "None").to_dict()["tensor_map"] == ((1, 0), -1)


def test_a_network_of_one_device(mode):
    network = nn.Dense(2, 3)
    around = AutoParallel(network)
    assert [each.name for each in around.get_parameters()] == ["weight", "bias"]
    x = Tensor([[1.0, 2.0]])
    assert around(x).tolist() == network(x).tolist() and around.get_pipeline_stages() == 1
    for hint in (around.hsdp, around.enable_gradients_mean, lambda: around.dataset_strategy("full_batch")):
        assert hint() is None


def test_processes_are_pythons_own():
    import multiprocessing

    assert ms.multiprocessing.Process is multiprocessing.Process and ms.multiprocessing.get_context
