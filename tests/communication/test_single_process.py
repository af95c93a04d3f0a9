"""Names for several devices or processes, used by one: streams, devices, layouts, collectives, DLPack."""

import multiprocessing

import numpy as np
import pytest

import msgrad as ms
import msgrad.alias
from msgrad import Tensor, hal, nn, ops, parallel, runtime
from msgrad.communication import comm_func
from msgrad.parallel.auto_parallel import AutoParallel

msgrad.alias.install()


def test_streams_and_events():
    stream, start, end = runtime.Stream(), runtime.Event(enable_timing=True), runtime.Event(enable_timing=True)
    with runtime.StreamCtx(stream):
        assert runtime.current_stream() is stream
        start.record(stream)
        total = ops.ones((64, 64)) @ ops.ones((64, 64))
        end.record()
    assert runtime.current_stream() == runtime.default_stream() == runtime.communication_stream()
    stream.wait_event(end)
    stream.wait_stream(runtime.Stream())
    stream.synchronize()
    assert stream.query() and end.query() and start.elapsed_time(end) > 0 and total[0, 0].item() == 64
    assert isinstance(stream.record_event(), hal.Event) and hash(stream) == hash(runtime.Stream())
    assert repr(stream) == "Stream(device_name=CPU, device_id:0, stream id:0)"


def test_limits_on_cores_are_hints():
    stream = runtime.Stream()
    runtime.set_device_limit(0, 2, 3)
    runtime.set_stream_limit(stream, 2)
    runtime.reset_stream_limit(stream)
    with runtime.StreamLimitCtx(stream, 1, 2):
        none = {"cube_core_num": 0, "vector_core_num": 0}
        assert runtime.get_device_limit(0) == runtime.get_stream_limit(stream) == none


def test_devices():
    assert hal.is_available("CPU") and hal.is_initialized("CPU") and hal.device_count() == hal.device_count("CPU") >= 1
    for target in ("cpu", "Other", 3):
        with pytest.raises(ValueError, match="For 'is_available', the 'device_target' must be one of"):
            hal.is_available(target)
    assert hal.get_device_name(0) == "CPU"
    assert hal.get_device_properties(0) is hal.get_device_capability(0) is hal.get_arch_list() is None
    assert hal.memory_stats() == {} and hal.memory_allocated() == hal.max_memory_reserved() == 0
    assert "total allocated memory" in hal.memory_summary() == runtime.memory_summary()
    hal.reset_peak_memory_stats()
    runtime.set_kernel_launch_group(2, 4)
    runtime.set_kernel_launch_capture(True)


def test_layouts():
    layout = ms.Layout((2, 2, 2), ("a", "b", "interleaved_parallel"))
    assert layout(("a", "interleaved_parallel"), "None", "b").to_dict() == {
        "device_matrix": (2, 2, 2),
        "tensor_map": ((2, 0), -1, 1),
        "interleaved_parallel": True,
        "alias_name": ("a", "b", "interleaved_parallel"),
        "rank_list": [0, 1, 2, 3, 4, 5, 6, 7],
    }


def test_networks_of_several_devices():
    net = nn.Dense(2, 2)
    shared = AutoParallel(net, "sharding_propagation")
    shared.hsdp(2, optimizer_level="level2")
    shared.dataset_strategy("full_batch")
    assert shared.get_pipeline_stages() == 1
    x = ops.ones((1, 2))
    assert (shared(x) == net(x)).all() and (ms.shard(net, ((1, 1),))(x) == net(x)).all()
    parallel.parameter_broadcast(net, {})
    parallel.sync_pipeline_shared_parameters(net)
    parts = [ms.Parameter(Tensor([[float(i)]]), "w") for i in range(2)]
    assert parallel.merge_sliced_parameter(parts).asnumpy().tolist() == [[0.0], [1.0]]
    for wrong in (
        [],
        [parts[0], ms.Parameter(Tensor([[1.0]]), "v")],
        [parts[0], ms.Parameter(Tensor([[1.0, 2.0]]), "w")],
    ):
        with pytest.raises(ValueError, match="For 'merge_sliced_parameter'"):
            ms.train.merge_sliced_parameter(wrong)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: comm_func.all_reduce(x, "max"),
        lambda x: comm_func.all_gather_into_tensor(x),
        lambda x: comm_func.reduce_scatter_tensor(x),
        lambda x: comm_func.all_to_all_single_with_output_shape((2,), x, [2], [2]),
    ],
)
def test_collectives_with_handles(call, mode):
    x = Tensor([1.0, 2.0])
    actual, handle = call(x)
    assert actual.tolist() == [1.0, 2.0] and actual is not x and handle is None
    comm_func.all_reduce(x, async_op=True)[1].wait()


