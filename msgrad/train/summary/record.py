"""`SummaryRecord`: an open event file."""

import atexit
import os
import platform
import re
import time
from typing import Any

import numpy as np

from ... import log
from ..._contracts.contracts import Bool, Int
from ..._contracts.enforcement import checked
from ...engine.refusal import refuse, require
from ...nn.cell import Cell
from ...ops.control import summaries
from ...tensor.tensor import Tensor
from .._utils import make_directory
from . import events
from .graphs import graph_of

_LINEAGE = ("train_lineage", "eval_lineage", "dataset_graph", "custom_lineage_data", "landscape", "LANDSCAPE")
_DEFAULT_EXPORT_OPTIONS = {"tensor_format": {"npy", None}}  # the values that each option may have
_PLUGINS = (*summaries.SHAPES, "graph", "text")
_MSG_LINEAGE = "It is for MindInsight, and TensorBoard cannot show it: write a 'text' instead."
_MSG_ONE = (
    "For 'SummaryRecord', one record is open already, and only one can be: close it first, or make it in a 'with' "
    "statement."
)
_MSG_CLOSED = "For 'SummaryRecord', this record is closed: make a new one."
_MSG_FULL = "The event file %s has reached its 'max_file_size': later values are not written."


class SummaryRecord:
    """An event file for TensorBoard: the values of `add_value` and of operations such as `ScalarSummary`.

    Only one can be open at a time. It is a context manager, which closes the file.

    Args:
        log_dir (str): the folder of the file, which is created.
        file_prefix, file_suffix (str): prefix and suffix of the file's name. Default: ``'events'``, ``'_MS'``.
        num_process (int): a hint, without effect. Default: ``32``.
        network (Cell): its graph is recorded after a call in GRAPH_MODE. Default: ``None``.
        max_file_size (int): the largest size in bytes; later values are not written. Default: ``None``, no limit.
        raise_exception (bool): whether an OSError of writing is raised instead of logged. Default: ``False``.
        export_options (dict): ``{'tensor_format': 'npy'}`` also writes the Tensors to NumPy files.
            Default: ``None``.
    Raises:
        ImportError: without the packages of the extra ``summary``.
        TypeError, ValueError: for other values.  RuntimeError: if a record is open already.
    Example:
        >>> import tempfile
        >>> with ms.SummaryRecord(tempfile.mkdtemp()) as record:
        ...     record.add_value("scalar", "loss", Tensor(0.5))
        ...     record.record(1)
        True
    Source: mindspore.train.summary.SummaryRecord
    """

    _file: Any

    _open = None

    @checked
    def __init__(
        self,
        log_dir,
        file_prefix="events",
        file_suffix="_MS",
        num_process=32,
        network=None,
        max_file_size=None,
        raise_exception: Bool = False,
        export_options=None,
    ):
        if SummaryRecord._open is not None:
            raise RuntimeError(_MSG_ONE)
        folder = make_directory(log_dir, "log_dir")
        for name, value in (("file_prefix", file_prefix), ("file_suffix", file_suffix)):
            if not re.fullmatch(r"[\w.]+", require(value, str, "SummaryRecord", name), re.ASCII):
                refuse(ValueError, "SummaryRecord", name, "of letters, digits, '_' and '.'", value)
        require(max_file_size, (int, type(None)), "SummaryRecord", "max_file_size")
        self.network = require(network, (Cell, type(None)), "SummaryRecord", "network")
        self.raise_exception = raise_exception
        second = int(time.time())
        self._exports = _exports(export_options, os.path.join(folder, f"export_{second}"))
        name = f"{file_prefix}.out.tfevents.summary.{second}.{os.getpid()}.{platform.node()}{file_suffix}"
        self._path = os.path.join(folder, name)
        self._file = events.EventFile(self._path, max_file_size)
        self._mode, self._values = "train", {}
        self._has_graph = self._is_full = False
        SummaryRecord._open = self
        summaries.begin()
        atexit.register(self.close)  # events are written in batches: without a flush the last would be lost

    def __enter__(self):
        if self._file is None:
            raise ValueError(_MSG_CLOSED)
        return self

    def __exit__(self, *error):
        self.close()

    @property
    def log_dir(self):
        """The path of the file (str). Source: mindspore.train.summary.SummaryRecord.log_dir"""
        return self._path

    def set_mode(self, mode):
        """Sets whether `record` writes the values of summary operations.

        Args:
            mode (str): ``'train'``: it does; ``'eval'``: it does not.
        Raises:
            ValueError: for another value.
        Source: mindspore.train.summary.SummaryRecord.set_mode
        """
        if mode not in ("train", "eval"):
            refuse(ValueError, "SummaryRecord.set_mode", "mode", "'train' or 'eval'", mode)
        self._mode = mode

    def add_value(self, plugin, name, value):
        """Stores a value for the next `record`; a later value of the same name replaces it.

        Args:
            plugin (str): ``'scalar'``, ``'tensor'``, ``'image'``, ``'histogram'``, ``'graph'`` or (msgrad's own)
                ``'text'``.
            name (str): of the value.
            value (Tensor | Cell | str): a Tensor of the shape that the summary operation of this kind takes; for a
                graph, a Cell that has been called in GRAPH_MODE; for a text, a str.
        Raises:
            ValueError, TypeError: for other values, and for MindInsight's lineages and landscapes.
        Source: mindspore.train.summary.SummaryRecord.add_value
        """
        owner = "SummaryRecord.add_value"
        if plugin in _LINEAGE:
            refuse(ValueError, owner, "plugin", f"one of {_PLUGINS}", plugin, _MSG_LINEAGE)
        if plugin not in _PLUGINS:
            refuse(ValueError, owner, "plugin", f"one of {_PLUGINS}", plugin)
        if not isinstance(name, str) or not name:
            refuse(ValueError, owner, "name", "a str that is not empty", name)
        if plugin == "graph":
            value = graph_of(require(value, Cell, owner, "value"))
            if value is None:
                refuse(ValueError, owner, "value", "a Cell that has been called in GRAPH_MODE", value)
        elif plugin == "text":
            require(value, str, owner, "value")
        else:
            value = require(value, Tensor, owner, "value").asnumpy()
            summaries.check_shape(plugin, value, owner)
        self._values[plugin, name] = value

    @checked
    def record(self, step: Int, train_network=None, plugin_filter=None):
        """Writes the values stored since the last call.

        Args:
            step (int): the number of their step.
            train_network (Cell): its graph is written, if the record's ``network`` has none. Default: ``None``.
            plugin_filter (callable): ``plugin_filter(kind)`` returns whether to write it. Default: ``None``, all.
        Returns:
            bool: whether the record is open.
        Raises:
            TypeError: for other values.
        Source: mindspore.train.summary.SummaryRecord.record
        """
        require(train_network, (Cell, type(None)), "SummaryRecord.record", "train_network")
        if self._file is None:
            log.error(_MSG_CLOSED)
            return False
        self._add_graph(train_network)
        if self._mode == "train":
            for (plugin, name), value in summaries.take().items():
                self._values[plugin, name] = value.asnumpy()
        values, self._values = self._values, {}
        for (plugin, name), value in values.items():
            if plugin_filter is None or plugin_filter(plugin):
                self._guarded(self._write, step, plugin, name, value)
        return True

    def _add_graph(self, train_network):
        if self.network is None or self._has_graph:
            return
        graph = graph_of(self.network) or (train_network and graph_of(train_network))
        if graph is not None:
            self._values["graph", "network"] = graph
            self._has_graph = True

    def _write(self, step, plugin, name, value):
        if plugin == "tensor" and self._exports:
            os.makedirs(os.path.join(self._exports, "tensor"), exist_ok=True)
            np.save(os.path.join(self._exports, "tensor", f"{name.replace('/', '_')}_{step}.npy"), value)
        if plugin == "graph":
            is_written = self._file.add_graph(step, value)
        else:
            is_written = self._file.add(step, events.MAKERS[plugin](name, value))
        if not is_written and not self._is_full:
            self._is_full = True
            log.warning(_MSG_FULL, self._path)

    def _guarded(self, act, *args):
        try:
            act(*args)
        except OSError as error:
            if self.raise_exception:
                raise
            log.error("The summary cannot be written: %s", error)

    def flush(self):
        """Flushes written events to the disk. Source: mindspore.train.summary.SummaryRecord.flush"""
        if self._file is None:
            log.error(_MSG_CLOSED)
        else:
            self._guarded(self._file.flush)

    def close(self):
        """Closes the file. A second call does nothing. Source: mindspore.train.summary.SummaryRecord.close"""
        if self._file is None:
            return
        atexit.unregister(self.close)
        file, self._file, SummaryRecord._open = self._file, None, None
        summaries.end()
        self._guarded(file.close)


def process_export_options(export_options):
    """The options unchanged, a dict or None, after a check of its keys and values."""
    for name, value in (require(export_options, (dict, type(None)), "SummaryRecord", "export_options") or {}).items():
        require(value, (str, type(None)), "SummaryRecord", "export_options")
        if value not in _DEFAULT_EXPORT_OPTIONS.get(name, ()):
            refuse(ValueError, "SummaryRecord", "export_options", "{'tensor_format': 'npy'}", export_options)
    return export_options


def _exports(options, folder):
    """The folder for files of Tensors, or None."""
    return folder if (process_export_options(options) or {}).get("tensor_format") else None
