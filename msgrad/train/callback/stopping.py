"""Early stopping and learning rate reduction on a plateau."""

import copy

from ..._contracts.contracts import Bool, NonNegativeInt
from ..._contracts.enforcement import checked
from ...engine.refusal import refuse, require
from ...ops import assign
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from ..load_params import load_param_into_net
from ._watching import Watching


class EarlyStopping(Watching):
    """Early stopping: ends training when a metric has not improved for a number of epochs.

    Args:
        monitor (str): ``'loss'``, ``'eval_loss'``, or the name of a metric of `Model.fit`.
            Default: ``'eval_loss'``.
        min_delta (int | float): the smallest change that is an improvement. Default: ``0``.
        patience (int): the number of epochs to wait. Default: ``0``.
        verbose (bool): whether to print a message. Default: ``False``.
        mode (str): ``'min'``: less is better, ``'max'``: more; ``'auto'``: by the metric's name. Default: ``'auto'``.
        baseline (float): a value that an epoch must improve on, too. Default: ``None``.
        restore_best_weights (bool): whether to load the Parameters of the best epoch. Default: ``False``.
    Raises:
        TypeError, ValueError: for other values; ValueError if the metric is not a scalar.
    Example:
        >>> ms.EarlyStopping(monitor="acc", patience=3).best
        -inf
    Source: mindspore.train.EarlyStopping
    """

    @checked
    def __init__(
        self,
        monitor="eval_loss",
        min_delta=0,
        patience=0,
        verbose=False,
        mode="auto",
        baseline=None,
        restore_best_weights: Bool = False,
    ):
        super().__init__(monitor, min_delta, patience, verbose, mode)
        self.baseline = require(baseline, (int, float, bool, type(None)), "EarlyStopping", "baseline")
        self.restore_best_weights = restore_best_weights

    def _reset_(self):
        """Resets the best value and the patience."""
        super()._reset_()
        self.stopped_epoch = 0
        self.best_weights_param_dict = None

    def on_train_epoch_end(self, run_context):
        """Compares. Source: mindspore.train.EarlyStopping.on_train_epoch_end"""
        facts = run_context.original_args()
        value = self._watched_(facts)
        if value is None:
            return
        is_better = self._is_improvement_(value, self.best)
        if self.restore_best_weights and (is_better or self.best_weights_param_dict is None):
            self.best_weights_param_dict = copy.deepcopy(facts.train_network.parameters_dict())
        self.wait += 1
        if is_better:
            self.best = value
            if self.baseline is None or self._is_improvement_(value, self.baseline):
                self.wait = 0
        if self.wait >= self.patience:
            self.stopped_epoch = facts.cur_epoch_num
            run_context.request_stop()
            if self.restore_best_weights:
                if self.verbose:
                    print("Restoring model weights from the end of the best epoch.")
                load_param_into_net(facts.train_network, self.best_weights_param_dict)

    def on_train_end(self, run_context):
        """Prints when training was stopped. Source: mindspore.train.EarlyStopping.on_train_end"""
        if self.stopped_epoch > 0 and self.verbose:
            print(f"Epoch {self.stopped_epoch:05d}: early stopping")


class ReduceLROnPlateau(Watching):
    """Reduces the learning rate when a metric has not improved for a number of epochs.

    Args:
        monitor, patience, verbose, mode, min_delta: as for `EarlyStopping`. Default: ``'eval_loss'``, ``10``,
            ``False``, ``'auto'``, ``0.0001``.
        factor (float): multiplies the rate, between 0 and 1. Default: ``0.1``.
        cooldown (int): the number of epochs after a reduction that are not counted. Default: ``0``.
        min_lr (int | float): the smallest rate. Default: ``0``.
    Raises:
        TypeError, ValueError: for other values; ValueError if the metric is not a scalar, or the learning rate of the
            optimizer is not one Parameter.
    Example:
        >>> ms.ReduceLROnPlateau(factor=0.5).factor
        0.5
    Source: mindspore.train.ReduceLROnPlateau
    """

    @checked
    def __init__(
        self,
        monitor="eval_loss",
        factor=0.1,
        patience=10,
        verbose=False,
        mode="auto",
        min_delta=1e-4,
        cooldown: NonNegativeInt = 0,
        min_lr=0,
    ):
        super().__init__(monitor, min_delta, patience, verbose, mode)
        self.factor = require(factor, float, "ReduceLROnPlateau", "factor")
        if not 0 < factor < 1:
            refuse(ValueError, "ReduceLROnPlateau", "factor", "between 0 and 1", factor)
        self.cooldown = cooldown
        self.min_lr = require(min_lr, (int, float), "ReduceLROnPlateau", "min_lr")

    def _reset_(self):
        """Resets the best value and the patience."""
        super()._reset_()
        self.cooldown_counter = 0

    def on_train_epoch_end(self, run_context):
        """Compares. Source: mindspore.train.ReduceLROnPlateau.on_train_epoch_end"""
        facts = run_context.original_args()
        rate = facts.optimizer.learning_rate
        if not isinstance(rate, Parameter):
            expected = "an optimizer with one learning rate for all Parameters and steps"
            refuse(ValueError, "ReduceLROnPlateau", "optimizer", expected, type(rate))
        value = self._watched_(facts)
        if value is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.wait = 0
        if self._is_improvement_(value, self.best):
            self.best, self.wait = value, 0
        elif self.cooldown_counter <= 0:
            self.wait += 1
            if self.wait >= self.patience:
                self._lower(rate, facts.cur_epoch_num)
                self.cooldown_counter, self.wait = self.cooldown, 0

    def _lower(self, rate, epoch):
        if float(rate.asnumpy()) <= self.min_lr:
            return
        assign(rate, Tensor(max(float((rate * self.factor).asnumpy()), self.min_lr), rate.dtype))
        if self.verbose:
            print(f"Epoch {epoch:05d}: ReduceLROnPlateau reducing learning rate to {rate.asnumpy()!s}.")
