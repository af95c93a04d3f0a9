"""Settings; names, defaults and messages are those that MindSpore 2.10.0 gave on a CPU."""

import logging
import re
import subprocess
import sys

import pytest

import msgrad as ms
from msgrad import context
from msgrad._common import device
from msgrad.engine.calls.staging import Policy

DEFAULTS = {
    "mode": 1, "device_target": "CPU", "device_id": 0, "save_graphs": 0, "save_graphs_path": ".",
    "max_call_depth": 1000, "enable_graph_kernel": False, "pynative_synchronize": False, "deterministic": "OFF",
    "jit_level": "", "jit_config": {}, "reserve_class_name_in_scope": True, "print_file_path": "",
    "enable_compile_cache": None, "compile_cache_path": "", "enable_profiling": False,
    "profiling_options": "training_trace", "env_config_path": "", "mempool_block_size": 1.0,
    "max_device_memory": 1024.0, "inter_op_parallel_num": 0, "memory_optimize_level": 0, "ascend_config": {},
    "gpu_config": {}, "jit_syntax_level": 2, "debug_level": 0, "graph_kernel_flags": "",
    "disable_format_transform": False, "support_binary": False, "exec_order": "bfs", "op_timeout": 900,
    "variable_memory_max_size": "0", "check_bprop": False, "enable_reduce_precision": True, "aoe_tune_mode": "",
    "aoe_config": {},
}  # fmt: skip

REFUSED = [
    (dict(foo=1), ValueError, "For 'context.set_context', there is no setting 'foo'"),
    (dict(mode=2), ValueError, "For 'context.set_context', the 'mode' must be one of [0, 1]"),
    (dict(mode="a"), TypeError, "For 'context.set_context', the 'mode' must be an int"),
    (
        dict(device_target="XPU"),
        ValueError,
        "For 'context.set_context', the 'device_target' must be one of ['CPU', 'GPU',",
    ),
    (dict(device_target=1), TypeError, "the 'device_target' must be a str, but got 1 (int)"),
    (dict(device_id=-1), ValueError, "For 'context.set_context', the 'device_id' must be in the range [0, 4095]"),
    (dict(max_call_depth=0), ValueError, "For 'context.set_context', the 'max_call_depth' must be a positive int"),
    (dict(save_graphs=5), ValueError, "For 'context.set_context', the 'save_graphs' must be one of [0, 1, 2, 3]"),
    (dict(save_graphs="a"), TypeError, "For 'context.set_context', the 'save_graphs' must be a bool or an int"),
    (
        dict(deterministic="x"),
        ValueError,
        "For 'context.set_context', the 'deterministic' must be one of ['ON', 'OFF']",
    ),
    (
        dict(jit_syntax_level=5),
        ValueError,
        "For 'context.set_context', the 'jit_syntax_level' must be one of [0, 1, 2]",
    ),
    (
        dict(jit_config={"jit_level": "O7"}),
        ValueError,
        "For 'context.set_context', the 'jit_config['jit_level']' must be one of ['O0', 'O1',",
    ),
    (dict(jit_config=3), TypeError, "For 'context.set_context', the 'jit_config' must be a dict"),
    (
        dict(runtime_num_threads=-2),
        ValueError,
        "For 'context.set_context', the 'runtime_num_threads' must be a non-negative int",
    ),
    (
        dict(memory_optimize_level="O2"),
        ValueError,
        "For 'context.set_context', the 'memory_optimize_level' must be one of ['O0', 'O1']",
    ),
    (dict(debug_level=3), ValueError, "For 'context.set_context', the 'debug_level' must be one of [0, 1]"),
    (
        dict(grad_for_scalar=True),
        ValueError,
        "For 'context.set_context', MindSpore 2.10 has no parameter 'grad_for_scalar'",
    ),
]


@pytest.fixture(autouse=True)
def keep_the_settings(monkeypatch):
    monkeypatch.setattr(context, "_values", dict(context._values))
    monkeypatch.setattr(Policy, "staged", Policy.staged)
    monkeypatch.setattr(device._Chosen, "info", device._Chosen.info)
    monkeypatch.setattr(device, "_warned", set())