def test_collectives():
    x = Tensor([1.0, 2.0])
    ones = [
        comm_func.reduce(x, 0),
        comm_func.broadcast(x),
        comm_func.gather_into_tensor(x),
        comm_func.scatter_tensor(x),
    ]
    assert all(one.tolist() == [1.0, 2.0] for one in ones)
    (several, _) = comm_func.all_to_all_with_output_shape(((2,),), (x,))
    assert several[0].tolist() == [1.0, 2.0]
    comm_func.barrier()


def test_dlpack():
    from mindspore import utils

    x = Tensor([1.0, 2.0])
    capsule = utils.to_dlpack(x)
    assert utils.from_dlpack(capsule).tolist() == [1.0, 2.0]
    with pytest.raises(RuntimeError, match="consumed once"):
        utils.from_dlpack(capsule)
    assert utils.from_dlpack(np.array([3.0])).tolist() == [3.0]
    with pytest.raises(TypeError, match="'tensor' must be"):
        utils.to_dlpack(3)


ERRORS = [
    (lambda: runtime.Event(1), TypeError, "'enable_timing' must be"),
    (lambda: runtime.Event().elapsed_time(runtime.Event()), RuntimeError, "enable_timing=True"),
    (lambda: runtime.set_cur_stream(3), TypeError, "'stream' must be"),
    (lambda: runtime.Stream() == 3, TypeError, "'other' must be"),
    (lambda: runtime.Stream(priority="high"), TypeError, "'priority' must be"),
    (lambda: runtime.set_device_limit(0, "1"), TypeError, "'cube_num' must be"),
    (lambda: runtime.StreamLimitCtx(3), TypeError, "the 'stream' must be"),
    (lambda: hal.device_count("Other"), ValueError, "'device_target' must be"),
    (lambda: hal.get_device_name(99), ValueError, "'device_id' must be"),
    (lambda: hal.get_device_name("0"), TypeError, "'device_id' must be"),
    (lambda: runtime.set_kernel_launch_group(0), ValueError, "'thread_num' must be"),
    (lambda: ms.Layout([2], ("a",)), TypeError, "'device_matrix' must be"),
    (lambda: ms.Layout((2,), ("a", "b")), ValueError, "a name for each"),
    (lambda: ms.Layout((2, 2), ("a", "a")), ValueError, "of different names"),
    (lambda: ms.Layout((2,), ("None",)), ValueError, "'alias_name' must be"),
    (lambda: ms.Layout((2, 2), ("interleaved_parallel", "a")), ValueError, "at its end"),
    (lambda: ms.Layout((2,), ("a",), [0]), ValueError, "of 2 devices"),
    (lambda: ms.Layout((2,), ("a",))("b"), ValueError, "'tensor_map' must be"),
    (lambda: ms.Layout((2,), ("a",))("a", "a"), ValueError, "each once"),
    (lambda: ms.Layout((2,), ("a",)).to_dict(), ValueError, "called with the names"),
    (lambda: ms.shard(abs, 3), TypeError, "'in_strategy' must be"),
    (lambda: AutoParallel(nn.Dense(2, 2), "other"), ValueError, "'parallel_mode' must be"),
    (lambda: AutoParallel(3), TypeError, "'network' must be"),
    (lambda: comm_func.all_reduce(3), TypeError, "'tensor' must be"),
    (lambda: comm_func.all_reduce(Tensor([1.0]), "mean"), TypeError, "'op' must be"),
    (lambda: comm_func.broadcast(Tensor([1.0]), 1), ValueError, "the only process"),
    (lambda: comm_func.all_to_all_single_with_output_shape((3,), Tensor([1.0])), ValueError, "'output_shape' must"),
    (lambda: comm_func.send(Tensor([1.0])), NotImplementedError, "another process"),
]


@pytest.mark.parametrize("act, error, message", ERRORS, ids=[message for _, _, message in ERRORS])
def test_errors(act, error, message):
    with pytest.raises(error, match=message):
        act()


def test_parts_that_are_pythons_own_or_left_out():
    from mindspore import boost, profiler, rewrite, safeguard
    from mindspore import multiprocessing as ours

    assert ours.Queue.__func__ is multiprocessing.Queue.__func__ and ours.__all__ == multiprocessing.__all__
    for module in (boost, profiler, rewrite, safeguard):
        assert all(hasattr(module, name) for name in module.__all__)
    with pytest.raises(NotImplementedError, match="'rewrite.PatternEngine' is left out"):
        rewrite.PatternEngine([nn.Dense])


def test_paths_of_mindspores_own_files():
    from mindspore.parallel.nn import Pipeline
    from mindspore.parallel.shard import Layout
    from mindspore.train._utils import _make_directory  # noqa: F401
    from mindspore.train.callback._callback import _handle_loss, set_cur_net  # noqa: F401
    from mindspore.train.summary.summary_record import SummaryRecord  # noqa: F401
    from mindspore.train.train_thor import ConvertModelUtils  # noqa: F401

    assert Layout is ms.Layout and Pipeline is nn.PipelineCell
