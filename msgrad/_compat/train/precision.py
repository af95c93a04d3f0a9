"""``mindspore.train.amp``: the steps of `auto_mixed_precision`, which libraries take one by one."""

from ...amp.mixed_precision import OutputTo32, _lower_but, _lower_listed

_OutputTo32 = OutputTo32


def _auto_black_list(network, black_list, dtype):
    """Lowers a network (Cell) to ``dtype``, in place, but for the kinds of Cells (iterable of type) of ``black_list``.

    Returns:
        Cell, the network.
    """
    return _lower_but(network, tuple(black_list), dtype)


def _auto_mixed_precision_rewrite(network, dtype, *, white_list=None, black_list=None):
    """Lowers a network (Cell) to ``dtype``: the kinds of ``white_list``, or all but those of ``black_list``.

    Returns:
        Cell whose output is of float32.
    """
    if white_list is not None:
        return _lower_listed(network, tuple(white_list), dtype)
    return OutputTo32(_lower_but(network, tuple(black_list), dtype))
