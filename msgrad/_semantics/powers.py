"""Powers of ints in a graph: ``2 ** -1`` is 0, as MindSpore's compiler converts the power, a float64, to an int64."""

import ast
import linecache
import opcode
import operator

from ..engine.calls.staging import reads_source

_BINARY, _CONSTANT, _EXTENDED = (opcode.opmap[name] for name in ("BINARY_OP", "LOAD_CONST", "EXTENDED_ARG"))
_POWERS = (8, 21)  # the numbers of ``**`` and ``**=`` among binary operations
_LEAST = -(2**63)  # what the processor makes of a float64 that no int64 holds


def power(base, exponent):
    """``base ** exponent``, in a graph of two ints an int."""
    if isinstance(base, int) and isinstance(exponent, int) and reads_source():
        return _of_ints(base, exponent)
    return base**exponent


def power_in_place(base, exponent):
    """The new value of ``base`` after ``base **= exponent``."""
    is_of_ints = isinstance(base, int) and isinstance(exponent, int)
    return power(base, exponent) if is_of_ints else operator.ipow(base, exponent)


def power_by(function, base, exponent):
    """``function(base, exponent)``, called ``pow`` in the program."""
    return power(base, exponent) if function is pow else function(base, exponent)


def _of_ints(base, exponent):
    try:
        value = float(base) ** exponent
    except (OverflowError, ZeroDivisionError):
        return _LEAST
    return int(value) if abs(value) < -_LEAST else _LEAST


HELPERS = {"__msgrad_power__": power, "__msgrad_power_in_place__": power_in_place, "__msgrad_pow__": power_by}


def has_powers(code):
    """Whether a code object has powers of which an exponent may be negative or large; it says yes too often."""
    text = code.co_code
    for at in range(2, len(text), 2):
        if text[at] == _BINARY and text[at + 1] in _POWERS:
            is_short = text[at - 2] == _CONSTANT and (at < 4 or text[at - 4] != _EXTENDED)
            if not is_short or not _is_harmless(code.co_consts[text[at - 1]]):
                return True
    return "pow" in code.co_names or _has_floats(code.co_consts) and _names_powers(code)


def _is_harmless(exponent):
    """Whether powers with this exponent are what they are in Python, unless the base has more than 15 bits."""
    return type(exponent) is not int or 0 <= exponent <= 4


def _has_floats(constants):
    return any([type(each) is float or type(each) is tuple and _has_floats(each) for each in constants])


def _names_powers(code):
    """Whether there is a ``**`` in the source: Python has computed those of constants."""
    last = max([line for _, _, line in code.co_lines() if line], default=0)
    return any(["**" in line for line in linecache.getlines(code.co_filename)[code.co_firstlineno - 1 : last]])


class Powers(ast.NodeTransformer):
    """Replaces each power, but those with harmless exponents, by a call of the helper."""

    def visit_BinOp(self, node):  # noqa: N802
        self.generic_visit(node)
        return _call("__msgrad_power__", node, node.left, node.right) if _is_unsure(node.op, node.right) else node

    def visit_AugAssign(self, node):  # noqa: N802
        self.generic_visit(node)
        if not (isinstance(node.target, ast.Name) and _is_unsure(node.op, node.value)):
            return node
        before = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
        value = _call("__msgrad_power_in_place__", node, before, node.value)
        return ast.copy_location(ast.Assign([node.target], value), node)

    def visit_Call(self, node):  # noqa: N802
        self.generic_visit(node)
        is_pow = isinstance(node.func, ast.Name) and node.func.id == "pow" and len(node.args) == 2 and not node.keywords
        return _call("__msgrad_pow__", node, node.func, *node.args) if is_pow else node


def _is_unsure(operator_node, exponent):
    is_constant = isinstance(exponent, ast.Constant)
    return isinstance(operator_node, ast.Pow) and not (is_constant and _is_harmless(exponent.value))


def _call(helper, node, *args):
    return ast.copy_location(ast.Call(ast.copy_location(ast.Name(helper, ast.Load()), node), [*args], []), node)
