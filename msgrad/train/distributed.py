"""Checkpoints of several processes, of which there is one."""

from ..engine.refusal import refuse, require
from ..nn.cell import Cell
from .into_net import load_param_into_net
from .loading import load_checkpoint

_OWNER = "load_distributed_checkpoint"
_MSG_PARTS = "Merge the files into one whole checkpoint where MindSpore wrote them, and load that."


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
    """Loads the checkpoint of one process into a network.

    Args:
        network (Cell): gets the Parameters.
        checkpoint_filenames (list[str]): the path of the one file.
        predict_strategy, train_strategy_filename, unified_safetensors_dir, dst_safetensors_dir: belong to Parameters
            that are parted over processes; None here.
        strict_load, dec_key, dec_mode, format: as for `load_checkpoint`.
        rank_id (int): 0 or None. Default: ``None``.
        output_format (str), max_process_num (int): hints, without effect.
        name_map (dict): new names of Parameters by their names in the file. Default: ``None``.
        return_param_dict (bool): whether to return the Parameters. Default: ``False``.
    Returns:
        None, or dict of Parameters by name.
    Raises:
        TypeError, ValueError: for other values, and for more than one file.
    Example:
        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/dense.ckpt"
        >>> ms.save_checkpoint(nn.Dense(2, 3), path)
        >>> ms.load_distributed_checkpoint(nn.Dense(2, 3), [path])
    Source: mindspore.load_distributed_checkpoint
    """
    require(network, Cell, _OWNER, "network")
    parts = {
        "predict_strategy": predict_strategy,
        "train_strategy_filename": train_strategy_filename,
        "unified_safetensors_dir": unified_safetensors_dir,
        "dst_safetensors_dir": dst_safetensors_dir,
    }
    for name, value in parts.items():
        if value is not None:
            refuse(ValueError, _OWNER, name, "None: Parameters are whole here", value, _MSG_PARTS)
    if rank_id not in (None, 0):
        refuse(ValueError, _OWNER, "rank_id", "0, the only process", rank_id)
    if len(require(checkpoint_filenames, list, _OWNER, "checkpoint_filenames")) != 1:
        refuse(ValueError, _OWNER, "checkpoint_filenames", "a list of one path", checkpoint_filenames, _MSG_PARTS)
    found = load_checkpoint(checkpoint_filenames[0], dec_key=dec_key, dec_mode=dec_mode, format=format)
    renamed = require(name_map, (dict, type(None)), _OWNER, "name_map") or {}
    found = {renamed.get(name, name): value for name, value in found.items()}
    load_param_into_net(network, found, strict_load)
    return found if return_param_dict else None
