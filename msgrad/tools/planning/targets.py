"""The accelerators for which programs are planned: what their makers say of them."""

import dataclasses
import difflib
import importlib.util
import math
import re

GB, GIB = 10**9, 2**30

_GPU = """
gpu_device_info {{
  threads_per_block_limit: 1024 threads_per_warp: 32 shared_memory_per_block: 49152
  block_dim_limit_x: 2147483647 block_dim_limit_y: 65535 block_dim_limit_z: 65535
  registers_per_core_limit: 65536 registers_per_block_limit: 65536
  threads_per_core_limit: {threads} core_count: {cores} fpus_per_core: {fpus}
  shared_memory_per_core: {shared} shared_memory_per_block_optin: {optin} l2_cache_size: {l2}
  memory_bandwidth: {bandwidth} clock_rate_ghz: {clock} device_memory_size: {memory}
  cuda_compute_capability {{ major: {major} minor: {minor} }}
}}
platform_name: "CUDA" dnn_version_info {{ major: 9 minor: 8 }} runtime_version {{ major: 12 minor: 9 patch: 0 }}
device_description_str: "{title}"
"""


@dataclasses.dataclass(frozen=True, eq=False)
class Target:
    """One kind of chip.

    Attributes:
        name (str): as ``--on`` takes it.
        title (str): the maker's name.
        platform (str): ``"cuda"``, ``"tpu"`` or ``"cpu"``, JAX's name.
        memory (int): bytes of the device's memory that programs may use.
        bandwidth (float): bytes per second of that memory.
        peaks (dict): operations per second of matrix products by kind of number (`counting.KINDS`).
        link (float): bytes per second that leave a chip for others, over all its links.
        described (dict): what the compiler must know of a GPU.
        accelerator (str): what libtpu must know of a TPU: the type of a slice of four chips.
        source (str): where the figures are from, and their date.
    """

    name: str
    title: str
    platform: str
    memory: int
    bandwidth: float
    peaks: dict
    link: float
    source: str
    described: dict = dataclasses.field(default_factory=dict)
    accelerator: str = ""

    @property
    def backend(self):
        """The name that ``jax.default_backend()`` has on such a machine."""
        return "gpu" if self.platform == "cuda" else self.platform

    @property
    def extra(self):
        """The optional extra that brings the compiler; None if none is needed."""
        return {"cuda": "plan-gpu", "tpu": "plan-tpu"}.get(self.platform)

    def has_compiler(self):
        """Whether the compiler is installed."""
        package = {"cuda": "jax_cuda12_plugin", "tpu": "libtpu"}.get(self.platform)
        return package is None or importlib.util.find_spec(package) is not None

    def gpu_text(self):
        """The description of a GPU that XLA's compiler takes."""
        return _GPU.format(**self.described, title=self.title, bandwidth=int(self.bandwidth), memory=self.memory)


def _tera(**peaks):
    return {kind: 1e12 * peak for kind, peak in peaks.items()}


_HOPPER = _tera(bf16=989.4, f16=989.4, tf32=494.7, f32=66.9, f64=66.9, i8=1978.9)
_OF_HOPPER = dict(
    threads=2048, cores=132, fpus=128, shared=233472, optin=232448, l2=52428800, clock=1.98, major=9, minor=0
)
_OF_AMPERE = dict(
    threads=2048, cores=108, fpus=64, shared=167936, optin=166912, l2=41943040, clock=1.41, major=8, minor=0
)
_OF_ADA = dict(threads=1536, cores=58, fpus=128, shared=102400, optin=101376, l2=50331648, clock=2.04, major=8, minor=9)


def _tpu_peaks(bf16, int8):
    # A product of float32 takes three or six passes of bfloat16 (`engine.precision`); float64 is emulated.
    return _tera(bf16=bf16, f16=bf16, tf32=bf16 / 3, f32=bf16 / 6, f64=bf16 / 100, i8=int8)


