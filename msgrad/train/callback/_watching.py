"""The base class of callbacks that monitor a metric."""

import numpy as np

from ... import log
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Bool, NonNegativeInt, Text
from ..._contracts.enforcement import checked
from ...engine.refusal import refuse, require
from ._base import Callback, loss_in

_LESS_IS_BETTER = {
    "hausdorff_distance", "mae", "mse", "loss", "perplexity", "mean_surface_distance", "root_mean_square_distance",
    "eval_loss",
}  # fmt: skip
_MSG_MISSING = "%s watches %r, which does not exist; the names are %s."


class Watching(Callback):
    """Compares a metric with its best value so far, after each epoch of training."""

    @checked
    def __init__(
        self, monitor: Text, min_delta, patience: NonNegativeInt, verbose: Bool, mode: OneOf("auto", "min", "max")
    ):
        super().__init__()
        self.monitor = monitor
        self.min_delta = abs(require(min_delta, (int, float), type(self).__name__, "min_delta"))
        self.patience = patience
        self.verbose = verbose
        self.mode = mode
        self._reset_()

    def _reset_(self):
        """Resets the best value and the patience."""
        self.wait = 0
        self.best = np.inf if self._goes_down() else -np.inf

    def _is_improvement_(self, value, best):
        """Whether ``value`` is better than ``best`` by more than ``min_delta``."""
        return value < best - self.min_delta if self._goes_down() else value > best + self.min_delta

    def on_train_begin(self, run_context):
        """Resets the best value and the patience. Source: mindspore.train.Callback.on_train_begin"""
        self._reset_()

    def _watched_(self, facts):
        """The metric's value, 0-d; None if it is missing or, as in MindSpore, 0.

        Raises:
            ValueError: if it is not a scalar.
        """
        results = facts.get("eval_results", {})
        value = loss_in(facts.get("net_outputs")) if self.monitor == "loss" else results.get(self.monitor)
        if value is None:
            log.warning(_MSG_MISSING, type(self).__name__, self.monitor, ["loss", *results])
        if isinstance(value, np.ndarray) and value.shape != ():
            refuse(ValueError, type(self).__name__, "monitor", "the name of a scalar", value)
        return np.array(value) if value else None

    def _goes_down(self):
        return self.mode == "min" or self.mode == "auto" and self.monitor in _LESS_IS_BETTER
