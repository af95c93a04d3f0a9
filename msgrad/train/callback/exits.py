"""Callbacks that save and resume: exit on request, and restart after a failure."""

import json
import os
import signal

from ... import log
from ..._contracts import check
from ..._contracts.contracts import Bool, Int, Text
from ..._contracts.enforcement import checked
from ...engine.refusal import refuse, require
from .._utils import make_directory
from ..exporting import export
from ..loading import load_checkpoint
from ..saving import save_checkpoint
from ._base import Callback

_KEY = "GracefulExit"


class OnRequestExit(Callback):
    """Saves and stops training or evaluation after the current step, on a signal or a request in a file.

    The next run with the same file names resumes from the checkpoint. Only Python's main thread receives signals.

    Args:
        save_ckpt (bool): whether to save a checkpoint, which is loaded when training begins. Default: ``True``.
        save_mindir (bool): whether to export the network, too (the extra ``export``). Default: ``True``.
        file_name (str): the name of both files; ``_train`` or ``_eval`` is appended. Default: ``'Net'``.
        directory (str): the files are in its folder ``rank_0``. Default: ``'./'``.
        config_file (str): a JSON file; ``{"GracefulExit": 1}`` requests the exit. Default: ``None``.
        sig (int): the signal that requests the exit. Default: ``signal.SIGTERM``.
    Raises:
        TypeError, ValueError: for other values; ValueError for ``SIGKILL``, which a process cannot handle.
    Example:
        >>> import tempfile
        >>> callback = ms.train.OnRequestExit(file_name="net", directory=tempfile.mkdtemp(), save_mindir=False)
        >>> ms.Model(net, nn.MSELoss(), optimizer).train(1, dataset, callbacks=callback)
    Source: mindspore.train.OnRequestExit
    """

    @checked
    def __init__(
        self,
        save_ckpt: Bool = True,
        save_mindir: Bool = True,
        file_name: Text = "Net",
        directory="./",
        config_file=None,
        sig: Int = signal.SIGTERM,
    ):
        super().__init__()
        if sig == signal.SIGKILL:
            refuse(ValueError, "OnRequestExit", "sig", "a signal that a program can wait for", sig)
        self.save_ckpt, self.save_mindir, self.sig = save_ckpt, save_mindir, sig
        self.remote_config_file = require(config_file, (str, type(None)), "OnRequestExit", "config_file")
        folder = make_directory(os.path.join(require(directory, str, "OnRequestExit", "directory"), "rank_0"))
        self.train_name, self.eval_name = (os.path.join(folder, f"{file_name}_{mode}") for mode in ("train", "eval"))
        self.exit = False
        self._handler = None

    def __exit__(self, *error):
        if self._handler is not None:
            signal.signal(self.sig, self._handler)
            self._handler = None

    def on_train_begin(self, run_context):
        """Waits for the signal, and loads the saved network. Source: mindspore.train.OnRequestExit.on_train_begin"""
        self._begin(run_context.original_args().train_network, [self.train_name])

    def on_train_step_end(self, run_context):
        """Stops training, if an exit was requested. Source: mindspore.train.OnRequestExit.on_train_step_end"""
        self._stop_if_asked(run_context)

    def on_train_epoch_end(self, run_context):
        """Stops training, if an exit was requested. Source: mindspore.train.OnRequestExit.on_train_epoch_end"""
        self._stop_if_asked(run_context)

    def on_train_end(self, run_context):
        """Saves, if an exit was requested. Source: mindspore.train.OnRequestExit.on_train_end"""
        facts = run_context.original_args()
        counts = {"epoch_num": facts.cur_epoch_num, "step_num": facts.cur_step_num, "batch_num": facts.batch_num}
        self._end(facts.train_network, facts.train_dataset_element, self.train_name, counts)

    def on_eval_begin(self, run_context):
        """Waits for the signal, and loads the saved network. Source: mindspore.train.OnRequestExit.on_eval_begin"""
        self._begin(run_context.original_args().eval_network, [self.eval_name, self.train_name])

    def on_eval_step_end(self, run_context):
        """Stops evaluation, if an exit was requested. Source: mindspore.train.OnRequestExit.on_eval_step_end"""
        self._stop_if_asked(run_context)

    def on_eval_end(self, run_context):
        """Saves, if an exit was requested. Source: mindspore.train.OnRequestExit.on_eval_end"""
        facts = run_context.original_args()
        self._end(facts.eval_network, facts.eval_dataset_element, self.eval_name, {})

    def _begin(self, network, names):
        self.exit = False
        self._handler = signal.signal(self.sig, self._ask)
        paths = [f"{name}.ckpt" for name in names if self.save_ckpt and os.path.isfile(f"{name}.ckpt")]
        if paths:
            load_checkpoint(paths[0], net=network)

    def _ask(self, number, frame):
        self.exit = True

    def _stop_if_asked(self, run_context):
        self.exit = self.exit or self._asks_in_file()
        if self.exit:
            run_context.request_stop()

    def _asks_in_file(self):
        if self.remote_config_file is None or not os.path.exists(self.remote_config_file):
            return False
        try:
            with open(self.remote_config_file, encoding="utf-8") as file:
                content = json.load(file)
        except ValueError as error:
            log.warning("The file %s is not JSON: %s", self.remote_config_file, error)
            return False
        return isinstance(content, dict) and content.get(_KEY) == 1

    def _end(self, network, inputs, name, counts):
        if not self.exit:
            return
        if self.save_ckpt:
            save_checkpoint(network, f"{name}.ckpt", append_dict=counts)
        if self.save_mindir:
            export(network, *inputs, file_name=name, file_format="MINDIR")


class BackupAndRestore(Callback):
    """Saves the network at intervals of epochs; after a failure the next run resumes from the last save.

    Args:
        backup_dir (str): the folder of ``backup.ckpt``, which is created.
        save_freq (str | int): the number of epochs between saves; ``'epoch'``: 1. Default: ``'epoch'``.
        delete_checkpoint (bool): whether to remove the file when training has ended. Default: ``True``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> import tempfile
        >>> callback = ms.train.BackupAndRestore(tempfile.mkdtemp())
        >>> ms.Model(net, nn.MSELoss(), optimizer).train(1, dataset, callbacks=callback)
    Source: mindspore.train.BackupAndRestore
    """

    @checked
    def __init__(self, backup_dir, save_freq="epoch", delete_checkpoint: Bool = True):
        super().__init__()
        self.backup_file = os.path.join(make_directory(backup_dir, "backup_dir"), "backup.ckpt")
        self.save_freq = 1 if save_freq == "epoch" else check.positive_int(save_freq, "save_freq", "BackupAndRestore")
        self.delete_checkpoint = delete_checkpoint

    def on_train_begin(self, run_context):
        """Loads the saved network. Source: mindspore.train.BackupAndRestore.on_train_begin"""
        if os.path.exists(self.backup_file):
            load_checkpoint(self.backup_file, net=run_context.original_args().train_network)

    def on_train_epoch_end(self, run_context):
        """Saves. Source: mindspore.train.BackupAndRestore.on_train_epoch_end"""
        facts = run_context.original_args()
        if facts.cur_epoch_num % self.save_freq == 0:
            save_checkpoint(facts.train_network, self.backup_file)

    def on_train_end(self, run_context):
        """Removes the file. Source: mindspore.train.BackupAndRestore.on_train_end"""
        if self.delete_checkpoint and os.path.exists(self.backup_file):
            os.remove(self.backup_file)
