"""Names inside of ``mindspore.train.model``, which libraries with a training loop of their own take (mindsponge)."""

from ... import runtime
from ...tensor.tensor import Tensor
from ...train.callback import Callback


def _transfer_tensor_to_tuple(inputs):
    """A tuple of a Tensor alone, or what it is given."""
    return (inputs,) if isinstance(inputs, Tensor) else inputs


class _StepSync(Callback):
    """Waits at the end of each step for what was given to the device."""

    @staticmethod
    def step_end(run_context):
        """Waits.  Source: mindspore.train.Callback.step_end"""
        runtime.synchronize()
