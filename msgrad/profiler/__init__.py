"""``mindspore.profiler``: what ran when, recorded by `jax.profiler`."""

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

__all__ = [
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
