"""Resharding of checkpoints: each Parameter is joined, and cut again by another strategy."""

import glob
import os
import re
from typing import Any

import numpy as np

from ..engine.refusal import refuse, require
from ..tensor.parameter import Parameter
from ..tensor.tensor import Tensor
from .loading import load_checkpoint
from .saving import FORMATS, save_checkpoint
from .slicing import whole
from .strategy_files import slicings

_MSG_MISSING = "For '{}', the checkpoint of rank {} is missing, or lacks '{}', which rank {} needs."


class Change:
    """A change from one strategy to another.

    Args:
        src, dst (str | None): strategy files; None: one device.
        owner (str): the function's name, for errors.
    """

    dst: Any

    def __init__(self, src, dst, owner):
        self.owner = owner
        self.src, self.dst = slicings(src, owner), slicings(dst, owner)
        self.src_devices, self.dst_devices = _devices(self.src), _devices(self.dst)

    def ranks_for(self, rank):
        """The source ranks whose checkpoints a destination rank needs, the largest first."""
        if self.src is None:
            return [0]
        ranks, stage = set(), rank // self.dst_devices
        for name, src in self.src.items():
            dst = whole(len(src.axes)) if self.dst is None else self.dst.get(name)
            if dst is None or (self.dst is not None and stage not in dst.stages):
                continue
            shape = [np.lcm(a, b) for a, b in zip(src.cuts(), dst.cuts(), strict=True)]  # any shape that both can cut
            local = rank % self.dst_devices
            needed = src.ranks_for(local, dst.region(local % dst.count(), shape), shape)
            ranks.update([src.stages[0] * self.src_devices + each for each in needed])
        return sorted(ranks, reverse=True)

    def made(self, rank, checkpoints):
        """The Parameters of a destination rank, as a list for `save_checkpoint`.

        Args:
            rank (int): the destination rank.
            checkpoints (dict): the source's Parameters by name, by rank.
        """
        names = list(dict.fromkeys([name for each in checkpoints.values() for name in each]))
        strategy_names = {*(self.src or ()), *(self.dst or ())}
        if strategy_names and not strategy_names & set(names):
            refuse(ValueError, self.owner, "strategy", "for Parameters of the checkpoints", sorted(strategy_names))
        stage = rank // self.dst_devices
        return [
            {"name": name, "data": self._parameter(name, rank, checkpoints)}
            for name in names
            if name not in (self.dst or {}) or stage in self.dst[name].stages
        ]

    def _parameter(self, name, rank, checkpoints):
        parts = {number: each[name] for number, each in checkpoints.items() if name in each}
        first = next(iter(parts.values()))
        length = len(first.shape)
        is_cut = (self.src is None or name in self.src) and (self.dst is None or name in self.dst)
        src = self.src[name] if is_cut and self.src is not None else whole(length)
        dst = self.dst[name] if is_cut and self.dst is not None else whole(length)
        shape = src.whole_shape(first.shape)
        local = rank % self.dst_devices
        region = dst.region(local % dst.count(), shape)
        values = np.zeros([each.stop - each.start for each in region], first._values_().dtype)
        for needed in src.ranks_for(local, region, shape):
            ranks = [number for number in parts if _has_part(src, number % src.count(), needed, shape)]
            if not ranks:
                raise ValueError(_MSG_MISSING.format(self.owner, needed, name, rank))
            own, source_region = _common(src.region(needed, shape), region)
            values[source_region] = parts[min(ranks, key=lambda number: number % src.count() != needed)]._values_()[own]
        return Parameter(Tensor(values, first.dtype), name, first.requires_grad, first.layerwise_parallel)


def _devices(layout):
    """The number of devices of a stage."""
    return next(iter(layout.values())).count() if layout else 1


def _has_part(slicing, rank, other, shape):
    return slicing.region(rank, shape) == slicing.region(other, shape)


def _common(part, region):
    """The intersection of two regions, relative to the start of each."""
    own, source_region = [], []
    for a, b in zip(part, region, strict=True):
        start, stop = max(a.start, b.start), min(a.stop, b.stop)
        own.append(slice(start - a.start, stop - a.start))
        source_region.append(slice(start - b.start, stop - b.start))
    return tuple(own), tuple(source_region)


def rank_list_for_transform(rank_id, src_strategy_file=None, dst_strategy_file=None):
    """The ranks whose checkpoints `transform_checkpoint_by_rank` needs for a rank.

    Args:
        rank_id (int): the destination rank.
        src_strategy_file, dst_strategy_file (str): strategy files. Default: ``None``, one device.
    Returns:
        list[int], the largest first.
    Raises:
        TypeError, ValueError: for other values and damaged files.
    Source: mindspore.rank_list_for_transform, mindspore.parallel.rank_list_for_convert
    """
    owner = "rank_list_for_transform"
    return Change(src_strategy_file, dst_strategy_file, owner).ranks_for(require(rank_id, int, owner, "rank_id"))


