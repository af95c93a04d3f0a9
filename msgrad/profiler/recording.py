"""Profilers: recordings of `jax.profiler`, and their slowest operations."""

import collections
import glob
import gzip
import json
import os
import sys

import jax

from .. import log
from ..engine.execution.tiers import forbid
from ..engine.refusal import refuse, require
from .schedules import ProfilerAction

_RECORDED = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)
_MOST_SHOWN = 20
_OWN = ("$", "end: ", "Pjit", "CommonPj", "Thread", "Thunk")  # events of Python, and XLA's events around its operations
_MSG_RUNNING = "A profiler is recording already: stop it first."

_running = None  # the profiler that is recording


class profile:  # noqa: N801  MindSpore's name
    """A profiler: records the host and the device from its construction until `stop`, for TensorBoard and Perfetto.

    While it records, everything is compiled: JAX, which records it, does not see what NumPy computes.

    Args:
        activities, with_stack, profile_memory, data_process, parallel_strategy, hbm_ddr, pcie, sync_enable,
            record_shapes, experimental_config: what MindSpore records on Ascend: hints without effect; `jax.profiler`
            records all that it can.
        start_profile (bool): whether to begin at once. Default: ``True``.
        schedule (callable): which steps to record, see `schedule`; `step` ends a step. Default: ``None``, all.
        on_trace_ready (callable): called with the profiler when a recording is saved. Default: ``None``.
    Raises:
        TypeError: for other values.  RuntimeError: if another profiler is recording.
    Example:
        >>> profiler = mindspore.profiler.profile(start_profile=False)
        >>> profiler.step()
    Source: mindspore.profiler.profile
    """

    def __init__(
        self,
        activities=None,
        with_stack=False,
        profile_memory=False,
        data_process=False,
        parallel_strategy=False,
        start_profile=True,
        hbm_ddr=False,
        pcie=False,
        sync_enable=True,
        record_shapes=False,
        schedule=None,
        on_trace_ready=None,
        experimental_config=None,
    ):
        require(start_profile, bool, "profile", "start_profile")
        self._begin("./data", schedule, on_trace_ready, start_profile)

    def _begin(self, folder, schedule, on_trace_ready, starts):
        for name, value in (("schedule", schedule), ("on_trace_ready", on_trace_ready)):
            if value is not None and not callable(value):
                refuse(TypeError, type(self).__name__, name, "a function", value)
        self.folder = os.path.realpath(getattr(on_trace_ready, "dir_name", None) or folder)
        self._schedule = schedule
        self._on_trace_ready = on_trace_ready
        self._step = 0
        self._metadata = {}
        self._is_on = False
        if starts:
            self.start()

    def start(self):
        """Starts recording, as the schedule says. Source: mindspore.profiler.profile.start"""
        self._is_on = True
        self._follow()

    def step(self):
        """Ends the current step. Source: mindspore.profiler.profile.step"""
        action = self._action()
        self._step += 1
        if self._is_on and action is ProfilerAction.RECORD_AND_SAVE:
            self._save()
        self._follow()

    def stop(self):
        """Ends the recording and saves it. Source: mindspore.profiler.profile.stop"""
        self._is_on = False
        self._save()

    def add_metadata(self, key, value):
        """Stores a text (str) with the recording. Source: mindspore.profiler.profile.add_metadata"""
        self._metadata[require(key, str, "add_metadata", "key")] = require(value, str, "add_metadata", "value")

    def add_metadata_json(self, key, value):
        """Stores JSON data, as a str, with the recording. Source: mindspore.profiler.profile.add_metadata_json"""
        self.add_metadata(key, value)

    def analyse(self, offline_path=None, pretty=False, step_list=None, mode="sync", rank_id=None):
        """Ends the recording if it is running, and prints the slowest operations, by XLA's names.

        Args:
            offline_path (str): another folder of recordings. Default: ``None``.
            pretty (bool), step_list (list), mode (str), rank_id (int): hints for Ascend's files, without effect.
        Source: mindspore.Profiler.analyse
        """
        if offline_path is None and _running is self:
            self.stop()
        sys.stdout.write(_table(offline_path or self.folder))

    def op_analyse(self, op_name, device_id=None):
        """The times of the operations with the given names.

        Args:
            op_name (str | list[str]): prefixes of XLA's names.
            device_id (int): a hint, without effect. Default: ``None``.
        Returns:
            dict[str, dict]: by name, ``count`` and ``total_time`` in milliseconds.
        Source: mindspore.Profiler.op_analyse
        """
        names = (op_name,) if isinstance(op_name, str) else tuple(op_name)
        return {
            name: {"count": count, "total_time": spent / 1000}
            for name, (count, spent) in _times(self.folder).items()
            if name.startswith(names)
        }

    def __enter__(self):
        if not self._is_on:
            self.start()
        return self

    def __exit__(self, *error):
        self.stop()

    def _action(self):
        return ProfilerAction.RECORD if self._schedule is None else self._schedule(self._step)

    def _follow(self):
        """Starts recording if the schedule says so."""
        global _running
        if not self._is_on or self._action() not in _RECORDED or _running is self:
            return
        if _running is not None:
            raise RuntimeError(_MSG_RUNNING)
        os.makedirs(self.folder, exist_ok=True)
        jax.profiler.start_trace(self.folder)
        forbid("profiler", True)  # JAX does not see what NumPy computes
        _running = self

    def _save(self):
        global _running
        if _running is not self:
            return
        jax.effects_barrier()
        jax.profiler.stop_trace()
        forbid("profiler", False)
        _running = None
        if self._metadata:
            with open(os.path.join(self.folder, "profiler_metadata.json"), "w") as file:
                json.dump(self._metadata, file)
        if self._on_trace_ready is not None:
            self._on_trace_ready(self)


