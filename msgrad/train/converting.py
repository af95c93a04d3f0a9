"""Checkpoints from one format to the other."""

import os
import pathlib
import re

from ..engine.refusal import refuse, require
from ..ops.contracts import PositiveInt
from .loading import load_checkpoint
from .saving import save_checkpoint


def ckpt_to_safetensors(file_path, save_path=None, name_map=None, file_name_regex=None, processes_num=1):
    """Writes checkpoints ``.ckpt`` as ``.safetensors``, which need the package safetensors (extra ``safetensors``).

    Args:
        file_path (str): a file, or a folder with folders ``rank_0``, ... of files.
        save_path (str): the folder to write to, which is made; it gets folders of the same names.
            Default: ``None``, beside the files.
        name_map (dict): new names of Parameters by their names. Default: ``None``.
        file_name_regex (str): in a folder, files whose name has it. Default: ``None``, all.
        processes_num (int): a hint, without effect. Default: ``1``.
    Raises:
        ValueError: if there is no such file or folder, or for other values.
    Example:
        >>> import tempfile
        >>> folder = tempfile.mkdtemp()
        >>> ms.save_checkpoint(nn.Dense(2, 3), f"{folder}/net.ckpt")
        >>> ms.ckpt_to_safetensors(f"{folder}/net.ckpt")
        >>> sorted(ms.load_checkpoint(f"{folder}/net.safetensors", format="safetensors"))
        ['bias', 'weight']
    Source: mindspore.ckpt_to_safetensors
    """
    _convert("ckpt_to_safetensors", file_path, save_path, name_map, file_name_regex, processes_num, "ckpt")


def safetensors_to_ckpt(file_path, save_path=None, name_map=None, file_name_regex=None, processes_num=1):
    """Writes checkpoints ``.safetensors`` as ``.ckpt``: the way back of `ckpt_to_safetensors`.

    Args:
        file_path, save_path, name_map, file_name_regex, processes_num: as for `ckpt_to_safetensors`.
    Raises:
        ValueError: if there is no such file or folder, or for other values.
    Source: mindspore.safetensors_to_ckpt
    """
    _convert("safetensors_to_ckpt", file_path, save_path, name_map, file_name_regex, processes_num, "safetensors")


def _convert(owner, file_path, save_path, name_map, pattern, processes_num, format):
    PositiveInt.take(processes_num, "processes_num", owner)
    if not isinstance(name_map, (dict, type(None))):
        refuse(ValueError, owner, "name_map", "None, or a dict of names", name_map)
    require(pattern, (str, type(None)), owner, "file_name_regex")
    if not isinstance(save_path, (str, type(None))) or save_path is not None and os.path.splitext(save_path)[1]:
        refuse(ValueError, owner, "save_path", "None, or a folder", save_path)
    other = {"ckpt": "safetensors", "safetensors": "ckpt"}[format]
    for source, folder in _sources(owner, file_path, pattern, format):
        target = source.parent if save_path is None else pathlib.Path(save_path) / folder
        target.mkdir(parents=True, exist_ok=True)
        found = load_checkpoint(str(source), format=format)
        values = [{"name": (name_map or {}).get(name, name), "data": value} for name, value in found.items()]
        save_checkpoint(values, str(target / f"{source.stem}.{other}"), format=other)


def _sources(owner, file_path, pattern, format):
    """The files to convert, each with the name of its folder below the one to write to."""
    path = pathlib.Path(file_path) if isinstance(file_path, str) else None
    if path is not None and path.is_file() and path.suffix == f".{format}":
        return [(path, "")]
    if path is None or not path.is_dir():
        refuse(ValueError, owner, "file_path", f"a file '.{format}', or a folder of folders 'rank_...'", file_path)
    files = [file for file in sorted(path.glob(f"rank*/*.{format}")) if re.search(pattern or "", file.stem)]
    if not files:
        refuse(ValueError, owner, "file_path", f"a folder whose folders 'rank_...' have files '.{format}'", file_path)
    return [(file, file.parent.name) for file in files]