def transform_checkpoint_by_rank(
    rank_id, checkpoint_files_map, save_checkpoint_file_name, src_strategy_file=None, dst_strategy_file=None
):
    """Writes the checkpoint of one rank under another strategy.

    Args:
        rank_id (int): the destination rank.
        checkpoint_files_map (dict[int, str]): the source's checkpoints by rank, those of `rank_list_for_transform`.
        save_checkpoint_file_name (str): the file to write; ends with ``.ckpt``.
        src_strategy_file, dst_strategy_file (str): strategy files. Default: ``None``, one device.
    Raises:
        TypeError, ValueError: for other values, and missing or damaged files.
    Source: mindspore.transform_checkpoint_by_rank, mindspore.parallel.convert_checkpoint_by_rank
    """
    owner = "transform_checkpoint_by_rank"
    require(checkpoint_files_map, dict, owner, "checkpoint_files_map")
    require(rank_id, int, owner, "rank_id")
    path = require(save_checkpoint_file_name, str, owner, "save_checkpoint_file_name")
    if not path.endswith(".ckpt"):
        refuse(ValueError, owner, "save_checkpoint_file_name", "a name with .ckpt at its end", path)
    for each in checkpoint_files_map.values():
        if not os.path.exists(each):
            refuse(ValueError, owner, "checkpoint_files_map", "a dict of existing files", each)
    change = Change(src_strategy_file, dst_strategy_file, owner)
    checkpoints = {rank: load_checkpoint(each) for rank, each in checkpoint_files_map.items()}
    save_checkpoint(change.made(rank_id, checkpoints), path)


def transform_checkpoints(
    src_checkpoints_dir,
    dst_checkpoints_dir,
    ckpt_prefix,
    src_strategy_file=None,
    dst_strategy_file=None,
    process_num=1,
    output_format="ckpt",
):
    """Writes the checkpoints of all ranks under another strategy, to ``rank_N/PREFIXN.ckpt``.

    Args:
        src_checkpoints_dir (str): a folder with folders ``rank_0``, ``rank_1``, ...; the last file of each is used.
        dst_checkpoints_dir (str): the folder to write to.
        ckpt_prefix (str): the prefix of the file names.
        src_strategy_file, dst_strategy_file (str): strategy files. Default: ``None``, one device.
        process_num (int): a hint without effect. Default: ``1``.
        output_format (str): ``'ckpt'``, or ``'safetensors'`` if the source files are safetensors.
            Default: ``'ckpt'``.
    Raises:
        TypeError, ValueError, NotADirectoryError: for other values, and missing or damaged files.
    Source: mindspore.transform_checkpoints, mindspore.parallel.convert_checkpoints
    """
    owner = "transform_checkpoints"
    if not os.path.isdir(require(src_checkpoints_dir, str, owner, "src_checkpoints_dir")):
        refuse(NotADirectoryError, owner, "src_checkpoints_dir", "a folder", src_checkpoints_dir)
    require(ckpt_prefix, str, owner, "ckpt_prefix")
    if output_format not in FORMATS:
        refuse(ValueError, owner, "output_format", f"one of {FORMATS}", output_format)
    files = {kind: _files(src_checkpoints_dir, kind) for kind in FORMATS}
    if bool(files["ckpt"]) == bool(files["safetensors"]):
        refuse(ValueError, owner, "src_checkpoints_dir", "a folder with checkpoints of one kind", src_checkpoints_dir)
    kind = "ckpt" if files["ckpt"] else "safetensors"
    if kind == "ckpt" and output_format == "safetensors":
        refuse(ValueError, owner, "output_format", "'ckpt', as the checkpoints are", output_format)
    change = Change(src_strategy_file, dst_strategy_file, owner)
    stages = {stage for each in (change.dst or {}).values() for stage in each.stages} or {0}
    for rank in range(change.dst_devices * len(stages)):
        needed = change.ranks_for(rank)
        missing = [each for each in needed if each not in files[kind]]
        if missing:
            refuse(ValueError, owner, "src_checkpoints_dir", f"a folder with a checkpoint of rank {missing[0]}", needed)
        checkpoints = {each: load_checkpoint(files[kind][each], format=kind) for each in needed}
        folder = os.path.join(dst_checkpoints_dir, f"rank_{rank}")
        os.makedirs(folder, mode=0o700, exist_ok=True)
        path = os.path.join(folder, f"{ckpt_prefix}{rank}.{output_format}")
        save_checkpoint(change.made(rank, checkpoints), path, format=output_format)


def _files(folder, kind):
    """The last checkpoint of each rank, by rank."""
    files = {}
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "rank_*", f"*.{kind}"))):
        rank = re.fullmatch(r"rank_(\d+)", os.path.basename(os.path.dirname(path)))
        if rank:
            files[int(rank[1])] = path
    return files
