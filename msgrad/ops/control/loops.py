"""Loops over Python functions of Tensors: MindSpore's loop Primitives.

Each runs the function step by step, also inside recordings, where the steps become one program; so there are gradients
of every order, and a condition is a host read, as in a Python loop.
"""

from ..._contracts.check import refuse
from ..._contracts.contracts import Bool, Callable, Int
from ...engine.handle import Handle
from .._core.define import composite


@composite("WhileLoop()(cond_func, loop_func, init_val)", name="_while_loop")
def _while_loop(cond_func: Callable, loop_func: Callable, init_val):
    """While loop: applies a function as long as a condition holds.

    Args:
        cond_func (function): ``value -> bool``, a Tensor or a Python value.
        loop_func (function): ``value -> value``.
        init_val (object): the first value: a Tensor, a number, or nested containers of them.
    Returns:
        The last value.
    Raises:
        TypeError: if ``cond_func`` or ``loop_func`` cannot be called.
    Example:
        >>> ops.WhileLoop()(lambda x: x < 10, lambda x: x * 2, Tensor(1)).item()
        16
    Source: mindspore.ops.WhileLoop
    """
    value = init_val
    while cond_func(value):
        value = loop_func(value)
    return value


@composite("ForiLoop()(lower, upper, loop_func, init_val, unroll=True)", name="_fori_loop")
def _fori_loop(lower: Int, upper: Int, loop_func: Callable, init_val, unroll: Bool = True):
    """Applies a function of an index and a value for each index in ``[lower, upper)``.

    Args:
        lower, upper (int | Tensor): the first index, and the one after the last.
        loop_func (function): ``(index, value) -> value``.
        init_val (object): the first value: a Tensor, a number, or nested containers of them.
        unroll (bool): a hint for MindSpore's compiler without effect. Default: ``True``.
    Returns:
        The last value.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ops.ForiLoop()(0, 4, lambda i, x: x + i, Tensor(1)).item()
        7
    Source: mindspore.ops.ForiLoop
    """
    value = init_val
    for index in range(lower, upper):
        value = loop_func(index, value)
    return value


@composite("Scan()(loop_func, init, xs, length=None, unroll=True)", name="_scan")
def _scan(loop_func: Callable, init, xs, length: Int | None = None, unroll: Bool = True):
    """Scan: applies a function to a carried value and each item of a list, and collects its results.

    Args:
        loop_func (function): ``(carried, item) -> (carried, result)``.
        init (object): the initial carried value.
        xs (list | tuple): the items; None for ``length`` steps without.
        length (int | None): the number of steps where there are no items. Default: ``None``.
        unroll (bool): a hint for MindSpore's compiler without effect. Default: ``True``.
    Returns:
        tuple: the final carried value, and the list of results.
    Raises:
        TypeError: if ``loop_func`` cannot be called, or ``xs`` is not a list.
        ValueError: if neither items nor a number of steps are given, or ``loop_func`` returns no pair.
    Example:
        >>> ops.Scan()(lambda total, x: (total + x, total), Tensor(0), [Tensor(1), Tensor(2)])[0].item()
        3
    Source: mindspore.ops.Scan
    """
    if xs is None and length is None:
        refuse(ValueError, "Scan", "length", "given where 'xs' is None", length)
    if isinstance(xs, Handle) or not isinstance(xs, (list, tuple, type(None))):
        refuse(TypeError, "Scan", "xs", "a list or tuple of items", xs, "A Tensor becomes one by ops.unstack.")
    carried, results = init, []
    for item in [None] * length if xs is None else xs:
        step = loop_func(carried, item)
        if not isinstance(step, (tuple, list)) or len(step) != 2:
            refuse(ValueError, "Scan", "loop_func", "a function that returns (carried, result)", step)
        carried, result = step
        results.append(result)
    return carried, results