@pytest.fixture
def warnings_logged():
    """The texts that msgrad's logger gives, as they come."""
    texts = []
    handler = logging.Handler()
    handler.emit = lambda record: texts.append(record.getMessage())
    logger = logging.getLogger("msgrad")
    logger.addHandler(handler)
    yield texts
    logger.removeHandler(handler)


@pytest.mark.parametrize("name", DEFAULTS)
def test_defaults(name):
    if name in ("device_target", "device_id"):
        device._Chosen.info = None
        pytest.skip("the machine has an accelerator") if device._best_target() != "CPU" else None
    assert ms.get_context(name) == DEFAULTS[name]


@pytest.mark.parametrize("settings, kind, message", REFUSED, ids=lambda part: "-".join(part) if part is dict else None)
def test_refused_values_change_nothing(settings, kind, message):
    before = dict(context._values)
    with pytest.raises(kind, match=re.escape(message)):
        ms.set_context(save_graphs_path="/elsewhere", **settings)
    assert context._values == before


def test_an_unknown_name_is_refused_by_get_context():
    with pytest.raises(
        ValueError,
        match="For 'context.get_context', there is no setting 'foo'",
    ):
        ms.get_context("foo")


def test_the_mode_is_what_the_engine_stages_by():
    ms.set_context(mode=ms.GRAPH_MODE)
    assert Policy.staged and ms.get_context("mode") == 0
    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert not Policy.staged and ms.get_context("mode") == 1


@pytest.mark.parametrize(
    "settings, name, kept",
    [
        (dict(save_graphs=True), "save_graphs", 2),
        (dict(save_graphs=False), "save_graphs", 0),
        (dict(memory_optimize_level="O1"), "memory_optimize_level", 1),
        (dict(max_device_memory="3.5GB"), "max_device_memory", 3.5),
        (dict(jit_config={"jit_level": "O1"}), "jit_level", "O1"),
        (dict(max_call_depth=7), "max_call_depth", 7),
    ],
)
def test_values_are_kept_as_mindspore_keeps_them(settings, name, kept):
    ms.set_context(**settings)
    assert ms.get_context(name) == kept


def test_names_of_former_versions_warn_and_do_nothing(warnings_logged):
    ms.set_context(enable_task_sink=True)
    assert len(warnings_logged) == 1 and "'enable_task_sink' has no effect" in warnings_logged[0]


@pytest.mark.parametrize("target", ["GPU", "Ascend"])
def test_a_device_that_is_not_there_is_answered_with_one_warning(target, warnings_logged):
    if device._best_target() != "CPU":
        pytest.skip("the machine has an accelerator")
    ms.set_context(device_target=target)
    ms.set_context(device_target=target)
    assert len(warnings_logged) == 1
    assert warnings_logged[0].startswith(f"The device target '{target}' is not available here, so 'CPU' is used.")
    assert ms.get_context("device_target") == "CPU" and ms.get_current_device() == ("CPU", 0)


def test_a_device_number_that_is_not_there_is_answered_with_one_warning(warnings_logged):
    ms.set_device("CPU", 4000)
    ms.set_device("CPU", 4000)
    assert warnings_logged == ["There is no device 4000 of the kind 'CPU' here, so device 0 is used."]
    assert repr(ms.get_current_device()) == "('CPU', 0)" and ms.get_current_device().device_id == 0


@pytest.mark.parametrize(
    "arguments, kind, message",
    [
        (("XPU",), ValueError, "For 'set_device', the 'device_target' must be one of ['CPU', 'GPU', 'Ascend']"),
        ((1,), TypeError, "the 'device_target' must be a str, but got 1 (int)"),
        (("CPU", -1), ValueError, "For 'set_device', the 'device_id' must be a device number, 0 or above"),
        (("CPU", "a"), TypeError, "For 'set_device', the 'device_id' must be an int"),
    ],
)
def test_set_device_refuses(arguments, kind, message):
    with pytest.raises(kind, match=re.escape(message)):
        ms.set_device(*arguments)


