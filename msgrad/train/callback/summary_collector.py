"""A callback that records summaries."""

import json
import re
from typing import Any

import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Bool, PositiveInt
from ..._contracts.enforcement import checked
from ...engine.refusal import refuse, require
from ...nn.optim.optimizer import Optimizer
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from .._utils import make_directory
from ..summary.graphs import graph_of
from ..summary.record import SummaryRecord
from ._base import Callback

_FLAGS = (
    "collect_metric", "collect_graph", "collect_train_lineage", "collect_eval_lineage", "collect_input_data",
    "collect_dataset_graph",
)  # fmt: skip
_KEYS = (*_FLAGS, "histogram_regular", "collect_landscape")
_FIRST_PARAMETERS = 5  # number of Parameters with histograms, by default
_MOST_TENSORS = 20  # number of steps at which Tensors are recorded, by default
_MSG_LANDSCAPE = "MindInsight alone draws it: leave the key out."


class SummaryCollector(Callback):
    """Records loss, input images, histograms of Parameters, graph, and values of operations such as `ScalarSummary`.

    The files are for TensorBoard (`SummaryRecord`). MindInsight's lineages and landscapes are not recorded.

    Args:
        summary_dir (str): the folder of the files, which is created.
        collect_freq (int): the number of steps between recordings, in sink mode of epochs; the first is recorded.
            Default: ``10``.
        num_process (int): a hint, without effect. Default: ``32``.
        collect_specified_data (dict): what to record, by name: ``collect_metric`` (the loss), ``collect_graph``,
            ``collect_input_data`` (bools), ``histogram_regular`` (str, which Parameters; None: the first five);
            ``collect_train_lineage``, ``collect_eval_lineage``, ``collect_dataset_graph`` have no effect.
            Default: ``None``, all.
        keep_default_action (bool): whether to record what ``collect_specified_data`` does not name.
            Default: ``True``.
        custom_lineage_data (dict): str, int and float by name; recorded as a text. Default: ``None``.
        collect_tensor_freq (int): the number of steps between recordings of `TensorSummary`'s values. Default:
            ``None``: twenty recordings at most.
        max_file_size, export_options: as for `SummaryRecord`.
    Raises:
        ImportError: without the packages of the extra ``summary``, when training begins.
        TypeError, ValueError: for other values.
    Example:
        >>> import tempfile
        >>> collector = ms.SummaryCollector(tempfile.mkdtemp(), collect_freq=1)
        >>> ms.Model(net, nn.MSELoss(), optimizer).train(1, dataset, callbacks=collector)
    Source: mindspore.train.SummaryCollector
    """

    _record: Any

    @checked
    def __init__(
        self,
        summary_dir,
        collect_freq: PositiveInt = 10,
        num_process=32,
        collect_specified_data=None,
        keep_default_action: Bool = True,
        custom_lineage_data=None,
        collect_tensor_freq: PositiveInt | None = None,
        max_file_size: PositiveInt | None = None,
        export_options=None,
    ):
        super().__init__()
        self._folder = make_directory(summary_dir, "summary_dir")
        self._frequency, self._tensor_frequency = collect_freq, collect_tensor_freq
        self._max_file_size, self._export_options = max_file_size, export_options
        self._specified = _specified(collect_specified_data, keep_default_action)
        self._custom = _custom(custom_lineage_data)
        self._record = None

    def __enter__(self):
        self._record = SummaryRecord(
            self._folder, max_file_size=self._max_file_size, export_options=self._export_options
        )
        self._is_first, self._tensor_steps = True, ()
        return self

    def __exit__(self, *error):
        self._record.close()

    def begin(self, run_context):
        """Prepares the record. Source: mindspore.train.SummaryCollector.begin"""
        facts = run_context.original_args()
        if sum(isinstance(callback, SummaryCollector) for callback in facts.list_callback) > 1:
            refuse(ValueError, "SummaryCollector", "callbacks", "a list with one SummaryCollector", facts.list_callback)
        self._record.set_mode(facts.mode)

    def step_end(self, run_context):
        """Records, if it is time. Source: mindspore.train.SummaryCollector.step_end"""
        facts = run_context.original_args()
        if facts.mode == "train" and not facts.dataset_sink_mode:
            self._collect(facts, facts.cur_step_num, facts.epoch_num * facts.batch_num)

    def epoch_end(self, run_context):
        """Records, in sink mode, and writes to the disk. Source: mindspore.train.SummaryCollector.epoch_end"""
        facts = run_context.original_args()
        if facts.mode == "train" and facts.dataset_sink_mode:
            self._collect(facts, facts.cur_epoch_num, facts.epoch_num)
        self._record.flush()

    def end(self, run_context):
        """Writes to the disk. Source: mindspore.train.SummaryCollector.end"""
        self._record.flush()

    def _collect(self, facts, number, last):
        """Records a summary at step (or epoch) ``number`` of ``last``."""
        is_due = self._is_first or number % self._frequency == 0
        if self._is_first:
            self._tensor_steps = self._steps_of_tensors(last)
            self._add_once(facts)
        with_tensors = self._is_first or number in self._tensor_steps
        self._is_first = False
        if is_due:
            self._add(facts)
        if is_due or with_tensors:
            self._record.record(
                facts.cur_step_num, plugin_filter=lambda plugin: with_tensors if plugin == "tensor" else is_due
            )

    def _steps_of_tensors(self, last):
        if self._tensor_frequency is not None:
            return range(0, last + 1, self._tensor_frequency)
        if last // self._frequency + 1 <= _MOST_TENSORS:
            return range(0, last + 1, self._frequency)
        frequency = last // (_MOST_TENSORS - 1)
        return range(0, last + 1, frequency)[:_MOST_TENSORS] if frequency > 1 else range(_MOST_TENSORS + 1)

    def _add_once(self, facts):
        if self._specified.get("collect_graph") and graph_of(facts.train_network) is not None:
            self._record.add_value("graph", "train_network/auto", facts.train_network)
        if self._custom:
            self._record.add_value("text", "custom_lineage_data", json.dumps(self._custom))

    def _add(self, facts):
        add = self._record.add_value
        element = facts.get("train_dataset_element") or (None,)
        images = element[0] if isinstance(element, (tuple, list)) else element
        if self._specified.get("collect_input_data") and isinstance(images, Tensor) and images.ndim == 4:
            add("image", "input_data/auto", images)
        loss = _loss_of(facts.net_outputs)
        if self._specified.get("collect_metric") and loss is not None:
            add("scalar", "loss/auto", loss)
        if "histogram_regular" in self._specified:
            for parameter in _chosen(_parameters_of(facts), self._specified["histogram_regular"]):
                add("histogram", f"{parameter.name}/auto", parameter)


