"""``_Grad`` and ``_Vmap``, the classes from which MindSpore makes its gradient and mapping functions."""

from .._contracts.check import boolean
from .batching import vmap
from .gradients import GradOperation, grad, value_and_grad


class _Grad:
    """Makes gradient functions: as `GradOperation`, or as `grad` if positions, values, ids or aux are requested.

    Args:
        get_all, get_by_list, sens_param (bool): as for `GradOperation`. Default: ``False``.
        get_by_position (bool): whether to use ``grad_position``. Default: ``False``.
        has_aux, return_ids (bool): as for `grad`. Default: ``False``.
        get_value (bool): whether to return the value with the gradients. Default: ``False``.
        merge_forward (bool): a hint for MindSpore's compiler, without effect. Default: ``False``.
    Returns:
        ``_Grad(...)(fn, weights=None, grad_position=0)`` gives a function of ``fn``'s arguments.
    Raises:
        TypeError: if an argument is not a bool.
    Example:
        >>> ops._Grad(get_all=True)(lambda x, y: x * y)(Tensor([2.0]), Tensor([3.0]))[1].tolist()
        [2.0]
    Source: mindspore.ops._Grad
    """

    def __init__(
        self,
        get_all=False,
        get_by_list=False,
        sens_param=False,
        get_by_position=False,
        has_aux=False,
        get_value=False,
        return_ids=False,
        merge_forward=False,
    ):
        self.operation = GradOperation(get_all, get_by_list, sens_param)
        self.get_by_position = boolean(get_by_position, "get_by_position", "_Grad")
        self.has_aux = boolean(has_aux, "has_aux", "_Grad")
        self.get_value = boolean(get_value, "get_value", "_Grad")
        self.return_ids = boolean(return_ids, "return_ids", "_Grad")

    def __call__(self, fn, weights=None, grad_position=0):
        ask = self.operation
        if not (self.get_by_position or self.has_aux or self.get_value or self.return_ids):
            return ask(fn, weights)
        transform = value_and_grad if self.get_value else grad
        position = None if ask.get_by_list and not self.get_by_position else grad_position
        return transform(
            fn, position, weights if ask.get_by_list else None, self.has_aux, self.return_ids, ask.sens_param
        )


class _Vmap:
    """Makes functions over batches: ``_Vmap()(fn, in_axes, out_axes)`` is `vmap`.

    Example:
        >>> ops._Vmap()(ops.sin, 0, 0)(Tensor([0.0])).tolist()
        [0.0]
    Source: mindspore.ops._Vmap
    """

    def __call__(self, fn, in_axes=0, out_axes=0):
        return vmap(fn, in_axes, out_axes)
