"""`Model`: training, evaluating and predicting with callbacks and metrics."""

from typing import Any

from .. import log, nn
from .._contracts import check
from ..amp import build_train_network
from ..context import GRAPH_MODE, get_auto_parallel_context, get_context
from ..engine.processes.world import World
from ..engine.refusal import refuse, require
from ..nn.cell import Cell
from ..nn.wrap.parameter_broadcast import share_parameters
from ..tensor.tensor import Tensor
from ._model_processes import ModelProcesses
from .callback import ModelCheckpoint, RunContext
from .callback import __all__ as _own_callbacks
from .callback._base import CallbackManager, InternalCallbackParam
from .dataset_helper import DatasetHelper, check_sink_size
from .metrics import get_metrics

_OPTIONS = ("loss_scale_manager", "keep_batchnorm_fp32", "boost_config_dict", "acc_level")
_OLD_NAMES = {"begin", "end", "epoch_begin", "epoch_end", "step_begin", "step_end"}
_INPUTS = (Tensor, int, float, str, type(None))
_MSG_OLD_NAMES = "For 'Model.%s', the callback %s defines %s: use the names on_train_... and on_eval_..."
_MSG_BOOST = "msgrad does not have mindspore.boost: to make training fast, compile the steps (GRAPH_MODE, or ms.jit)."
_MSG_REUSED = "The dataset is used by another Model: make a new one."
_MSG_LAYOUT = "For 'Model.{}', a sharding over several devices is needed, but this process has one device."


