"""Files of weights: which format they have, and their arrays by name."""

import contextlib
import os

import numpy as np

from ..engine.refusal import refuse, require
from ..tensor.tensor import Tensor
from ..train._files import tensors
from ..train._files.messages import DamagedError
from ..train.loading import load_checkpoint
from . import sharded
from ._formats import keras, torch_legacy, torch_zip
from .entries import Entry, Held
from .nested import state_of

_MSG_DAMAGED = "For '{}', the file {} cannot be read: {}."
_UNKNOWN = (
    "it is none of the formats that are read: torch's (.pth, .pt, .bin), .safetensors, Keras' .h5, MindSpore's .ckpt"
)


def read(path, key=None):
    """Reads the weights of a file of torch, safetensors, Keras or MindSpore, without these libraries.

    No code of the file is run: of a pickle only tensors and plain values are built.

    Args:
        path (str | os.PathLike): the file. Its content, not its ending, says which format it has. Or the index of
            several files, ``model.safetensors.index.json``.
        key (str): of the dict in a torch file that is a dict of dicts, such as ``"state_dict"`` or ``"ema.model"``.
            Default: ``None``, the only one that has tensors.
    Returns:
        dict[str, Tensor] by the names of the file, in its order.
    Raises:
        TypeError: if an argument is not a str.
        ValueError: if there is no such file, or it is damaged, of an unknown format, or not a dict of tensors.
        ImportError: for a Keras file without the extra ``keras``.
    Example:
        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/dense.pth"
        >>> _ = msgrad.weights.save(nn.Dense(2, 3), path)
        >>> {name: value.shape for name, value in msgrad.weights.read(path).items()}
        {'weight': (3, 2), 'bias': (3,)}
    """
    with opened(path, key, "weights.read") as entries:
        return {name: Tensor(np.array(entry.values(), order="C")) for name, entry in entries.items()}


@contextlib.contextmanager
def opened(path, key, owner):
    """The `Entry` of each name of a file, whose numbers can be read within the block.

    Args:
        path (str), key (str): as for `read`.
        owner (str): the function that errors name.
    Raises:
        TypeError, ValueError, ImportError: as for `read`, also for numbers that are read within the block.
    """
    require(path, (str, os.PathLike), owner, "path")
    require(key, (str, type(None)), owner, "key")
    path = os.fspath(path)
    if not os.path.isfile(path):
        refuse(ValueError, owner, "path", "a file that exists", path)
    try:
        with contextlib.ExitStack() as stack:
            yield _of_index(path, key, stack) if path.endswith(sharded.ENDING) else _entries(path, key, stack)
    except DamagedError as error:
        raise ValueError(_MSG_DAMAGED.format(owner, path, error)) from None


def has_order(path):
    """Whether the arrays of a file are in the order of their layers: safetensors, and indices of files, sort them."""
    path = os.fspath(path)
    with open(path, "rb") as file:
        return not path.endswith(sharded.ENDING) and file.read(9)[8:] != b"{"


def _of_index(path, key, stack):
    """The entries of the files that an index names."""
    entries = {}
    for part, names in sharded.parts_of(path).items():
        found = _entries(part, key, stack)
        missing = [name for name in names if name not in found]
        if missing:
            raise DamagedError(f"its file {os.path.basename(part)} lacks {missing[0]!r:.80}")
        entries |= {name: found[name] for name in names}
    return entries


def _entries(path, key, stack):
    file = stack.enter_context(open(path, "rb"))
    start = file.read(32)
    if start.startswith(keras.START):
        return stack.enter_context(keras.opened(path))
    for format in (torch_zip, torch_legacy):
        if start.startswith(format.START):
            return state_of(format.read(file, os.path.getsize(path)), key)
    if start[8:9] == b"{":
        return {name: Held(each._values_()) for name, each in tensors.read(path, False).items()}
    if start.startswith(b"\n"):
        return _checkpoint(path)
    raise DamagedError(_UNKNOWN)


def _checkpoint(path):
    """The Parameters of a checkpoint, whatever its ending is."""
    if not path.endswith(".ckpt"):
        raise DamagedError("it seems to be a checkpoint of MindSpore, whose names end with .ckpt")
    return {name: Held(each.asnumpy()) for name, each in load_checkpoint(path).items() if not isinstance(each, str)}


def of_arrays(arrays, owner):
    """The `Entry` of each name of a dict of arrays, Tensors or torch's tensors.

    Raises:
        TypeError: for another value.
    """
    entries = {}
    for name, value in arrays.items():
        require(name, str, owner, "name in the source")
        if isinstance(value, Tensor):
            value = value.asnumpy()
        elif hasattr(value, "detach"):  # torch's
            value = value.detach().cpu()
            value = (value.float() if str(value.dtype) == "torch.bfloat16" else value).numpy()  # NumPy lacks bfloat16
        if not hasattr(value, "shape") or not hasattr(value, "dtype"):
            refuse(TypeError, owner, f"source['{name}']", "an array or a Tensor", value)
        entries[name] = value if isinstance(value, Entry) else Held(value)
    return entries
