"""A callback that sets the learning rate."""

import math

import numpy as np

from ...ops import assign
from ...tensor.tensor import Tensor
from ._base import Callback


class LearningRateScheduler(Callback):
    """Sets the optimizer's learning rate after each step.

    Args:
        learning_rate_function (callable): takes the rate (float) and the step number (int), returns the new rate.
    Example:
        >>> ms.LearningRateScheduler(lambda rate, step: rate * 0.5).learning_rate_function(1.0, 1)
        0.5
    Source: mindspore.train.LearningRateScheduler
    """

    def __init__(self, learning_rate_function):
        super().__init__()
        self.learning_rate_function = learning_rate_function

    def step_end(self, run_context):
        """Sets the rate. Source: mindspore.train.LearningRateScheduler.step_end"""
        facts = run_context.original_args()
        parameter = facts.optimizer.learning_rate
        rate = float(np.array2string(parameter.asnumpy()))  # 0.1, not 0.10000000149
        new = self.learning_rate_function(rate, facts.cur_step_num)
        if not math.isclose(rate, new, rel_tol=1e-10):
            assign(parameter, Tensor(new, parameter.dtype))