class Profiler(profile):
    """The profiler of MindSpore 1.x: records from its construction to `analyse`, which prints the slowest operations.

    Args:
        kwargs: ``output_path`` (str, default ``"./data"``), ``start_profile`` (bool, default True), ``schedule``,
            ``on_trace_ready``; all others are hints for Ascend, without effect.
    Raises:
        TypeError: for other values.  RuntimeError: if another profiler is recording.
    Example:
        >>> profiler = ms.Profiler(start_profile=False)
        >>> profiler.op_analyse("dot")
        {}
    Source: mindspore.Profiler, mindspore.profiler.Profiler
    """

    def __init__(self, **kwargs):
        folder = require(kwargs.get("output_path", "./data"), str, "Profiler", "output_path")
        starts = require(kwargs.get("start_profile", True), bool, "Profiler", "start_profile")
        self._begin(folder, kwargs.get("schedule"), kwargs.get("on_trace_ready"), starts)

    @classmethod
    def offline_analyse(cls, path, pretty=False, step_list=None, data_simplification=True):
        """Prints the slowest operations in the recordings of a folder. Source: mindspore.Profiler.offline_analyse"""
        sys.stdout.write(_table(require(path, str, "offline_analyse", "path")))


def _times(folder):
    """``name: (count, microseconds)`` of the operations in the newest recording of a folder."""
    times: dict[str, tuple[int, float]] = collections.defaultdict(lambda: (0, 0.0))
    files = glob.glob(os.path.join(glob.escape(folder), "plugins", "profile", "*", "*.trace.json.gz"))
    if not files:
        log.warning("There is no recording in %s.", folder)
        return times
    with gzip.open(max(files, key=os.path.getmtime)) as file:
        events = json.load(file)["traceEvents"]
    for event in events:
        name = event.get("name", "")
        if event.get("ph") == "X" and not name.startswith(_OWN) and "::" not in name:
            count, spent = times[name]
            times[name] = count + 1, spent + event.get("dur", 0.0)
    return times


def _table(folder):
    rows = sorted(_times(folder).items(), key=lambda item: -item[1][1])[:_MOST_SHOWN]
    lines = [f"{'operation':<48} {'calls':>7} {'total ms':>10} {'mean us':>10}"]
    lines += [
        f"{name[:48]:<48} {count:>7} {spent / 1000:>10.3f} {spent / count:>10.1f}" for name, (count, spent) in rows
    ]
    return "\n".join(lines) + f"\nThe recording is in {folder}: tensorboard --logdir {folder}\n"
