"""Callbacks that save the network."""

import os
import time
from typing import Any

from ..._common.seeding import Generator
from ..._contracts.contracts import Bool, NonNegativeInt, Text
from ..._contracts.enforcement import checked
from ...engine.refusal import refuse, require
from ...nn.cell import Cell
from ...tensor.tensor import Tensor
from .._utils import require_instance
from ..saving import save_checkpoint, wait_for_writer
from ._base import Callback
from .checkpoint_files import BROKEN_OFF, CheckpointManager, free_prefix

_COUNTED = ("epoch_num", "step_num")
_APPENDED = (int, float, bool, str, Tensor, Generator)


class CheckpointConfig:
    """The configuration of `ModelCheckpoint`: when it saves, and how many files it keeps.

    Args:
        save_checkpoint_steps (int): the number of steps between saves; 0 or None: save by time. Default: ``1``.
        save_checkpoint_seconds (int): the number of seconds between saves, if not by steps. Default: ``0``.
        keep_checkpoint_max (int): how many files to keep. Default: ``5``.
        keep_checkpoint_per_n_minutes (int): keep one file per this many minutes, if ``keep_checkpoint_max`` is 0 or
            None. Default: ``0``.
        integrated_save, async_save, enc_key, enc_mode, crc_check, format: as for `save_checkpoint`.
        saved_network (Cell): what to save. Default: ``None``, the training network.
        append_info (list): further values to save: ``'epoch_num'``, ``'step_num'``, and one dict. Default: ``None``.
        exception_save (bool): whether to save when training ends with an exception. Default: ``False``.
        remove_redundancy (bool): for several devices; True is an error here. Default: ``False``.
        kwargs: ``incremental``, ``enable_redundance``, without effect on one device.
    Raises:
        TypeError, ValueError: for other values, and if nothing would ever be saved or kept.
    Example:
        >>> ms.CheckpointConfig(save_checkpoint_steps=100, keep_checkpoint_max=3).keep_checkpoint_max
        3
    Source: mindspore.train.CheckpointConfig
    """

    @checked
    def __init__(
        self,
        save_checkpoint_steps: NonNegativeInt | None = 1,
        save_checkpoint_seconds: NonNegativeInt | None = 0,
        keep_checkpoint_max: NonNegativeInt | None = 5,
        keep_checkpoint_per_n_minutes: NonNegativeInt | None = 0,
        integrated_save: Bool = True,
        async_save=False,
        saved_network=None,
        append_info=None,
        enc_key=None,
        enc_mode="AES-GCM",
        exception_save: Bool = False,
        crc_check=False,
        remove_redundancy: Bool = False,
        format: Text = "ckpt",
        **kwargs,
    ):
        owner = "CheckpointConfig"
        if not any(
            (save_checkpoint_steps, save_checkpoint_seconds, keep_checkpoint_max, keep_checkpoint_per_n_minutes)
        ):
            refuse(
                ValueError, owner, "save_checkpoint_steps", "above 0, or one of the other three", save_checkpoint_steps
            )
        if remove_redundancy:
            refuse(TypeError, owner, "remove_redundancy", "False, on one device", remove_redundancy)
        self.save_checkpoint_steps = save_checkpoint_steps
        self.save_checkpoint_seconds = None if save_checkpoint_steps else save_checkpoint_seconds
        self.keep_checkpoint_per_n_minutes = None if keep_checkpoint_max else keep_checkpoint_per_n_minutes
        self.keep_checkpoint_max = keep_checkpoint_max
        if not keep_checkpoint_max and not keep_checkpoint_per_n_minutes:
            self.keep_checkpoint_max = 1
        self.integrated_save = integrated_save
        self.async_save = require(async_save, (bool, str), owner, "async_save")
        if isinstance(async_save, str) and async_save not in ("process", "thread"):
            refuse(ValueError, "save_checkpoint", "async_save", "a bool, 'process' or 'thread'", async_save)
        self.saved_network = require(saved_network, (Cell, type(None)), owner, "saved_network")
        self.append_dict = _appended(append_info)
        self.enc_key = require_instance(enc_key, (type(None), bytes), "enc_key")
        self.enc_mode = require_instance(enc_mode, str, "enc_mode")
        self.exception_save = exception_save
        self.crc_check = require_instance(crc_check, bool, "crc_check")
        self.remove_redundancy = remove_redundancy
        self.format = format
        self.map_param_inc = kwargs.get("incremental", False)
        self.enable_redundance = kwargs.get("enable_redundance", False)

    def get_checkpoint_policy(self) -> dict[str, Any]:
        """The options by name (dict). Source: mindspore.train.CheckpointConfig.get_checkpoint_policy"""
        names = ("steps", "seconds")
        fields = ("keep_checkpoint_max", "keep_checkpoint_per_n_minutes", "saved_network")
        return {name: getattr(self, name) for name in (*[f"save_checkpoint_{name}" for name in names], *fields)}