def test_deterministic_sets_the_flag_of_xla_once(monkeypatch):
    monkeypatch.setenv("XLA_FLAGS", "--other=1")
    ms.set_deterministic(True)
    ms.set_context(deterministic="ON")
    assert context.device.os.environ["XLA_FLAGS"] == "--other=1 --xla_gpu_deterministic_ops=true"
    ms.set_deterministic(False)
    assert context.device.os.environ["XLA_FLAGS"] == "--other=1"
    with pytest.raises(TypeError, match="For 'set_deterministic', the 'deterministic' must be a bool"):
        ms.set_deterministic(1)


@pytest.mark.parametrize(
    "limit, kind, message",
    [
        (0, ValueError, "For 'set_recursion_limit', the 'recursion_limit' must be a positive int"),
        (True, TypeError, "For 'set_recursion_limit', the 'recursion_limit' must be an int"),
        ("a", TypeError, "For 'set_recursion_limit', the 'recursion_limit' must be an int"),
    ],
)
def test_recursion_limit(limit, kind, message):
    with pytest.raises(kind, match=re.escape(message)):
        ms.set_recursion_limit(limit)
    ms.set_recursion_limit(5)
    assert ms.get_context("max_call_depth") == 5


def test_importing_and_setting_the_mode_start_no_backend():
    code = (
        "import msgrad; from jax._src import xla_bridge; msgrad.set_context(mode=0); msgrad.set_seed(1); "
        "assert not xla_bridge.backends_are_initialized()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


class TestAutoParallel:
    @pytest.fixture(autouse=True)
    def reset(self):
        yield
        ms.reset_auto_parallel_context()

    def test_single_device_values_are_kept_until_reset(self):
        ms.set_auto_parallel_context(parallel_mode="data_parallel", device_num=1, global_rank=0, gradients_mean=True)
        assert ms.get_auto_parallel_context("parallel_mode") == ms.ParallelMode.DATA_PARALLEL
        assert ms.get_auto_parallel_context("gradients_mean") is True
        ms.reset_auto_parallel_context()
        assert ms.get_auto_parallel_context("parallel_mode") == "stand_alone"
        assert ms.get_auto_parallel_context("gradients_mean") is False

    @pytest.mark.parametrize("settings", [dict(device_num=8), dict(global_rank=3), dict(pipeline_stages=2)], ids=str)
    def test_several_devices_are_refused(self, settings):
        with pytest.raises(NotImplementedError, match="needs several devices"):
            ms.set_auto_parallel_context(gradients_mean=True, **settings)
        assert ms.get_auto_parallel_context("gradients_mean") is False

    @pytest.mark.parametrize(
        "settings, kind, message",
        [
            (dict(foo=1), ValueError, "For 'set_auto_parallel_context', there is no setting 'foo'"),
            (dict(device_num=0), ValueError, "For 'set_auto_parallel_context', the 'device_num' must be at least 1"),
            (dict(all_reduce_fusion_config=[]), ValueError, "must be ascending, of one int or more"),
            (dict(all_reduce_fusion_config=[1, 1]), ValueError, "must be ascending, of one int or more"),
            (dict(all_reduce_fusion_config=[3, 1]), ValueError, "must be ascending, of one int or more"),
            (dict(all_reduce_fusion_config=[-1, 2]), TypeError, "must be a list of ints from 0"),
            (dict(all_reduce_fusion_config=[True]), TypeError, "must be a list of ints from 0"),
            (dict(device_num="a"), TypeError, "For 'set_auto_parallel_context', the 'device_num' must be an int"),
            (
                dict(parallel_mode="x"),
                ValueError,
                "For 'set_auto_parallel_context', the 'parallel_mode' must be one of ['stand_alone',",
            ),
            (dict(search_mode="zz"), ValueError, "For 'set_auto_parallel_context', the 'search_mode' must be one of"),
            (dict(global_rank=-1), ValueError, "the 'global_rank' must be a number from 0 to 4095"),
            (dict(grad_accumulation_step=0), ValueError, "the 'grad_accumulation_step' must be a positive int"),
            (dict(strategy_ckpt_config={"file": "a"}), ValueError, "must be a dict with keys out of ['load_file',"),
            (dict(strategy_ckpt_config={"save_file": 1}), TypeError, "the 'save_file' must be a str"),
            (dict(parallel_optimizer_config={"size": 1}), ValueError, "must be a dict with keys out of"),
            (
                dict(parallel_optimizer_config={"parallel_optimizer_threshold": -1}),
                ValueError,
                "the 'parallel_optimizer_threshold' must be a non-negative int",
            ),
            (
                dict(parallel_optimizer_config={"gradient_accumulation_shard": 1}),
                TypeError,
                "the 'gradient_accumulation_shard' must be a bool",
            ),
            (
                dict(parallel_optimizer_config={"optimizer_weight_shard_size": 0}),
                ValueError,
                "the 'optimizer_weight_shard_size' must be a positive int",
            ),
            (
                dict(parallel_optimizer_config={"optimizer_level": "level4"}),
                ValueError,
                "the 'optimizer_level' must be one of",
            ),
            (dict(pipeline_config={"a": 1}), ValueError, "must be a dict with keys out of ['pipeline_interleave',"),
            (
                dict(pipeline_config={"pipeline_interleave": False, "pipeline_scheduler": "gpipe"}),
                TypeError,
                "the 'pipeline_scheduler' must be '1f1b' without pipeline_interleave",
            ),
            (dict(comm_fusion={"x": 1}), KeyError, "the 'comm_fusion' must be a dict with keys out of"),
        ],
    )
    def test_refused(self, settings, kind, message):
        with pytest.raises(kind, match=re.escape(message)):
            ms.set_auto_parallel_context(**settings)

    @pytest.mark.parametrize(
        "calls, is_full, strategy",
        [
            ([{}], False, "data_parallel"),
            ([{"full_batch": True}], True, "full_batch"),
            ([{"dataset_strategy": "full_batch"}], True, "full_batch"),
            ([{"full_batch": True}, {"dataset_strategy": "data_parallel"}], False, "data_parallel"),
            ([{"dataset_strategy": "full_batch"}, {"full_batch": False}], False, "data_parallel"),
            ([{"full_batch": True, "dataset_strategy": "data_parallel"}], False, "data_parallel"),
            ([{"dataset_strategy": "data_parallel", "full_batch": True}], True, "full_batch"),
            ([{"full_batch": True}, {"dataset_strategy": ((4, 1),)}], True, ((4, 1),)),
            ([{"dataset_strategy": ((4, 1),)}, {"full_batch": True}], True, ((4, 1),)),
            ([{"dataset_strategy": ((4, 1),)}, {"dataset_strategy": "data_parallel"}], False, "data_parallel"),
        ],
    )
    def test_the_last_setting_of_arguments_counts(self, calls, is_full, strategy):
        for settings in calls:
            ms.set_auto_parallel_context(**settings)
        assert ms.get_auto_parallel_context("full_batch") is is_full
        assert ms.get_auto_parallel_context("dataset_strategy") == strategy

    def test_an_unknown_name_is_refused_by_get(self):
        with pytest.raises(
            ValueError,
            match="For 'get_auto_parallel_context', there is no setting 'foo'",
        ):
            ms.get_auto_parallel_context("foo")

    def test_parameter_servers(self):
        ms.set_ps_context(enable_ps=False)
        with pytest.raises(NotImplementedError, match="no parameter servers"):
            ms.set_ps_context(enable_ps=True)
        assert ms.get_ps_context("enable_ps") is False
        with pytest.raises(ValueError, match="For 'get_ps_context', there is no setting 'foo'"):
            ms.get_ps_context("foo")
