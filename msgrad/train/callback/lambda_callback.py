"""A callback of functions."""

from ._base import Callback


class LambdaCallback(Callback):
    """A callback of functions that take a `RunContext`.

    Args:
        on_train_epoch_begin, on_train_epoch_end, on_train_step_begin, on_train_step_end, on_train_begin, on_train_end,
        on_eval_epoch_begin, on_eval_epoch_end, on_eval_step_begin, on_eval_step_end, on_eval_begin, on_eval_end
            (callable): called at that stage. Default: ``None``.
    Example:
        >>> callback = ms.LambdaCallback(on_train_begin=lambda run_context: print("here we go"))
        >>> callback.on_train_begin(ms.RunContext({}))
        here we go
    Source: mindspore.train.LambdaCallback
    """

    def __init__(
        self,
        on_train_epoch_begin=None,
        on_train_epoch_end=None,
        on_train_step_begin=None,
        on_train_step_end=None,
        on_train_begin=None,
        on_train_end=None,
        on_eval_epoch_begin=None,
        on_eval_epoch_end=None,
        on_eval_step_begin=None,
        on_eval_step_end=None,
        on_eval_begin=None,
        on_eval_end=None,
    ):
        super().__init__()
        for name, function in list(locals().items()):
            if name.startswith("on_"):
                setattr(self, name, function or _nothing)


def _nothing(run_context):
    pass
