"""The loops of `Model`: MindSpore's hooks for training and evaluating, which subclasses override.

So the methods, their parameters and the attributes that they read have MindSpore's names.
"""

import copy
import itertools
from typing import Any

import numpy as np

from ..engine.refusal import InWords, refuse
from ..nn._cell import calling
from ..tensor.tensor import Tensor
from .callback import RunContext, TimeMonitor
from .callback import __all__ as _own_callbacks
from .callback._base import CallbackManager, observes_steps
from .dataset_helper import DatasetHelper, connect_network_with_dataset
from .metrics import Loss, get_metric_fn

_KEPT = ("cur_step_num", "batch_num", "dataset_sink_mode", "net_outputs")


class ModelProcesses:
    """The loops over epochs and batches of a `Model`, and the steps that they are made of."""

    _loss_fn: Any
    _train_network: Any
    _loss_scale_manager: Any
    _eval_network: Any
    _eval_indexes: Any
    _metric_fns: Any

    _backbone_is_train = True
    _is_sunk = False  # whether `_train_process` stands in for sink mode, as it does on a CPU

    # -- training --------------------------------------------------------------------------------------------------

    def _train_process(
        self, epoch, train_dataset, list_callback: Any = None, cb_params: Any = None, initial_epoch=0, valid_infos=None
    ):
        """Trains batch by batch; on a CPU also in sink mode, where steps share launches if nothing is between."""
        helper, _ = self._exec_preprocess(
            is_train=True, dataset=train_dataset, dataset_sink_mode=False, epoch_num=epoch - initial_epoch
        )
        cb_params.dataset_sink_mode = False
        context = RunContext(cb_params)
        list_callback.on_train_begin(context)
        for cb_params.cur_epoch_num in range(initial_epoch + 1, epoch + 1):
            list_callback.on_train_epoch_begin(context)
            if self._is_sunk and self._joins_steps(list_callback, context):
                self._train_steps(helper, list_callback, context)
            else:
                for batch in helper:
                    self._train_step(batch, list_callback, context)
                    if context.get_stop_requested():
                        break
            self._eval_during_train(valid_infos, cb_params, list_callback)
            train_dataset.reset()
            self._flush_from_cache(cb_params)
            if _ends_epoch(list_callback, context):
                break
        list_callback.on_train_end(context)

    def _joins_steps(self, list_callback, context):
        """Whether nothing runs between the steps of an epoch: no callback, and no change of the loss scale."""
        manager = self._loss_scale_manager
        changes_scale = manager is not None and manager.get_drop_overflow_update()
        observed = any(map(_observes_steps, list_callback._callbacks))
        return not (changes_scale or observed or context.get_stop_requested())

    def _train_steps(self, helper, list_callback, context):
        """Trains on the batches of an epoch, many of them in one launch."""
        watch = _watcher(list_callback, context)
        self._check_network_mode(self._train_network, True)
        batches = (tuple(self._begun(batch, context)) for batch in helper)  # as the arguments of other calls are
        count = helper.dataset.get_dataset_size()
        context.original_args().net_outputs = calling.each(self._train_network, batches, count, watch)

    def _train_step(self, batch, list_callback, context):
        cb_params = context.original_args()
        self._begun(batch, context)
        list_callback.on_train_step_begin(context)
        self._check_network_mode(self._train_network, True)
        cb_params.net_outputs = self._train_network(*batch)
        manager = self._loss_scale_manager
        if manager is not None and manager.get_drop_overflow_update():
            manager.update_loss_scale(bool(np.all(cb_params.net_outputs[1].asnumpy())))
        list_callback.on_train_step_end(context)

    def _begun(self, batch, context):
        """Notes a batch with which the next step begins."""
        if self._loss_fn and len(batch) != 2:
            expected = "of 2 columns, data and label"
            refuse(ValueError, "Model.train", "train_dataset", expected, InWords(f"{len(batch)} columns"))
        cb_params = context.original_args()
        cb_params.cur_step_num += 1
        cb_params.train_dataset_element = batch
        return batch

    def _train_dataset_sink_process(
        self,
        epoch,
        train_dataset,
        list_callback: Any = None,
        cb_params: Any = None,
        sink_size=-1,
        initial_epoch=0,
        valid_infos=None,
    ):
        """Trains in sink mode on an accelerator: all steps of an epoch are one call, and one step for callbacks.

        Callbacks with a method ``_launched`` are told of each launch within it.
        """
        cb_params.update(sink_size=sink_size, dataset_sink_mode=True)
        context = RunContext(cb_params)
        list_callback.on_train_begin(context)
        helper = None
        for cb_params.cur_epoch_num in range(initial_epoch + 1, epoch + 1):
            list_callback.on_train_epoch_begin(context)
            helper, network = self._exec_preprocess(
                is_train=True,
                dataset=train_dataset,
                dataset_sink_mode=True,
                sink_size=sink_size,
                epoch_num=epoch - initial_epoch,
                dataset_helper=helper,
            )
            cb_params.update(train_network=network, dataset_helper=helper)
            for batch in helper:
                network.watch = _watcher(list_callback, context)
                cb_params.cur_step_num += helper._steps_of_call_()
                cb_params.train_dataset_element = batch
                list_callback.on_train_step_begin(context)
                self._check_network_mode(network, True)
                cb_params.net_outputs = network(*batch)
                list_callback.on_train_step_end(context)
            self._eval_during_train(valid_infos, cb_params, list_callback)
            if _ends_epoch(list_callback, context):
                break
        list_callback.on_train_end(context)

    def _flush_from_cache(self, cb_params):
        """Does nothing: Parameters are not cached."""

    # -- evaluating ------------------------------------------------------------------------------------------------

    def _eval_during_train(self, valid_infos, cb_params, list_callback):
        """Evaluates after the epochs of `fit` that are due: of the built-in callbacks only `TimeMonitor` is called."""
        valid_dataset, valid_frequency, valid_dataset_sink_mode = valid_infos
        if not valid_dataset or not self._should_eval(cb_params.cur_epoch_num, valid_frequency):
            return
        of_training = {name: cb_params[name] for name in _KEPT}
        taking_part = [
            callback
            for callback in list_callback._callbacks
            if isinstance(callback, TimeMonitor) or type(callback).__name__ not in _own_callbacks
        ]
        self._eval_in_fit(valid_dataset, taking_part, valid_dataset_sink_mode, cb_params)
        cb_params.update(of_training, mode="train")

    @staticmethod
    def _should_eval(epoch, validation_freq):
        return epoch % validation_freq == 0 if isinstance(validation_freq, int) else epoch in validation_freq

    def _eval_in_fit(self, valid_dataset, callbacks=None, dataset_sink_mode=True, cb_params: Any = None):
        cb_params.update(
            eval_network=self._eval_network,
            valid_dataset=valid_dataset,
            batch_num=valid_dataset.get_dataset_size(),
            mode="eval",
            cur_step_num=0,
        )
        self._clear_metrics()
        with CallbackManager(callbacks) as calls:
            return self._eval_process(valid_dataset, calls, cb_params, add_eval_loss=True)

    def _eval_process(self, valid_dataset, list_callback: Any = None, cb_params: Any = None, add_eval_loss=False):
        """The metrics' values; ``add_eval_loss`` adds the loss of the last batch to ``eval_results``."""
        context = RunContext(cb_params)
        cb_params.dataset_sink_mode = False
        list_callback.on_eval_begin(context)
        helper, _ = self._exec_preprocess(is_train=False, dataset=valid_dataset, dataset_sink_mode=False)
        list_callback.on_eval_epoch_begin(context)
        loss = get_metric_fn("loss")
        for batch in helper:
            cb_params.cur_step_num += 1
            cb_params.eval_dataset_element = batch
            list_callback.on_eval_step_begin(context)
            self._check_network_mode(self._eval_network, False)
            cb_params.net_outputs = outputs = self._eval_network(*batch)
            list_callback.on_eval_step_end(context)
            self._update_metrics(outputs)
            if add_eval_loss:
                loss.clear()
                loss.update(outputs[self._eval_indexes[0]])
            if context.get_stop_requested():
                break
        list_callback.on_eval_epoch_end(context)
        valid_dataset.reset()
        cb_params.metrics = self._get_metrics()
        if add_eval_loss:
            cb_params.eval_results = {**copy.deepcopy(cb_params.metrics), "eval_loss": loss.eval()}
        list_callback.on_eval_end(context)
        return cb_params.metrics

    def _clear_metrics(self):
        for metric in self._metric_fns.values():
            metric.clear()

    def _update_metrics(self, outputs):
        """Updates the metrics with the output of the evaluation network."""
        outputs = (outputs,) if isinstance(outputs, Tensor) else outputs
        indexes = self._eval_indexes
        if not isinstance(outputs, tuple) or indexes is not None and len(outputs) < 3:
            refuse(
                ValueError, "Model.eval", "eval_network", "one that gives a tuple of loss, outputs and labels", outputs
            )
        for metric in self._metric_fns.values():
            if indexes is None:
                metric.update(*outputs)
            elif isinstance(metric, Loss):
                metric.update(outputs[indexes[0]])
            else:
                metric.update(outputs[indexes[1]], outputs[indexes[2]])

    def _get_metrics(self):
        return {name: metric.eval() for name, metric in self._metric_fns.items()}

    # -- both ------------------------------------------------------------------------------------------------------

    def _exec_preprocess(self, is_train, dataset, dataset_sink_mode, sink_size=-1, epoch_num=1, dataset_helper=None):
        """Iterates over the dataset for a network, in its mode; in sink mode the network takes its batches itself."""
        network = self._train_network if is_train else self._eval_network
        helper = dataset_helper or DatasetHelper(dataset, dataset_sink_mode, sink_size, epoch_num)
        if dataset_sink_mode:
            network = connect_network_with_dataset(network, helper)
        network.set_train(is_train)
        self._backbone_is_train = is_train
        return helper, network

    def _check_network_mode(self, network, is_train):
        """Sets the network to training or evaluation mode, if it changes; returns it."""
        if self._backbone_is_train != is_train:
            network.set_train(is_train)
            self._backbone_is_train = is_train
        return network

    @staticmethod
    def _transform_callbacks(callbacks):
        if callbacks is None:
            return []
        return list(callbacks) if isinstance(callbacks, (list, tuple)) else [callbacks]


def _observes_steps(callback):
    """Whether a callback acts at each step; a `TimeMonitor` does if it prints the time of waiting for data."""
    return callback.data_time if type(callback) is TimeMonitor else observes_steps(callback)


def _watcher(list_callback, context):
    """The function that tells callbacks of each launch's losses, with their steps; None if no callback asks."""
    told = [callback._launched for callback in list_callback._callbacks if hasattr(callback, "_launched")]
    if not told:
        return None
    steps = itertools.count(context.original_args().cur_step_num + 1)

    def watch(losses):
        numbers = list(itertools.islice(steps, losses.count))
        for tell in told:
            tell(context, numbers, losses)

    return watch


def _ends_epoch(list_callback, context):
    """Calls the callbacks after an epoch; whether one of them stops training."""
    list_callback.on_train_epoch_end(context)
    cb_params = context.original_args()
    cb_params.pop("metrics", None)
    cb_params.pop("eval_results", None)
    return context.get_stop_requested()
