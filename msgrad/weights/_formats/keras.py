"""HDF5 files of Keras, read by h5py into torch's names and orders of axes."""

import contextlib
import json
import os

import numpy as np

from ...train._files.messages import DamagedError
from ..entries import Entry

START = b"\x89HDF\r\n\x1a\n"
_MSG_INSTALL = 'Reading Keras files needs the package h5py: pip install "msgrad[keras]"'
_MSG_UNNAMED = (
    "it is a file of Keras 3's save_weights, which has no names; in Keras: model.save('model.h5'), which has them"
)
_LEAVES = {
    "kernel": "weight", "depthwise_kernel": "depthwise.weight", "pointwise_kernel": "pointwise.weight",
    "embeddings": "weight",
}  # fmt: skip

_MOST_PACKED = 1100  # how many times smaller HDF5's compression makes numbers


@contextlib.contextmanager
def opened(path):
    """A dict of the `Entry` of each weight of a file, in the order of its layers; within the block.

    Raises:
        ImportError: if h5py is not installed.
        DamagedError: if it is no file of named weights, or is damaged.
    """
    try:
        import h5py
    except ImportError:
        raise ImportError(_MSG_INSTALL) from None
    with contextlib.ExitStack() as stack:
        with _reading():
            file = stack.enter_context(h5py.File(path, "r"))
            entries = dict(_entries(h5py, file))
        yield entries


@contextlib.contextmanager
def _reading():
    """Raises what h5py raises for a damaged file as a DamagedError."""
    try:
        yield
    except DamagedError:
        raise
    except (OSError, RuntimeError, KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise DamagedError(f"its HDF5 structure is broken ({str(error)[:80]})") from None


def _entries(h5py, file):
    root = file.get("model_weights", file)
    if "layer_names" not in root.attrs:
        raise DamagedError(_MSG_UNNAMED if "layers" in root or "vars" in root else "it has no weights of layers")
    depthwise = _depthwise(file)
    for layer in map(_text, root.attrs["layer_names"]):
        for name in map(_text, root[layer].attrs["weight_names"]):
            held = _inside(h5py, root[layer], name)
            *path, leaf = name.split(":")[0].split("/")
            leaf = "depthwise_kernel" if leaf == "kernel" and layer in depthwise else leaf
            yield _named(".".join(path or [layer]), leaf, held, layer in depthwise)


def _depthwise(file):
    """The names of the layers whose kernels are depthwise, by the model's configuration."""
    try:
        layers = json.loads(_text(file.attrs.get("model_config", "{}")))["config"]["layers"]
        return {each["config"]["name"] for each in layers if each["class_name"].startswith("Depthwise")}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return set()


def _inside(h5py, group, name):
    """The numbers of a name, if they are in this file."""
    held = group
    for part in name.split("/"):
        link = held.get(part, getlink=True) if isinstance(held, h5py.Group) else None
        if not isinstance(link, h5py.HardLink):
            raise DamagedError(f"its weight {name:.40} is not in the file itself")
        held = held[part]
    if isinstance(held, h5py.Dataset) and held.nbytes > _MOST_PACKED * os.path.getsize(held.file.filename):
        raise DamagedError(f"its weight {name:.40} claims {held.nbytes} bytes, more than the file can hold")
    if not isinstance(held, h5py.Dataset) or held.is_virtual or held.external:
        raise DamagedError(f"its weight {name:.40} is not in the file itself")
    return held


def _named(owner, leaf, held, is_depthwise):
    """``(name, Entry)`` in torch's terms: axes of a kernel are its outputs, its inputs, then space."""
    axes = tuple(range(len(held.shape)))
    order, shape = axes, held.shape
    if leaf == "depthwise_kernel" and len(axes) > 2:  # space, channels, multiplier
        order = (*axes[-2:], *axes[:-2])
        channels, times = held.shape[-2:]
        shape = channels * times, 1, *held.shape[:-2]
    elif leaf in ("kernel", "pointwise_kernel") and len(axes) > 1:  # space, inputs, outputs
        order = (axes[-1], axes[-2], *axes[:-2])
        shape = [held.shape[axis] for axis in order]
    name = "weight" if is_depthwise and leaf == "depthwise_kernel" else _LEAVES.get(leaf, leaf)
    return f"{owner}.{name}", _Weight(held, order, shape)


class _Weight(Entry):
    def __init__(self, held, order, shape):
        super().__init__(shape, np.dtype(held.dtype))
        self._held = held
        self._order = order

    def values(self):
        """The numbers, as an array."""
        with _reading():
            numbers = self._held[()]
        return np.ascontiguousarray(np.transpose(numbers, self._order)).reshape(self.shape)


def _text(name):
    return name.decode() if isinstance(name, bytes) else str(name)
