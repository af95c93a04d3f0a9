"""Errors of Python's own instructions in a graph, which MindSpore's compiler raises as ValueErrors."""

import opcode

from ..user_code import is_users

_INSTRUCTIONS = {opcode.opmap[name] for name in ("BINARY_OP", "BINARY_SUBSCR") if name in opcode.opmap}
_MSG_DIVISION = "The divisor could not be zero, but it is: {}."
_MSG_MODULO = "Cannot perform modulo operation on zero: {}."
_MSG_KEY = "The key {} does not exist in the dict."


def restated(error):
    """``error``, or the ValueError for a division by 0 or a missing key of a dict in the user's code.

    Those that a ``raise`` of the user's raises, or a function of Python, stay as they are.
    """
    if not isinstance(error, (ZeroDivisionError, KeyError)) or not _is_of_instruction(error.__traceback__):
        return error
    if isinstance(error, KeyError):
        text = _MSG_KEY.format(error)
    else:
        is_modulo = str(error).startswith(("integer modulo", "float modulo"))
        text = (_MSG_MODULO if is_modulo else _MSG_DIVISION).format(error)
    return ValueError(text).with_traceback(error.__traceback__)


def _is_of_instruction(trace):
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    return is_users(code.co_filename) and code.co_code[trace.tb_lasti] in _INSTRUCTIONS
