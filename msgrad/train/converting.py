"""Converts checkpoints from ``.ckpt`` to ``.safetensors``, and back."""

import os
import re

from ..engine.refusal import refuse
from .loading import load_checkpoint
from .saving import save_checkpoint

_MSG_FOLDERS = "For '{}', no folder in {} begins with 'rank': MindSpore keeps the files of each process in one."


def ckpt_to_safetensors(file_path, save_path=None, name_map=None, file_name_regex=None, processes_num=1):
    """Converts ``.ckpt`` files to ``.safetensors`` of the same names.

    Args:
        file_path (str): a file, or a folder with folders ``rank...`` of files.
        save_path (str): the folder for the new files. Default: ``None``, that of the old ones.
        name_map (dict[str, str]): new names of Parameters by old names. Default: ``None``.
        file_name_regex (str): a regular expression for the file names to convert. Default: ``None``, all.
        processes_num (int): a hint without effect: files are written one after the other. Default: ``1``.
    Raises:
        TypeError: if a file contains a str, which the format cannot hold.  ImportError: without package safetensors.
        ValueError: for other paths and values, and for damaged and encrypted files.
    Example:
        >>> import tempfile
        >>> folder = tempfile.mkdtemp()
        >>> ms.save_checkpoint(nn.Dense(2, 3), folder + "/dense.ckpt")
        >>> ms.ckpt_to_safetensors(folder + "/dense.ckpt", name_map={"weight": "w"})
        >>> sorted(ms.load_checkpoint(folder + "/dense.safetensors", format="safetensors"))
        ['bias', 'w']
    Source: mindspore.ckpt_to_safetensors
    """
    _convert("ckpt_to_safetensors", "ckpt", "safetensors", file_path, save_path, name_map, file_name_regex)


def safetensors_to_ckpt(file_path, save_path=None, name_map=None, file_name_regex=None, processes_num=1):
    """Converts ``.safetensors`` files to ``.ckpt`` of the same names.

    Args:
        file_path, save_path, name_map, file_name_regex, processes_num: as for `ckpt_to_safetensors`.
    Raises:
        ValueError: for other paths and values, and for damaged files.  ImportError: without the package safetensors.
    Example:
        >>> import tempfile
        >>> folder = tempfile.mkdtemp()
        >>> ms.save_checkpoint(nn.Dense(2, 3), folder + "/dense.safetensors", format="safetensors")
        >>> ms.safetensors_to_ckpt(folder + "/dense.safetensors", save_path=folder + "/new")
        >>> sorted(ms.load_checkpoint(folder + "/new/dense.ckpt"))
        ['bias', 'weight']
    Source: mindspore.safetensors_to_ckpt
    """
    _convert("safetensors_to_ckpt", "safetensors", "ckpt", file_path, save_path, name_map, file_name_regex)


def _convert(owner, old, new, file_path, save_path, name_map, pattern):
    if not isinstance(name_map, (dict, type(None))):
        refuse(ValueError, owner, "name_map", "a dict", name_map)
    if save_path and os.path.splitext(save_path)[1]:
        refuse(ValueError, owner, "save_path", "a folder", save_path)
    for path, folder in _files(owner, f".{old}", file_path, save_path, pattern):
        os.makedirs(folder, exist_ok=True)
        parameters = load_checkpoint(path, format=old)
        parameters = {(name_map or {}).get(name, name): value for name, value in parameters.items()}
        name = os.path.basename(path).removesuffix(old) + new
        save_checkpoint(parameters, os.path.join(folder, name), format=new)


def _files(owner, ending, file_path, save_path, pattern):
    """``(path, folder)`` of each file to convert, and of the new one."""
    if isinstance(file_path, str) and os.path.isfile(file_path):
        if not file_path.endswith(ending):
            refuse(ValueError, owner, "file_path", f"a path that ends with {ending!r}", file_path)
        if pattern is not None and not re.search(pattern, file_path):
            refuse(ValueError, owner, "file_name_regex", f"found in {file_path!r}", pattern)
        return [(file_path, save_path or os.path.dirname(os.path.realpath(file_path)))]
    if not isinstance(file_path, str) or not os.path.isdir(file_path):
        refuse(ValueError, owner, "file_path", "the path of a file or a folder", file_path)
    ranks = sorted(entry.name for entry in os.scandir(file_path) if entry.is_dir() and entry.name.startswith("rank"))
    if not ranks:
        raise ValueError(_MSG_FOLDERS.format(owner, file_path))
    return [
        (os.path.join(file_path, rank, name), os.path.join(save_path or file_path, rank))
        for rank in ranks
        for name in sorted(os.listdir(os.path.join(file_path, rank)))
        if name.endswith(ending) and (pattern is None or re.search(pattern, name))
    ]
