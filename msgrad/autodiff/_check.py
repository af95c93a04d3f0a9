"""Argument checks that the adapters share."""

from ..engine.refusal import refuse, shown

MSG_AUX = "With 'has_aux', the function must return a tuple: the output to differentiate, then the others."
MSG_NO_BROADCAST = "A given gradient must broadcast to the shape of its Tensor, but got {} for {}."
_RECOMPUTE_HINTS = ("mp_comm_recompute", "parallel_optimizer_comm_recompute", "recompute_slice_activation")


def check_recompute_hint(name):
    """Raises unless ``name`` is one of the keywords of MindSpore's ``recompute``, which have no effect here."""
    if name not in _RECOMPUTE_HINTS:
        refuse(ValueError, "recompute", "kwargs", f"out of {', '.join(_RECOMPUTE_HINTS)}", name)


def check_positions(grad_position, owner):
    """``grad_position`` as a tuple of distinct non-negative ints."""
    positions = (grad_position,) if isinstance(grad_position, int) else grad_position
    if not isinstance(positions, tuple) or not all(isinstance(position, int) for position in positions):
        refuse(TypeError, owner, "grad_position", "an int or a tuple of ints", grad_position)
    if any(position < 0 for position in positions):
        refuse(ValueError, owner, "grad_position", "non-negative", grad_position)
    if len(set(positions)) != len(positions):
        refuse(ValueError, owner, "grad_position", "without repeated positions", grad_position)
    return tuple([int(position) for position in positions])


def check_function(fn, owner, kind):
    """Raises an exception of this ``kind`` unless ``fn`` can be called."""
    if not callable(fn):
        refuse(kind, owner, "fn", "a function or a Cell", fn)


def check_aux_flag(has_aux):
    """Raises unless ``has_aux`` is a bool."""
    if not isinstance(has_aux, bool):
        raise TypeError(f"The 'has_aux' must be a bool, but got {shown(has_aux)}.")


def split_aux(output, has_aux, message):
    """``(differentiated output, (aux,) or ())``: one aux is bare, several are a tuple."""
    if not has_aux:
        return output, ()
    if not isinstance(output, tuple) or len(output) < 2:
        raise ValueError(message)
    rest = tuple(output[1:])
    return output[0], (rest[0] if len(rest) == 1 else rest,)