# A link's bytes are those of one direction, half of what makers state. A GPU's memory is what its driver reports, a
# TPU's what its compiler accepts ("exceeds available HBM (15.75G)").
TARGETS = {
    each.name: each
    for each in (
        Target(
            *("h100", "NVIDIA H100 80GB HBM3", "cuda", 84_929_347_584, 3.352e12, _HOPPER, 450e9),
            "NVIDIA H100 GPU Architecture white paper (SXM5, dense; NVLink 900 GB/s both ways), read 2026-11",
            described=_OF_HOPPER,
        ),
        Target(
            *("h200", "NVIDIA H200", "cuda", 150_119_710_720, 4.8e12, _HOPPER, 450e9),
            "NVIDIA H200 GPU datasheet (SXM, 4.8 TB/s, NVLink 900 GB/s both ways; an H100's cores), read 2026-11",
            described=_OF_HOPPER,
        ),
        Target(
            *("a100", "NVIDIA A100-SXM4-80GB", "cuda", 85_094_760_448, 2.039e12),
            _tera(bf16=312, f16=312, tf32=156, f32=19.5, f64=19.5, i8=624),
            *(300e9, "NVIDIA A100 GPU datasheet (SXM 80GB, dense; NVLink 600 GB/s both ways), read 2026-11"),
            described=_OF_AMPERE,
        ),
        Target(
            *("l4", "NVIDIA L4", "cuda", 23_609_475_072, 0.3e12),
            _tera(bf16=121, f16=121, tf32=60, f32=30.3, f64=0.47, i8=242.5),
            *(32e9, "NVIDIA L4 GPU datasheet (half of its figures with sparsity; PCIe 4.0 x16), read 2026-11"),
            described=_OF_ADA,
        ),
        Target(
            *("v5e", "TPU v5e", "tpu", int(15.75 * GIB), 819e9, _tpu_peaks(197, 393), 200e9),
            "Google Cloud, TPU v5e system architecture (links 400 GB/s both ways), read 2026-11",
            accelerator="v5litepod-4",
        ),
        Target(
            *("v5p", "TPU v5p", "tpu", int(95 * GIB), 2765e9, _tpu_peaks(459, 918), 600e9),
            "Google Cloud, TPU v5p system architecture (links 1200 GB/s both ways), read 2026-11",
            accelerator="v5p-8",
        ),
        Target(
            *("v6e", "TPU v6e", "tpu", int(31.25 * GIB), 1640e9, _tpu_peaks(918, 1836), 400e9),
            "Google Cloud, TPU v6e system architecture (links 800 GB/s both ways), read 2026-11",
            accelerator="v6e-4",
        ),
        # No chip's figures: a server of today, so that a plan for a CPU has a time at all.
        Target(
            *("cpu", "a server's CPU", "cpu", 64 * GIB, 0.2e12),
            _tera(bf16=2, f16=1, tf32=2, f32=2, f64=1, i8=4),
            *(10e9, "msgrad: round figures of a server, 2026"),
        ),
    )
}


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a program is planned: chips of one kind, in a grid.

    Attributes:
        target (Target): the kind.
        grid (tuple of int): how many chips along each axis of a TPU's topology; ``(count,)`` for GPUs.
    """

    target: Target
    grid: tuple

    @property
    def chips(self):
        """The number of chips (int)."""
        return math.prod(self.grid)

    def __str__(self):
        return self.target.name if self.chips == 1 else f"{self.target.name}:{'x'.join(map(str, self.grid))}"


def place_of(text):
    """The `Place` that ``--on`` names: ``h100``, ``h100:8``, ``v5e:4x4``.

    Raises:
        ValueError: if there is no such target, with all that there are.
    """
    name, _, grid = text.lower().partition(":")
    if name not in TARGETS:
        near = difflib.get_close_matches(name, TARGETS, 1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        raise ValueError(f"unknown target: {text}.{hint} There are {', '.join(TARGETS)}.")
    target = TARGETS[name]
    if not grid:
        return Place(target, (1,))
    if not re.fullmatch(r"[1-9]\d*(x[1-9]\d*)*", grid):
        raise ValueError(f"the chips of '{text}' must be a number or a grid, such as {name}:4 or {name}:2x2")
    return Place(target, tuple(map(int, grid.split("x"))))
