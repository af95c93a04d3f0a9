"""Private names of ``mindspore.train.model``, used by libraries with their own training loop (mindsponge)."""

from ... import runtime
from ...tensor.tensor import Tensor
from ...train.callback import Callback


def _transfer_tensor_to_tuple(inputs):
    """A Tensor as a tuple of one; anything else unchanged."""
    return (inputs,) if isinstance(inputs, Tensor) else inputs


class _StepSync(Callback):
    """A callback that waits for the device at the end of each step."""

    @staticmethod
    def step_end(run_context):
        """Waits.  Source: mindspore.train.Callback.step_end"""
        runtime.synchronize()
