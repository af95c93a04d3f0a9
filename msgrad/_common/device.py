"""Devices: MindSpore's device targets, mapped to JAX's devices."""

import os
from typing import Any, NamedTuple

import jax

from .. import log
from ..engine.execution.tiers import forbid
from ..engine.fusion import FUSED, Fusion
from ..engine.jax_options import Device, config
from ..engine.refusal import refuse, require

_PLATFORMS = {"CPU": "cpu", "GPU": "gpu", "Ascend": None}  # None: JAX's default accelerator, whichever it is


class DeviceInfo(NamedTuple):
    """A device: ``device_target`` (str) and ``device_id`` (int)."""

    device_target: str
    device_id: int

    def __repr__(self):
        return repr(tuple(self))


class _Chosen:
    """The device that the program chose last; None until then, and JAX's default device is used."""

    info: Any = None


_warned = set()


def set_device(device_target, device_id=None):
    """Sets the device for all computation from now on.

    If this machine has no such device, a warning is given once and the fastest available device is used.
    Unlike in MindSpore, the device may be changed later; existing values stay on their device.

    Args:
        device_target (str): ``"CPU"``, ``"GPU"``, or ``"Ascend"``, which means JAX's default accelerator (a TPU too).
        device_id (int): its number among the local devices of that kind. Default: ``None``, the first.
    Raises:
        TypeError: if an argument has the wrong type.  ValueError: if its value is none of the above.
    Example:
        >>> set_device("CPU")
        >>> get_current_device().device_target
        'CPU'
    Source: mindspore.set_device
    """
    require(device_target, str, "set_device", "device_target")
    if device_target not in _PLATFORMS:
        refuse(ValueError, "set_device", "device_target", f"one of {list(_PLATFORMS)}", device_target)
    if device_id is not None:
        require(device_id, int, "set_device", "device_id")
        if device_id < 0:
            refuse(ValueError, "set_device", "device_id", "a device number, 0 or above", device_id)
    choose(device_target, device_id or 0)


def get_current_device() -> DeviceInfo:
    """The current device, as a named tuple ``(device_target, device_id)``.

    Returns:
        DeviceInfo, a tuple of str and int.
    Source: mindspore.get_current_device
    """
    if _Chosen.info is None:
        _Chosen.info = DeviceInfo(_best_target(), 0)
    return _Chosen.info


def set_deterministic(deterministic):
    """Makes results repeatable bit for bit.

    On a CPU every program is then compiled at its first launch. By default NumPy runs the first launches of small
    programs, and the last digits may differ from later launches (docs/performance.md). Attention stays as it is written
    (``MSGRAD_FUSE``). On a GPU this sets XLA's flag, which XLA reads once: call it before the first computation.

    Args:
        deterministic (bool): whether repeated runs must agree in every bit.
    Raises:
        TypeError: if ``deterministic`` is not a bool.
    Source: mindspore.set_deterministic
    """
    require(deterministic, bool, "set_deterministic", "deterministic")
    flags = os.environ.get("XLA_FLAGS", "").split()
    flags = [flag for flag in flags if not flag.startswith("--xla_gpu_deterministic_ops")]
    if deterministic:
        flags.append("--xla_gpu_deterministic_ops=true")
    os.environ["XLA_FLAGS"] = " ".join(flags)
    forbid("set_deterministic", deterministic)
    Fusion.allowed = FUSED and not deterministic


class DeviceCtx:
    """Changes the device inside a ``with`` block.

    Args:
        name (str): its kind, as for `set_device`.
        device_id (int): its number. Default: ``None``, the first.
    Raises:
        TypeError, ValueError: as `set_device`, when the block begins.
    Example:
        >>> with mindspore.DeviceCtx("CPU"):
        ...     mindspore.get_current_device().device_target
        'CPU'
    Source: mindspore.DeviceCtx
    """

    def __init__(self, name, device_id=None):
        self.name, self.device_id = name, device_id
        self._before = []

    def __enter__(self):
        before = get_current_device()
        set_device(self.name, self.device_id)
        self._before.append(before)
        return self

    def __exit__(self, *error):
        choose(*self._before.pop())


def has_target(device_target):
    """Whether this machine has a device of a kind: ``"CPU"``, ``"GPU"`` or ``"Ascend"``, an accelerator of JAX's."""
    if device_target not in _PLATFORMS:
        return False
    platform = _PLATFORMS[device_target] or jax.default_backend()
    return bool(_devices(platform)) and (device_target != "Ascend" or platform not in ("cpu", "gpu"))


def devices_of(device_target):
    """JAX's devices of a kind, in this process (list)."""
    return _devices(_PLATFORMS[device_target] or jax.default_backend())


def choose(target, device_id):
    """Makes device ``device_id`` of the kind ``target`` current, or the fastest available one if it does not exist."""
    platform = _PLATFORMS[target] or jax.default_backend()
    available = _devices(platform)
    if not available or (target == "Ascend" and platform == "cpu"):
        best = _best_target()
        _warn_once(
            f"The device target '{target}' is not available here, so '{best}' is used. (JAX finds: "
            f"{', '.join(sorted({device.platform for device in jax.devices()}))}.)"
        )
        target, available = best, _devices(jax.default_backend())
    if device_id >= len(available):
        _warn_once(f"There is no device {device_id} of the kind '{target}' here, so device 0 is used.")
        device_id = 0
    device = available[device_id]
    # For msgrad alone, and only where needed: another device makes JAX compile again.
    Device.chosen = None if device == (config.jax_default_device or jax.local_devices()[0]) else device
    _Chosen.info = DeviceInfo(target, device_id)


def _best_target():
    return {"cpu": "CPU", "gpu": "GPU"}.get(jax.default_backend(), "Ascend")


def _devices(platform):
    try:
        return jax.local_devices(backend=platform)
    except RuntimeError:  # JAX raises it for a platform that is not available
        return []


def _warn_once(message):
    if message not in _warned:
        _warned.add(message)
        log.warning(message)