def _loss_of(outputs):
    """The mean of a network's first result, or None."""
    first = outputs[0] if isinstance(outputs, (tuple, list)) and outputs else outputs
    if isinstance(first, Tensor):
        return Tensor(np.mean(first.asnumpy()))
    return Tensor(first) if isinstance(first, (int, float)) else None


def _parameters_of(facts):
    """The trainable Parameters that are not 0-d."""
    optimizer = facts.optimizer
    if optimizer is None:
        cells = (cell for _, cell in facts.train_network.cells_and_names())
        optimizer = next((cell for cell in cells if isinstance(cell, Optimizer)), None)
    return [parameter for parameter in getattr(optimizer, "parameters", ()) if parameter.ndim]


def _chosen(parameters: list[Parameter], pattern):
    if pattern is None:
        return parameters[:_FIRST_PARAMETERS]
    return [parameter for parameter in parameters if re.match(pattern, parameter.name)]


def _specified(specified, keeps_default):
    """The kinds of data to record, by name."""
    owner = "SummaryCollector"
    result = {**dict.fromkeys(_FLAGS, True), "histogram_regular": None} if keeps_default else {}
    for name, value in (require(specified, (dict, type(None)), owner, "collect_specified_data") or {}).items():
        if name not in _KEYS:
            refuse(ValueError, owner, "collect_specified_data", f"a dict with keys out of {_KEYS}", name)
        if name in _FLAGS:
            check.boolean(value, f"collect_specified_data['{name}']", owner)
        elif name == "collect_landscape" and value is not None:
            refuse(ValueError, owner, "collect_landscape", "None", value, _MSG_LANDSCAPE)
        elif name == "histogram_regular" and require(value, (str, type(None)), owner, name) is not None:
            try:
                re.compile(value)
            except re.error as error:
                refuse(ValueError, owner, name, f"a regular expression ({error})", value)
        result[name] = value
    return result


def _custom(lineage):
    for name, value in (require(lineage, (dict, type(None)), "SummaryCollector", "custom_lineage_data") or {}).items():
        require(name, str, "SummaryCollector", "name in the custom_lineage_data")
        require(value, (str, int, float), "SummaryCollector", f"custom_lineage_data['{name}']")
    return lineage
