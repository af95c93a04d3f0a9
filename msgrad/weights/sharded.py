"""Weights in several files, whose index says which has which: those of large models of transformers."""

import json
import os

from ..train._files.messages import DamagedError

ENDING = ".index.json"
_MOST = 64 << 20  # bytes of an index
_MSG_PLACE = "its index names the file {!r:.80}, which is not one beside it"


def parts_of(path):
    """The files of an index, and the names in each.

    Args:
        path (str): of ``model.safetensors.index.json`` or ``pytorch_model.bin.index.json``.
    Returns:
        dict[str, list[str]]: the names by the paths of the files.
    Raises:
        DamagedError: if it is no index, or a file is not there.
    """
    try:
        with open(path, "rb") as file:
            content = json.loads(file.read(_MOST))
        places = {name: str(file) for name, file in content["weight_map"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise DamagedError("it is no index of files of weights") from None
    parts = {}
    for name, file in places.items():
        part = os.path.join(os.path.dirname(path), file)
        if os.path.basename(file) != file or not os.path.isfile(part):
            raise DamagedError(_MSG_PLACE.format(file))
        parts.setdefault(part, []).append(name)
    return parts
