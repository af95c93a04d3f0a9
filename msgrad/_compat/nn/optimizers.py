"""``mindspore.nn.optim.optimizer``: names for user-defined optimizers."""

import functools
import inspect

from ... import ops
from ...ops.control.composite import MultitypeFuncGraph

op_add = ops.AddN()
op_gather = ops.Gather()
op_mul = ops.Mul()
_apply_decay = MultitypeFuncGraph("apply_decay")


@_apply_decay.register("Tensor", "Bool", "Tensor", "Tensor")
def _tensor_apply_decay(weight_decay, if_apply, weight, gradient):
    """A gradient with weight decay: ``weight_decay * weight`` added, where it applies."""
    return op_add((op_mul(weight, ops.cast(weight_decay, ops.dtype(weight))), gradient)) if if_apply else gradient


def opt_init_args_register(fn):
    """A decorator of an optimizer's ``__init__`` that stores its arguments as ``init_params``, ``init_args``, ..."""
    signature = inspect.signature(fn)

    @functools.wraps(fn)
    def init(self, *args, **kwargs):
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        arguments = dict(list(bound.arguments.items())[1:])
        fn(self, *args, **kwargs)
        if "params" in arguments:
            self.init_params = {"params": arguments.pop("params")}
        if "learning_rate" in arguments:
            self.init_learning_rate = arguments.pop("learning_rate")
        self.init_args = arguments

    return init
