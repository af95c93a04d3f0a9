"""Options of MindSpore's profilers: hints for Ascend, without effect on what `jax.profiler` records."""

import dataclasses
import enum


class ProfilerLevel(enum.Enum):
    """Levels of detail of recordings on Ascend. Source: mindspore.profiler.ProfilerLevel"""

    LevelNone = "LevelNone"
    Level0 = "Level0"
    Level1 = "Level1"
    Level2 = "Level2"


class ProfilerActivity(enum.Enum):
    """Recorded activities; host and device are always recorded. Source: mindspore.profiler.ProfilerActivity"""

    CPU = "CPU"
    NPU = "NPU"
    GPU = "GPU"


class AicoreMetrics(enum.Enum):
    """Counters of Ascend's cores. Source: mindspore.profiler.AicoreMetrics"""

    AiCoreNone = "None"
    PipeUtilization = "PipeUtilization"
    ArithmeticUtilization = "ArithmeticUtilization"
    Memory = "Memory"
    MemoryL0 = "MemoryL0"
    MemoryUB = "MemoryUB"
    ResourceConflictRatio = "ResourceConflictRatio"
    L2Cache = "L2Cache"
    MemoryAccess = "MemoryAccess"


class ExportType(enum.Enum):
    """The format in which MindSpore writes its results. Source: mindspore.profiler.ExportType"""

    Db = "db"
    Text = "text"


class HostSystem(enum.Enum):
    """Host metrics that MindSpore samples. Source: mindspore.profiler.HostSystem"""

    CPU = "cpu"
    MEM = "mem"
    DISK = "disk"
    NETWORK = "network"
    OSRT = "osrt"


@dataclasses.dataclass
class _ExperimentalConfig:
    """Further options for Ascend, stored and without effect. Source: mindspore.profiler._ExperimentalConfig"""

    profiler_level: ProfilerLevel = ProfilerLevel.Level0
    aic_metrics: AicoreMetrics = AicoreMetrics.AiCoreNone
    l2_cache: bool = False
    mstx: bool = False
    data_simplification: bool = True
    export_type: list | None = None
    mstx_domain_include: list | None = None
    mstx_domain_exclude: list | None = None
    sys_io: bool = False
    sys_interconnection: bool = False
    host_sys: list | None = None