class Model(ModelProcesses):
    """A network with its loss, optimizer and metrics, trained and evaluated.

    Args:
        network (Cell): gives outputs, or the loss if ``loss_fn`` is None.
        loss_fn (Cell | function): takes the outputs and the labels. Default: ``None``.
        optimizer (Optimizer): Default: ``None``, nothing is updated.
        metrics (dict[str, Metric] | set[str]): the metrics of `eval`. Default: ``None``.
        eval_network (Cell): what `eval` calls. Default: ``None``, the network with its loss.
        eval_indexes (list[int]): the indices of the loss, the outputs and the labels in its results. Default: ``None``:
            all results go to the metrics.
        amp_level (str): as for `build_train_network`. Default: ``'O0'``.
        boost_level (str): only ``'O0'`` here. Default: ``'O0'``.
        kwargs: ``loss_scale_manager`` (LossScaleManager), ``keep_batchnorm_fp32`` (bool), as for `build_train_network`.
    Raises:
        TypeError, ValueError: for other values, and arguments that exclude each other.
    Example:
        >>> net = nn.Dense(4, 2)
        >>> model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"mae"})
        >>> model.predict(ops.ones((1, 4))).shape
        (1, 2)
    Source: mindspore.train.Model
    """

    def __init__(
        self,
        network,
        loss_fn=None,
        optimizer=None,
        metrics=None,
        eval_network=None,
        eval_indexes=None,
        amp_level="O0",
        boost_level="O0",
        **kwargs,
    ):
        self._check_kwargs(kwargs)
        if kwargs.get("acc_level", boost_level) != "O0":
            refuse(ValueError, "Model", "boost_level", "'O0'", boost_level, _MSG_BOOST)
        self._network = require(network, Cell, "Model", "network")
        if loss_fn is not None and not callable(loss_fn):
            # MindSpore asks a loss for its inputs.
            kind = type(loss_fn).__name__
            hint = "For 'Model', the 'loss_fn' must be a Cell or a function."
            raise AttributeError(f"'{kind}' object has no attribute 'get_inputs'. {hint}")
        self._loss_fn = loss_fn
        self._optimizer = optimizer
        self._amp_level = amp_level
        self._boost_level = "O0"
        self._loss_scale_manager = kwargs.get("loss_scale_manager")
        self._loss_scale_manager_set = "loss_scale_manager" in kwargs
        self._keep_bn_fp32 = kwargs.get("keep_batchnorm_fp32")
        self._parallel_mode = get_auto_parallel_context("parallel_mode")
        self._device_number = get_auto_parallel_context("device_num")
        self._parameter_broadcast = get_auto_parallel_context("parameter_broadcast")
        self._metrics, self._eval_network = metrics, eval_network
        self._train_network = self._build_train_network()
        self._build_eval_network(metrics, eval_network, eval_indexes)
        self._build_predict_network()

    # -- MindSpore's hooks, which subclasses override; so they and the attributes that they read have its names --------

    def _check_kwargs(self, kwargs):
        for name in kwargs:
            if name not in _OPTIONS:
                refuse(ValueError, "Model", "kwargs", f"out of {_OPTIONS}", name)

    def _build_train_network(self):
        if self._optimizer is None:
            if self._amp_level != "O0":
                refuse(ValueError, "Model", "amp_level", "'O0', without an 'optimizer'", self._amp_level)
            if self._loss_scale_manager is not None:
                refuse(
                    ValueError, "Model", "loss_scale_manager", "None, without an 'optimizer'", self._loss_scale_manager
                )
            return self._network if self._loss_fn is None else nn.WithLossCell(self._network, self._loss_fn)
        chosen = {"loss_scale_manager": self._loss_scale_manager} if self._loss_scale_manager_set else {}
        if self._keep_bn_fp32 is not None:
            chosen["keep_batchnorm_fp32"] = self._keep_bn_fp32
        return build_train_network(self._network, self._optimizer, self._loss_fn, level=self._amp_level, **chosen)

    def _build_eval_network(self, metrics, eval_network, eval_indexes):
        self._metric_fns = get_metrics(metrics)
        self._eval_indexes = eval_indexes
        if not self._metric_fns:
            return
        if eval_network is not None:
            if eval_indexes is not None and not (isinstance(eval_indexes, list) and len(eval_indexes) == 3):
                refuse(ValueError, "Model", "eval_indexes", "None, or a list of 3 ints", eval_indexes)
            self._eval_network = eval_network
            return
        if self._loss_fn is None:
            refuse(ValueError, "Model", "eval_network", "given with 'metrics', if there is no 'loss_fn'", None)
        casts = self._amp_level in ("O2", "O3", "auto")
        self._eval_network = nn.WithEvalCell(self._network, self._loss_fn, casts)
        self._eval_indexes = [0, 1, 2]

    def _build_predict_network(self):
        self._predict_network = self._network

    train_network = property(lambda self: self._train_network, doc="What `train` calls. Source: mindspore.train.Model")
    eval_network = property(lambda self: self._eval_network, doc="What `eval` calls. Source: mindspore.train.Model")
    predict_network = property(
        lambda self: self._predict_network, doc="What `predict` calls. Source: mindspore.train.Model"
    )

    # -- training --------------------------------------------------------------------------------------------------

    def train(self, epoch, train_dataset, callbacks=None, dataset_sink_mode=False, sink_size=-1, initial_epoch=0):
        """Trains the network.

        With an interrupt (Ctrl-C) the callbacks' ``on_train_end`` is still called, so that a checkpoint is saved.

        Args:
            epoch (int): the number of epochs.
            train_dataset (Dataset): its batches are the arguments of the training network: data and label, with a
                ``loss_fn``.
            callbacks (Callback | list[Callback]): called during training. Default: ``None``.
            dataset_sink_mode (bool): in GRAPH_MODE on an accelerator, run ``sink_size`` steps without returning to
                Python: many run in one launch, and the callbacks' step methods are called once for all of them. On a
                CPU and in PYNATIVE_MODE an epoch has all batches and callbacks see each step, as in MindSpore; in
                GRAPH_MODE the steps still share launches where no callback acts between them. Default: ``False``.
            sink_size (int): the steps of an epoch in sink mode; the dataset starts again after its last batch. -1: the
                number of batches. On a CPU and in PYNATIVE_MODE it only is the ``batch_num`` that callbacks see.
                Default: ``-1``.
            initial_epoch (int): the number of epochs already done. Default: ``0``.
        Raises:
            TypeError, ValueError: for other values, or data that do not fit.
            RuntimeError: if another Model has trained on the dataset.
        Source: mindspore.train.Model.train
        """
        steps = self._check_training("Model.train", epoch, train_dataset, dataset_sink_mode, sink_size, initial_epoch)
        _check_names(callbacks, "train")
        self._train(
            epoch,
            train_dataset,
            callbacks=callbacks,
            dataset_sink_mode=dataset_sink_mode,
            sink_size=steps,
            initial_epoch=initial_epoch,
        )

    def fit(
        self,
        epoch,
        train_dataset,
        valid_dataset=None,
        valid_frequency=1,
        callbacks=None,
        dataset_sink_mode=False,
        valid_dataset_sink_mode=False,
        sink_size=-1,
        initial_epoch=0,
    ):
        """Trains the network, and evaluates it after epochs.

        Args:
            epoch, train_dataset, callbacks, dataset_sink_mode, sink_size, initial_epoch: as for `train`.
            valid_dataset (Dataset): for `eval`. Default: ``None``, not to evaluate.
            valid_frequency (int | list[int]): evaluate after every this many epochs, or after these epochs. Default:
                ``1``.
            valid_dataset_sink_mode (bool): a hint, without effect here. Default: ``False``.
        Raises:
            TypeError, ValueError, RuntimeError: as `train`; ValueError if there are no metrics to evaluate.
        Source: mindspore.train.Model.fit
        """
        steps = self._check_training("Model.fit", epoch, train_dataset, dataset_sink_mode, sink_size, initial_epoch)
        check.boolean(valid_dataset_sink_mode, "valid_dataset_sink_mode", "Model.fit")
        require(valid_frequency, (int, list), "Model.fit", "valid_frequency")
        if valid_dataset is not None and not self._metric_fns:
            refuse(ValueError, "Model.fit", "metrics", "given to the Model, with a 'valid_dataset'", None)
        _check_names(callbacks, "fit")
        self._train(
            epoch,
            train_dataset,
            callbacks=callbacks,
            dataset_sink_mode=dataset_sink_mode,
            sink_size=steps,
            initial_epoch=initial_epoch,
            valid_dataset=valid_dataset,
            valid_frequency=valid_frequency,
            valid_dataset_sink_mode=valid_dataset_sink_mode,
        )

    def _check_training(self, owner, epoch, dataset, sink_mode, sink_size, initial_epoch):
        """Checks the arguments of training; the number of steps of an epoch in sink mode."""
        check.boolean(sink_mode, "dataset_sink_mode", owner)
        check.integer(sink_size, "sink_size", owner)
        check.positive_int(epoch, "epoch", owner)
        check.non_negative_int(initial_epoch, "initial_epoch", owner)
        if initial_epoch >= epoch:
            refuse(ValueError, owner, "initial_epoch", f"less than the 'epoch', {epoch}", initial_epoch)
        count = dataset.get_dataset_size()
        if count == 0:
            refuse(ValueError, owner, "train_dataset", "of at least one batch", dataset)
        check_sink_size(sink_size, owner)
        return count if sink_size == -1 else sink_size

    def _train(
        self,
        epoch,
        train_dataset,
        callbacks=None,
        dataset_sink_mode=True,
        sink_size=-1,
        initial_epoch=0,
        valid_dataset=None,
        valid_frequency=1,
        valid_dataset_sink_mode=True,
    ):
        if getattr(train_dataset, "__model_hash__", hash(self)) != hash(self):
            raise RuntimeError(_MSG_REUSED)
        train_dataset.__model_hash__ = hash(self)
        facts = self._facts("train", train_dataset, callbacks)
        if dataset_sink_mode and sink_size > 0:
            # On a CPU and in PYNATIVE_MODE, too, callbacks see the 'sink_size', although an epoch has all batches.
            facts.batch_num = sink_size
        facts.update(
            train_network=self._train_network, epoch_num=epoch - initial_epoch, loss_fn=self._loss_fn,
            optimizer=self._optimizer, parallel_mode=get_auto_parallel_context("parallel_mode"),
            device_number=World.size, train_dataset=train_dataset, train_dataset_element=None,
            last_save_ckpt_step=None, latest_ckpt_file=None,
            loss_scale_mananger=self._loss_scale_manager, initial_step=None,
        )  # fmt: skip
        valid_infos = (valid_dataset, valid_frequency, valid_dataset_sink_mode)
        is_sunk = dataset_sink_mode and get_context("mode") == GRAPH_MODE
        with self._network._laid_out_(), CallbackManager(facts.list_callback) as calls:
            share_parameters(self._train_network)
            try:
                if is_sunk and self._device_sinks():
                    self._train_dataset_sink_process(
                        epoch, train_dataset, calls, facts, sink_size, initial_epoch, valid_infos
                    )
                else:
                    self._is_sunk = is_sunk
                    self._train_process(epoch, train_dataset, calls, facts, initial_epoch, valid_infos)
            except BaseException as error:
                _broken_off(error, calls, facts)
                raise

    @staticmethod
    def _device_sinks():
        """Whether MindSpore has sink mode on this kind of device."""
        return get_context("device_target") != "CPU"

    # -- evaluating ------------------------------------------------------------------------------------------------

    def eval(self, valid_dataset, callbacks=None, dataset_sink_mode=False):
        """Evaluates the network with the metrics.

        Args:
            valid_dataset (Dataset): its batches are the arguments of the evaluation network.
            callbacks (Callback | list[Callback]): called during evaluation. Default: ``None``.
            dataset_sink_mode (bool): a hint, without effect here. Default: ``False``.
        Returns:
            dict[str, float], the values by the metrics' names.
        Raises:
            TypeError, ValueError: for other values, or a Model without metrics.
        Source: mindspore.train.Model.eval
        """
        check.boolean(dataset_sink_mode, "dataset_sink_mode", "Model.eval")
        if not self._metric_fns:
            refuse(ValueError, "Model.eval", "metrics", "given to the Model", None)
        _check_names(callbacks, "eval")
        facts = self._facts("eval", valid_dataset, callbacks)
        facts.update(eval_network=self._eval_network, valid_dataset=valid_dataset)
        self._clear_metrics()
        with self._network._laid_out_(), CallbackManager(facts.list_callback) as calls:
            return self._eval_process(valid_dataset, calls, facts)

    # -- the rest --------------------------------------------------------------------------------------------------

    def predict(self, *predict_data, backend=None, config=None):
        """The output of the network in evaluation mode.

        Args:
            predict_data (Tensor | int | float | str | None, or nested containers of them): the network's arguments.
            backend (str): None, or ``'lite'`` (MindSpore Lite), for which the network itself runs. Default: ``None``.
            config (dict): for MindSpore Lite, without effect. Default: ``None``.
        Returns:
            Tensor, or whatever the network returns.
        Raises:
            TypeError, ValueError: for other values, and for a Tensor without elements.
        Source: mindspore.train.Model.predict
        """
        if backend not in ("lite", None):
            refuse(ValueError, "Model.predict", "backend", "'lite' or None", backend)
        for value in predict_data:
            require(value, (*_INPUTS, tuple, list, dict), "Model.predict", "predict_data")
            if isinstance(value, Tensor) and value.size == 0:
                refuse(ValueError, "Model.predict", "predict_data", "of at least one element", value)
        self._check_network_mode(self._predict_network, False)
        return self._predict_network(*predict_data)

    def build(self, train_dataset=None, valid_dataset=None, sink_size=-1, epoch=1, sink_mode=True):
        """Records the networks with the data's first batch before training begins (in MindSpore on Ascend only).

        Args:
            train_dataset, valid_dataset (Dataset): one or both. Default: ``None``.
            sink_size, epoch, sink_mode: as for `train`; without effect here.
        Raises:
            ValueError: without a dataset.  RuntimeError: if there are no metrics.
        Source: mindspore.train.Model.build
        """
        check.positive_int(epoch, "epoch", "Model.build")
        if train_dataset is None and valid_dataset is None:
            refuse(ValueError, "Model.build", "train_dataset", "given, or the 'valid_dataset'", None)
        if valid_dataset is not None and not self._metric_fns:
            refuse(RuntimeError, "Model.build", "metrics", "given to the Model, with a 'valid_dataset'", None)
        for dataset, network, trains in (
            (train_dataset, self._train_network, True),
            (valid_dataset, self._eval_network, False),
        ):
            if dataset is not None:
                self._check_network_mode(network, trains)
                network.compile(*next(iter(DatasetHelper(dataset, False))))
                dataset.reset()

    def infer_train_layout(self, train_dataset, dataset_sink_mode=True, sink_size=-1):
        """Raises RuntimeError: there is one device. Source: mindspore.train.Model.infer_train_layout"""
        raise RuntimeError(_MSG_LAYOUT.format("infer_train_layout"))

    def infer_predict_layout(self, *predict_data, skip_backend_compile=False):
        """Raises RuntimeError: there is one device. Source: mindspore.train.Model.infer_predict_layout"""
        raise RuntimeError(_MSG_LAYOUT.format("infer_predict_layout"))

    def _facts(self, mode, dataset, callbacks):
        """The initial arguments and state of a run, for callbacks."""
        return InternalCallbackParam(
            mode=mode, network=self._network, cur_step_num=0, batch_num=dataset.get_dataset_size(),
            list_callback=self._transform_callbacks(callbacks), dataset_sink_mode=False,
        )  # fmt: skip


def _broken_off(error, calls, facts):
    """Calls the callbacks' ``on_train_end`` after an interrupt, and saves checkpoints after any error."""
    if isinstance(error, KeyboardInterrupt) and "net_outputs" in facts:
        calls.on_train_end(RunContext(facts))
    checkpoints: list[Any] = [each for each in facts.list_callback if isinstance(each, ModelCheckpoint)]
    for each in checkpoints:
        each._save_broken_off_(facts)


def _check_names(callbacks, method):
    """Warns of callbacks that define the older method names; `Model.fit` refuses them."""
    for callback in callbacks if isinstance(callbacks, list) else [callbacks]:
        old_names = sorted(_OLD_NAMES & set(vars(type(callback))))
        if callback is None or type(callback).__name__ in _own_callbacks or not old_names:
            continue
        if method == "fit":
            raise ValueError(_MSG_OLD_NAMES % (method, type(callback).__name__, old_names))
        log.warning(_MSG_OLD_NAMES, method, type(callback).__name__, old_names)
