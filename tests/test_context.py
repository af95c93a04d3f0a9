"""Settings; names, defaults and messages are those that MindSpore 2.10.0 gave on a CPU."""

import logging
import re
import subprocess
import sys

import jax
import pytest

import msgrad as ms
from msgrad import context, device
from msgrad.engine.staging import Policy

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
    (dict(foo=1), ValueError, "For 'context.set_context', the keyword argument foo is not recognized!"),
    (dict(mode=2), ValueError, "For 'context.set_context', the argument 'mode' should be context.GRAPH_MODE (0) or "
                               "context.PYNATIVE_MODE (1), but got 2."),
    (dict(mode="a"), TypeError, "The parameter 'mode' must be <class 'int'>, but got <class 'str'>"),
    (dict(device_target="XPU"), ValueError, "For 'context.set_context', the argument 'device_target' must be one of "
                                            "['CPU', 'GPU', 'Ascend', 'Davinci'], but got XPU."),
    (dict(device_target=1), TypeError, "The parameter 'device_target' must be <class 'str'>, but got <class 'int'>"),
    (dict(device_id=-1), ValueError, "For 'context.set_context', the argument 'device_id' must be in range [0, 4095], "
                                     "but got -1."),
    (dict(max_call_depth=0), ValueError, "For 'context.set_context', the argument 'max_call_depth' must be greater "
                                         "than 0, but got 0."),
    (dict(save_graphs=5), ValueError, "value for save_graphs should be 0-3 but got '5'"),
    (dict(save_graphs="a"), TypeError, "The parameter 'save_graphs' must be (<class 'bool'>, <class 'int'>), but got "
                                       "<class 'str'>"),
    (dict(deterministic="x"), ValueError, "For 'context.set_context', the argument 'deterministic' must be one of "
                                          "['ON', 'OFF'], but got x."),
    (dict(jit_syntax_level=5), ValueError, "For 'jit_syntax_level', the value should be context.STRICT or "
                                           "context.LAX, but got 5."),
    (dict(jit_config={"jit_level": "O7"}), ValueError, "For 'jit_config', the value of argument jit_level must be one "
                                                       "of ['O0', 'O1', 'O2'], but got O7."),
    (dict(jit_config=3), TypeError, "The parameter 'jit_config' must be <class 'dict'>, but got <class 'int'>"),
    (dict(runtime_num_threads=-2), ValueError, "The num of thread must bigger than or equal to 0."),
    (dict(memory_optimize_level="O2"), ValueError, "For 'context.set_context', the argument 'memory_optimize_level' "
                                                   "must be one of ['O0', 'O1'], but got O2."),
    (dict(debug_level=3), ValueError, "For 'debug_level', the value should be context.DEBUG or context.RELEASE, but "
                                      "got 3."),
    (dict(grad_for_scalar=True), ValueError, "For 'context.set_context', the parameter 'grad_for_scalar' has been "
                                             "removed since MindSpore 2.10 version."),
]  # fmt: skip


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


@pytest.mark.parametrize("given, kind, message", REFUSED, ids=lambda value: "-".join(value) if value is dict else None)
def test_refused_values_change_nothing(given, kind, message):
    before = dict(context._values)
    with pytest.raises(kind, match=re.escape(message)):
        ms.set_context(save_graphs_path="/elsewhere", **given)
    assert context._values == before


def test_an_unknown_name_is_refused_by_get_context():
    with pytest.raises(ValueError, match="For 'context.get_context', the argument foo is not recognized!"):
        ms.get_context("foo")


def test_the_mode_is_what_the_engine_stages_by():
    ms.set_context(mode=ms.GRAPH_MODE)
    assert Policy.staged and ms.get_context("mode") == 0
    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert not Policy.staged and ms.get_context("mode") == 1


@pytest.mark.parametrize(
    "given, name, kept",
    [
        (dict(save_graphs=True), "save_graphs", 2),
        (dict(save_graphs=False), "save_graphs", 0),
        (dict(memory_optimize_level="O1"), "memory_optimize_level", 1),
        (dict(max_device_memory="3.5GB"), "max_device_memory", 3.5),
        (dict(jit_config={"jit_level": "O1"}), "jit_level", "O1"),
        (dict(max_call_depth=7), "max_call_depth", 7),
    ],
)
def test_values_are_kept_as_mindspore_keeps_them(given, name, kept):
    ms.set_context(**given)
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
        (("XPU",), ValueError, "The argument 'device_target' must be one of ['CPU', 'GPU', 'Ascend'], but got XPU."),
        ((1,), TypeError, "The parameter 'device_target' must be <class 'str'>, but got <class 'int'>"),
        (("CPU", -1), ValueError, "The device id must bigger than or equal to 0."),
        (("CPU", "a"), TypeError, "The parameter 'device_id' must be <class 'int'>, but got <class 'str'>"),
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
    with pytest.raises(TypeError, match="The parameter 'deterministic' must be <class 'bool'>, but got <class 'int'>"):
        ms.set_deterministic(1)


@pytest.mark.parametrize(
    "limit, kind, message",
    [
        (0, ValueError, "The input value must be int and must > 0, but got '0' with type 'int'."),
        (True, TypeError, "The input value must be int and must > 0, but got 'True' with type 'bool'."),
        ("a", TypeError, "The input value must be int, but got 'str'"),
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

    @pytest.mark.parametrize("given", [dict(device_num=8), dict(global_rank=3), dict(pipeline_stages=2)], ids=str)
    def test_several_devices_are_refused(self, given):
        with pytest.raises(NotImplementedError, match="needs several devices"):
            ms.set_auto_parallel_context(gradients_mean=True, **given)
        assert ms.get_auto_parallel_context("gradients_mean") is False

    @pytest.mark.parametrize(
        "given, kind, message",
        [
            (dict(foo=1), ValueError, "Set context keyword foo is not recognized!"),
            (dict(device_num=0), ValueError, "The context configuration parameter 'device_num' must be a positive "
                                             "integer, but got the value of device_num : 0."),
            (dict(device_num="a"), TypeError, "The parameter 'device_num' must be <class 'int'>, but got "
                                              "<class 'str'>"),
            (dict(parallel_mode="x"), ValueError, "The context configuration parameter 'parallel_mode' only support "),
            (dict(search_mode="zz"), ValueError, "The context configuration parameter 'auto_parallel_search_mode' only "
                                                 "support "),
        ],
    )  # fmt: skip
    def test_refused(self, given, kind, message):
        with pytest.raises(kind, match=re.escape(message)):
            ms.set_auto_parallel_context(**given)

    def test_an_unknown_name_is_refused_by_get(self):
        with pytest.raises(ValueError, match="Get context keyword foo is not recognized!"):
            ms.get_auto_parallel_context("foo")

    def test_parameter_servers(self):
        ms.set_ps_context(enable_ps=False)
        with pytest.raises(NotImplementedError, match="no parameter servers"):
            ms.set_ps_context(enable_ps=True)
        assert ms.get_ps_context("enable_ps") is False
        with pytest.raises(ValueError, match="Get PS context keyword foo is not recognized!"):
            ms.get_ps_context("foo")


def test_float32_products_are_not_rounded():
    assert jax.config.jax_default_matmul_precision == "highest"
