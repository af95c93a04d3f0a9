"""``mindspore.nn.utils``."""

import contextlib

__all__ = ["no_init_parameters"]


@contextlib.contextmanager
def no_init_parameters():
    """A context in which MindSpore skips the initialization of Parameters; here they are initialized as usual.

    Example:
        >>> with nn.no_init_parameters():
        ...     net = nn.Dense(2, 3)
    Source: mindspore.nn.no_init_parameters, mindspore.nn.utils.no_init_parameters
    """
    yield