def _appended(append_info):
    """The values that ``append_info`` saves in addition to the network (dict), counts as 0; None if there are none."""
    if not require(append_info, (list, type(None)), "CheckpointConfig", "append_info"):
        return None
    appended = {name: 0 for name in _COUNTED if name in append_info}
    dicts = [item for item in append_info if isinstance(item, dict)]
    for item in append_info:
        require(item, (str, dict), "CheckpointConfig", "append_info")
        if isinstance(item, str) and item not in _COUNTED:
            refuse(ValueError, "CheckpointConfig", "append_info", f"a list of {_COUNTED} and one dict", item)
    if len(dicts) > 1:
        refuse(TypeError, "CheckpointConfig", "append_info", "a list with one dict at most", append_info)
    for name, value in dicts[0].items() if dicts else ():
        require(name, str, "CheckpointConfig", "name in the append_info")
        appended[name] = require(value, _APPENDED, "CheckpointConfig", f"append_info['{name}']")
    return appended


class ModelCheckpoint(Callback):
    """Saves the network during training, to files ``prefix-epoch_step.ckpt``, and removes the oldest files.

    If files with the prefix exist already, they are kept and the prefix becomes ``prefix_1``, and so on.

    Args:
        prefix (str | callable): prefix of the file names, without ``'/'``; a function of the callback's arguments
            returns the whole name without extension, at each step. Default: ``'CKP'``.
        directory (str | callable): the folder, which is created; or a function of the callback's arguments that
            returns it. Default: ``None``, the working directory.
        config (CheckpointConfig): when to save and what to keep. Default: ``None``, its defaults.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> import tempfile
        >>> ms.ModelCheckpoint("net", tempfile.mkdtemp(), ms.CheckpointConfig(10)).latest_ckpt_file_name
        ''
    Source: mindspore.train.ModelCheckpoint
    """

    def __init__(self, prefix="CKP", directory=None, config=None):
        super().__init__()
        self._prefix_func = prefix if callable(prefix) else None
        self._directory_func = directory if callable(directory) else None
        if not callable(prefix):
            _check_prefix(prefix)
        self._prefix = self._exception_prefix = prefix
        self._directory = os.getcwd() if directory is None or callable(directory) else _make_folder(directory)
        self._config = (
            require(config, (CheckpointConfig, type(None)), "ModelCheckpoint", "config") or CheckpointConfig()
        )
        if not callable(prefix) and not callable(directory):
            self._prefix = free_prefix(self._directory, prefix)
        self._manager = CheckpointManager(self._config.format)
        self._append_dict = dict(self._config.append_dict or {})
        self._append_epoch_num, self._append_step_num = (self._append_dict.get(name, 0) for name in _COUNTED)
        self._need_flush_from_cache = False  # read by subclasses' `_save_ckpt`: no Parameter is in a cache here
        self._latest_ckpt_file_name = ""
        self._last_time = self._last_time_for_keep = time.time()
        self._last_triggered_step = 0

    @property
    def latest_ckpt_file_name(self) -> str:
        """The path of the newest file (str). Source: mindspore.train.ModelCheckpoint.latest_ckpt_file_name"""
        return self._latest_ckpt_file_name

    def step_end(self, run_context):
        """Saves, if a save is due. Source: mindspore.train.ModelCheckpoint.step_end"""
        facts = run_context.original_args()
        if self._prefix_func:
            self._prefix = _check_prefix(self._prefix_func(facts))
        if self._directory_func:
            self._directory = _make_folder(self._directory_func(facts))
        self._save_ckpt(facts)

    def end(self, run_context):
        """Saves the last step. Source: mindspore.train.ModelCheckpoint.end"""
        self._save_ckpt(run_context.original_args(), True)
        if self._config.async_save:
            self._finish_writing()

    def _save_broken_off_(self, facts):
        """Saves the network when an exception ends training, if the config says so."""
        if not self._config.exception_save or "cur_epoch_num" not in facts:
            return
        prefix = free_prefix(self._directory, self._exception_prefix, broken_off=True)
        name = f"{prefix}-{facts.cur_epoch_num}_{_step_in_epoch(facts)}{BROKEN_OFF}"
        self._write(os.path.join(self._directory, name), facts)

    # -- MindSpore's hooks, which subclasses override; so they and the attributes that they read have its names --------

    def _save_ckpt(self, cb_params, force_to_save=False):
        facts = cb_params
        if facts.cur_step_num == self._last_triggered_step or not self._check_save_ckpt(facts, force_to_save):
            return
        if self._config.async_save:
            self._finish_writing()
        name = self._prefix if self._prefix_func else f"{self._prefix}-{facts.cur_epoch_num}_{_step_in_epoch(facts)}"
        path = os.path.join(self._directory, f"{name}.{self._config.format}")
        self._last_triggered_step = facts.cur_step_num
        self._write(path, facts)
        self._latest_ckpt_file_name = path
        if not self._config.async_save:
            self._make_room()
        self._last_time_for_keep = time.time()

    def _check_save_ckpt(self, cb_params, force_to_save):
        config = self._config
        if config.save_checkpoint_steps:
            return force_to_save or cb_params.cur_step_num >= self._last_triggered_step + config.save_checkpoint_steps
        if not config.save_checkpoint_seconds:
            return False
        is_due = force_to_save or time.time() - self._last_time > config.save_checkpoint_seconds
        if is_due:
            self._last_time = time.time()
        return is_due

    def _append_dict_content(self, epoch_num, step_num):
        counted = {"epoch_num": self._append_epoch_num + epoch_num, "step_num": self._append_step_num + step_num}
        self._append_dict.update({name: number for name, number in counted.items() if name in self._append_dict})

    # -- writing ---------------------------------------------------------------------------------------------------

    def _finish_writing(self):
        """Waits for the file being written, then removes older ones; raises if the file could not be written."""
        wait_for_writer()
        self._make_room()

    def _write(self, path, facts):
        config = self._config
        self._append_dict_content(facts.cur_epoch_num, facts.cur_step_num)
        save_checkpoint(
            facts.train_network if config.saved_network is None else config.saved_network, path,
            async_save=config.async_save, append_dict=self._append_dict, enc_key=config.enc_key,
            enc_mode=config.enc_mode, crc_check=config.crc_check, format=config.format,
        )  # fmt: skip

    def _make_room(self):
        """Removes the files that the config does not keep, after the newest one is complete."""
        config, manager = self._config, self._manager
        manager.update_ckpoint_filelist(self._directory, self._prefix)
        manager.ckpoint_filelist = [path for path in manager.ckpoint_filelist if path != self._latest_ckpt_file_name]
        if config.keep_checkpoint_max:
            if manager.ckpoint_num >= config.keep_checkpoint_max:
                manager.remove_oldest_ckpoint_file()
        elif time.time() - self._last_time_for_keep < config.keep_checkpoint_per_n_minutes * 60:
            manager.keep_one_ckpoint_per_minutes(config.keep_checkpoint_per_n_minutes, time.time())


def _step_in_epoch(facts):
    return (facts.cur_step_num - 1) % facts.batch_num + 1


def _check_prefix(prefix):
    if not isinstance(prefix, str) or "/" in prefix:
        refuse(ValueError, "ModelCheckpoint", "prefix", "a str without '/', or a function that gives one", prefix)
    return prefix


def _make_folder(directory):
    """The absolute path of a folder, which is created if it is missing."""
    path = os.path.realpath(require(directory, str, "ModelCheckpoint", "directory"))
    os.makedirs(path, exist_ok=True)
    return path
