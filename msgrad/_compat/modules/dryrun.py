"""``mindspore.utils.dryrun``: simulated values for the branches of a program that runs without a device."""

import os

_LEVEL = "MS_SIMULATION_LEVEL"

__all__ = ["mock", "set_simulation"]


def set_simulation():
    """Lets `mock` return simulated values. Operations run as always, as in MindSpore on a CPU.

    Source: mindspore.utils.dryrun.set_simulation
    """
    os.environ[_LEVEL] = "1"


def mock(mock_val, *args):
    """A simulated value after `set_simulation`, otherwise the real one.

    Args:
        mock_val (any): the simulated value.
        args (any): the real value, or a function and its arguments, which is called.
    Returns:
        ``mock_val``, the real value, or what the function returns.
    Raises:
        IndexError: if there is neither a value nor a function.
    Example:
        >>> from mindspore.utils import dryrun
        >>> dryrun.mock(True, Tensor([0.25]).item() > 0.5), dryrun.mock(5, max, 3, 4)
        (False, 4)
    Source: mindspore.utils.dryrun.mock
    """
    if os.environ.get(_LEVEL):
        return mock_val
    if len(args) == 1 and not callable(args[0]):
        return args[0]
    return args[0](*args[1:])
