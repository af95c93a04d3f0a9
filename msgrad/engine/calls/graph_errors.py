"""Errors of Python's own instructions in a graph, which MindSpore's compiler raises as exceptions of other types."""

import opcode

from ..user_code import is_users

_OPERATIONS = ("BINARY_OP", "BINARY_SUBSCR")
_CALLS = tuple([name for name in opcode.opmap if name.startswith("CALL")])
_MSG_MODULO = "Cannot perform modulo operation on zero: {}."
# Python's type and a part of its text, the instructions that raise it, MindSpore's type, and our text if it is another.
_RULES = [
    (ZeroDivisionError, "integer modulo", _OPERATIONS, ValueError, _MSG_MODULO),
    (ZeroDivisionError, "float modulo", _OPERATIONS, ValueError, _MSG_MODULO),
    (ZeroDivisionError, "", _OPERATIONS, ValueError, "The divisor could not be zero, but it is: {}."),
    (KeyError, "", _OPERATIONS, ValueError, "The key {} does not exist in the dict."),
    (TypeError, " object is not callable", _CALLS, ValueError, "{}"),
    (TypeError, " has no len()", _CALLS, AttributeError, "{}"),
    (TypeError, " indices must be integers or slices, not float", _OPERATIONS, IndexError, "{}"),
    (ValueError, "not enough values to unpack", ("UNPACK_SEQUENCE", "UNPACK_EX"), IndexError, "{}"),
    (Exception, "", ("RAISE_VARARGS",), RuntimeError, "{}"),
]
KINDS = tuple({rule[0] for rule in _RULES})


def restated(error):
    """``error``, or what MindSpore's compiler raises instead if an instruction of the user's code has raised it.

    Those that a function of Python raises, or a ``raise`` of the user's, stay as they are; but an Exception of no
    other type is a RuntimeError.
    """
    if type(error) not in KINDS:
        return error
    name = _instruction(error.__traceback__)
    for kind, part, instructions, other, text in _RULES:
        if type(error) is kind and name in instructions and part in str(error):
            return other(text.format(error)).with_traceback(error.__traceback__)
    return error


def _instruction(trace):
    """The name of the instruction that has raised an error; None if it is not of the user's code."""
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    return opcode.opname[code.co_code[trace.tb_lasti]] if is_users(code.co_filename) else None
