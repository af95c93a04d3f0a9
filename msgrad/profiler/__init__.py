"""``mindspore.profiler``: timelines recorded by `jax.profiler`."""

import sys

from ..ops.legacy.left_out import leave_out
from .choices import (
    AicoreMetrics,
    ExportType,
    HostSystem,
    ProfilerActivity,
    ProfilerLevel,
    _ExperimentalConfig,
)
from .marks import mstx
from .recording import Profiler, profile
from .schedules import ProfilerAction, schedule, tensorboard_trace_handler

_ASKED = (
    "it watches a file that asks for profiles while a program runs",
    "Use profiler.profile with a schedule, or Profiler.start and Profiler.stop.",
)
_LEFT_OUT = [
    ("DynamicProfilerMonitor(cfg_path=None, output_path='./dyn_profile_data', poll_interval=2, **kwargs)", _ASKED),
    ("EnvProfiler()", _ASKED),
]

__all__ = [
    *leave_out(sys.modules[__name__], "profiler", _LEFT_OUT),
    "AicoreMetrics",
    "ExportType",
    "HostSystem",
    "Profiler",
    "ProfilerAction",
    "ProfilerActivity",
    "ProfilerLevel",
    "_ExperimentalConfig",
    "mstx",
    "profile",
    "schedule",
    "tensorboard_trace_handler",
]
