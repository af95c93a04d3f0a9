"""Private names of ``mindspore.train.model``, used by libraries with their own training loop (mindsponge)."""

from ... import log as logger  # noqa: F401  a name of that module, like the next ones
from ... import runtime
from ...tensor.tensor import Tensor
from ...train.callback import Callback
from ...train.callback import __all__ as internal_cb_names  # noqa: F401
from ...train.callback.checkpoint_files import free_prefix
from .. import checkparam as Validator  # noqa: F401, N812


def _transfer_tensor_to_tuple(inputs):
    """A Tensor as a tuple of one; anything else unchanged."""
    return (inputs,) if isinstance(inputs, Tensor) else inputs


def _save_final_ckpt(func):
    """A decorator of ``_train`` without effect: a checkpoint after an exception is saved by `Model._train` itself."""
    return func


def _set_training_dataset(dataset):
    """Does nothing: no server of Parameters reads the dataset."""


def _clear_auto_parallel_context(network):
    """Does nothing: a network has no context of its own."""


def _chg_ckpt_file_name_if_same_exist(directory, prefix, exception=False):
    """The prefix of new checkpoints: numbered, if the folder has some of that name.

    Args:
        directory (str): the folder.
        prefix (str | function): a function is returned unchanged.
        exception (bool): whether checkpoints saved after an exception count, and no others. Default: ``False``.
    """
    return prefix if callable(prefix) or callable(directory) else free_prefix(directory, prefix, exception)


class _StepSync(Callback):
    """A callback that waits for the device at the end of each step."""

    @staticmethod
    def step_end(run_context):
        """Waits.  Source: mindspore.train.Callback.step_end"""
        runtime.synchronize()
