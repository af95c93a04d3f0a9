"""`load_distributed_checkpoint`, for networks whose Parameters are not sharded."""

import json
import os

from ..engine.refusal import refuse, require
from ..nn.cell import Cell
from .load_params import load_param_into_net
from .loading import load_checkpoint
from .saving import FORMATS
from .transforming import Change

_OWNER = "load_distributed_checkpoint"
_INDEX = "param_name_map.json"
_EXTRA = "hyper_param.safetensors"  # other files in the folder of the index
_MSG_WHOLE = "The parts of several devices need the train_strategy_filename that says how to join them."
_MSG_SAVES = "Calls without a network, which write a part for each device, are not supported: use save_checkpoint."
_MSG_INDEX = "For 'load_distributed_checkpoint', {} is not an index of the files in its folder."


def load_distributed_checkpoint(
    network,
    checkpoint_filenames=None,
    predict_strategy=None,
    train_strategy_filename=None,
    strict_load=False,
    dec_key=None,
    dec_mode="AES-GCM",
    format="ckpt",
    unified_safetensors_dir=None,
    dst_safetensors_dir=None,
    rank_id=None,
    output_format="safetensors",
    name_map=None,
    max_process_num=64,
    return_param_dict=False,
):
    """Loads Parameters into a network: from ``.ckpt`` files, one for each device, or a folder of ``.safetensors``.

    Args:
        network (Cell): the network, whose Parameters are whole.
        checkpoint_filenames (list[str]): files in the order of their ranks, if ``format`` is ``'ckpt'``; without a
            ``train_strategy_filename`` one file. Default: ``None``.
        predict_strategy (dict): a hint without effect: a network's Parameters are whole. Default: ``None``.
        train_strategy_filename (str): the strategy file of the run that wrote the files. Default: ``None``.
        strict_load, dec_key, dec_mode: as for `load_checkpoint`.
        format (str): ``'ckpt'`` or ``'safetensors'``. Default: ``'ckpt'``.
        unified_safetensors_dir (str): a folder with one file, or with ``param_name_map.json``. Default: ``None``.
        dst_safetensors_dir (None): for calls without a network, which are not supported.
        rank_id, output_format, max_process_num: hints without effect on one device.
        name_map (dict[str, str]): names in the folder's files by names in the network. Default: ``None``.
        return_param_dict (bool): whether to return the folder's Parameters and load nothing. Default: ``False``.
    Returns:
        None for files; for a folder the result of `load_param_into_net`, or the Parameters by name.
    Raises:
        TypeError, ValueError: for other arguments, another number of files, and damaged files.
    Example:
        >>> import tempfile
        >>> path, net = tempfile.mkdtemp() + "/dense.ckpt", nn.Dense(2, 3)
        >>> ms.save_checkpoint(net, path)
        >>> ms.load_distributed_checkpoint(net, [path])
    Source: mindspore.load_distributed_checkpoint
    """
    if format not in FORMATS:
        refuse(ValueError, _OWNER, "format", f"one of {FORMATS}", format)
    require(predict_strategy, (dict, type(None)), _OWNER, "predict_strategy")
    if format == "safetensors" and network is None:
        refuse(ValueError, _OWNER, "network", "a Cell", network, _MSG_SAVES)
    require(network, Cell, _OWNER, "network")
    if format == "ckpt":
        files = require(checkpoint_filenames, list, _OWNER, "checkpoint_filenames")
        change = Change(train_strategy_filename, None, _OWNER)
        if len(files) != change.src_devices:
            expected = f"{change.src_devices} files, one for each device" if change.src else "one file"
            refuse(ValueError, _OWNER, "checkpoint_filenames", expected, files, "" if change.src else _MSG_WHOLE)
        if change.src is None:
            load_checkpoint(files[0], network, strict_load, dec_key=dec_key, dec_mode=dec_mode)
            return None
        parts = {rank: load_checkpoint(path, dec_key=dec_key, dec_mode=dec_mode) for rank, path in enumerate(files)}
        load_param_into_net(network, {each["name"]: each["data"] for each in change.made(0, parts)}, strict_load)
        return None
    if dec_key is not None or checkpoint_filenames is not None:
        refuse(ValueError, _OWNER, "format", "'ckpt', with a 'dec_key' or 'checkpoint_filenames'", format)
    parameters = _in_folder(require(unified_safetensors_dir, str, _OWNER, "unified_safetensors_dir"))
    for own, name in (require(name_map, (dict, type(None)), _OWNER, "name_map") or {}).items():
        if name in parameters:
            parameters[own] = parameters.pop(name)
    return parameters if return_param_dict else load_param_into_net(network, parameters)


def _in_folder(folder):
    """The Parameters of a folder's files by name."""
    if not os.path.isdir(folder):
        refuse(ValueError, _OWNER, "unified_safetensors_dir", "a folder", folder)
    names = [name for name in os.listdir(folder) if name.endswith(".safetensors")]
    index = None if len(names) == 1 else _index(os.path.join(folder, _INDEX))
    if index is not None:
        names = sorted({*index.values(), *({_EXTRA} & set(names))})
    parameters = {}
    for file in names:
        loaded = load_checkpoint(os.path.join(folder, file), format="safetensors")
        is_whole = file == _EXTRA or not index
        parameters |= {name: each for name, each in loaded.items() if is_whole or index.get(name) == file}
    return parameters


def _index(path):
    """The files of the folder (str) by the names of the Parameters in them."""
    if not os.path.isfile(path):
        refuse(ValueError, _OWNER, "unified_safetensors_dir", f"a folder with one file or with {_INDEX}", path)
    try:
        with open(path, encoding="utf-8") as file:
            index = json.load(file)
        index = index.get("weight_map", index)
        files = [require(name, str, _OWNER, _INDEX) for name in index.values()]
    except (ValueError, AttributeError, TypeError, RecursionError):
        raise ValueError(_MSG_INDEX.format(path)) from None
    if any(os.path.basename(name) != name for name in files):  # no file outside the folder
        raise ValueError(_MSG_INDEX.format(path))
    return index
