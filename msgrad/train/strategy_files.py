"""MindSpore's functions for strategy files: reading them, and merging those of a pipeline's stages."""

import os
import re
from typing import Any

from ..communication.management import get_rank
from ..engine.refusal import refuse, require
from ._files import strategies
from ._files.messages import DamagedError
from .slicing import Slicing

_MSG_DAMAGED = "For '{}', {} is not a strategy file: {}."


def build_searched_strategy(strategy_filename):
    """Reads the layouts of a strategy file.

    Args:
        strategy_filename (str): written by ``strategy_ckpt_save_file`` of MindSpore or msgrad; ``.json`` files are
            JSON.
    Returns:
        dict, layouts by Parameter name, for `merge_sliced_parameter`.
    Raises:
        TypeError: if it is not a str.  ValueError: if the file is missing, empty or damaged.
    Source: mindspore.parallel.build_searched_strategy, mindspore.train.build_searched_strategy
    """
    return read(strategy_filename, "build_searched_strategy")[1]


def read(path, owner):
    """The pipeline stage of a strategy file (int | None), and its layouts by name."""
    return _read(strategies.read, path, owner, "strategy_filename")


def _read(reader, path, owner, argument) -> Any:
    require(path, str, owner, argument)
    if not os.path.isfile(path) or not os.path.getsize(path):
        refuse(ValueError, owner, argument, "an existing file that is not empty", path)
    try:
        return reader(path)
    except DamagedError as error:
        raise ValueError(_MSG_DAMAGED.format(owner, path, error)) from None


def slicings(path, owner) -> Any:
    """The `Slicing` of each Parameter of a strategy file by name; None without a file.

    In a file of several stages, names begin with the stage's name and a hyphen.
    """
    if path is None:
        return None
    stages, layouts = {}, {}
    for name, layout in read(path, owner)[1].items():
        stage, hyphen, own = name.partition("-")
        stage, own = (int(stage), own) if hyphen and stage.isdecimal() else (0, name)
        stages.setdefault(own, []).append(stage)
        if stage == min(stages[own]):
            layouts[own] = layout
    slicing_of = {name: Slicing.of(layout, stages[name]) for name, layout in layouts.items()}
    if not slicing_of:
        refuse(ValueError, owner, "strategy_filename", "a file with layouts of Parameters", path)
    return slicing_of


def merge_pipeline_strategys(src_strategy_dirs, dst_strategy_file):
    """Merges the strategy files of a pipeline's stages into one.

    Args:
        src_strategy_dirs (str): a folder with one file for each stage, all ``.ckpt`` or all ``.json``.
        dst_strategy_file (str): the file to write.
    Raises:
        NotADirectoryError: if the folder is missing.  ValueError: for files of both kinds, and files without layouts.
    Source: mindspore.parallel.merge_pipeline_strategys, mindspore.merge_pipeline_strategys
    """
    owner = "merge_pipeline_strategys"
    if not os.path.isdir(src_strategy_dirs):
        refuse(NotADirectoryError, owner, "src_strategy_dirs", "a folder", src_strategy_dirs)
    files = sorted(os.listdir(src_strategy_dirs))
    files = [os.path.join(src_strategy_dirs, name) for name in files if name.endswith((".ckpt", ".json"))]
    if len({os.path.splitext(name)[1] for name in files}) != 1:
        refuse(ValueError, owner, "src_strategy_dirs", "a folder of .ckpt files alone or of .json files alone", files)
    merged, done = {}, set()
    for path in files:
        stage, layouts = read(path, owner)
        if stage is None or not layouts:
            refuse(ValueError, owner, "src_strategy_dirs", "a folder of files with layouts", path)
        if stage not in done:
            merged |= {f"{stage}-{name}": layout for name, layout in layouts.items()}
            done.add(stage)
    strategies.write(dst_strategy_file, min(done), merged)


def restore_group_info_list(group_info_file_name):
    """The ranks with the same checkpoint as this one, from a file of MindSpore's ``group_ckpt_save_file``.

    Args:
        group_info_file_name (str): the file.
    Returns:
        list[int].
    Raises:
        TypeError: if it is not a str.  ValueError: if the file is missing, empty or damaged.
    Source: mindspore.parallel.restore_group_info_list, mindspore.restore_group_info_list
    """
    return _read(strategies.read_ranks, group_info_file_name, "restore_group_info_list", "group_info_file_name")


def get_ckpt_path_with_strategy(cur_ckpt_path, cur_strategy_path):
    """The checkpoint with the Parameters of this rank: its own, or else that of another rank with the same parts.

    Args:
        cur_ckpt_path (str): the checkpoint of this rank; ``rank_N`` in it stands for the rank.
        cur_strategy_path (str): the strategy file; it is read if this rank has no checkpoint.
    Returns:
        str, an existing path; None if there is none.
    Raises:
        TypeError: if one is not a str.  ValueError: if the strategy file is missing, empty or damaged.
    Source: mindspore.train.get_ckpt_path_with_strategy, mindspore.get_ckpt_path_with_strategy
    """
    owner = "get_ckpt_path_with_strategy"
    path, rank = require(cur_ckpt_path, str, owner, "cur_ckpt_path"), get_rank()
    if f"rank_{rank}" in path and os.path.isfile(path):
        return path
    layouts = slicings(require(cur_strategy_path, str, owner, "cur_strategy_path"), owner)
    others = [re.sub(r"rank_\d+", f"rank_{other}", path) for other in sorted(_peers(rank, layouts))]
    return next(filter(os.path.isfile, others), None)


def _peers(rank, layouts):
    """The ranks with the same part of each Parameter as ``rank``, as MindSpore chooses them.

    These are the smallest set of replicas among all Parameters, and only ``rank`` where two sets are not nested.
    """
    peers = None
    for name in sorted(layouts):
        if not name.startswith(("accu_grads", "inputs")):
            replicas = layouts[name].replicas(rank)
            common = replicas if peers is None else replicas & peers
            if common != replicas and common != peers:
                return {rank}
            peers = common
    return peers or {rank}
