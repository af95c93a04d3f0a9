"""``mutable``: containers and numbers as inputs of compiled functions."""

from .._contracts import check
from .._contracts.check import refuse
from ..engine.calls.staging import is_in_graph
from ..engine.handle import Handle


class _Mutable:
    """Marks a container or number as an input of staged functions."""

    __ms_mutable__ = True
    __ms_dynamic_len__ = False


class _Tuple(tuple, _Mutable):
    pass


class _List(list, _Mutable):
    pass


class _DynamicTuple(_Tuple):
    __ms_dynamic_len__ = True


class _DynamicList(_List):
    __ms_dynamic_len__ = True

    def __setitem__(self, index, item):
        # In a graph it is one value of unknown length, whose items have one type.
        if is_in_graph() and isinstance(index, int):
            if not -len(self) <= index < len(self):
                refuse(ValueError, "mutable", "index", f"one of the list's {len(self)} items", index)
            if _kind_of(item) != _kind_of(self[index]):
                refuse(TypeError, "mutable", "item", f"like the others, {_kind_of(self[index])}", item)
        super().__setitem__(index, item)


def _kind_of(item):
    """The kind that all items of a list of unknown length have: a Tensor's shape and dtype, or a number's type."""
    if isinstance(item, Handle):
        return f"a Tensor of the shape {item.shape} and of {item.dtype}"
    return next(kind.__name__ for kind in (bool, int, float, object) if isinstance(item, kind))


class _Dict(dict, _Mutable):
    pass


class _Int(int, _Mutable):
    pass


class _Float(float, _Mutable):
    pass


_MUTABLE = {tuple: _Tuple, list: _List, dict: _Dict, int: _Int, float: _Float}
_DYNAMIC = {tuple: _DynamicTuple, list: _DynamicList}


def mutable(input_data, dynamic_len=False):
    """Declares a number or container an input of compiled functions rather than a constant.

    A mutable container has a gradient: a tuple, list or dict of its Tensors' gradients.

    Args:
        input_data (bool | int | float | Tensor | tuple | list | dict): the value.
        dynamic_len (bool): its length may change from call to call, also where ``Cell.set_inputs`` declares it. A loop
            over it is as many operations as it has items, so each new length is compiled; one program serves all
            lengths of the axis of a Tensor instead. Default: ``False``.
    Returns:
        The value, equal to ``input_data``.
    Raises:
        TypeError: if the value, or one in it, has another type, or ``dynamic_len`` is for no tuple or list.
    Example:
        >>> ms.mutable((1, 2))
        (1, 2)
    Source: mindspore.mutable
    """
    if not _is_mutable(input_data):
        kinds = "a bool, int, float or Tensor, or a tuple, list or dict of these"
        refuse(TypeError, "mutable", "input_data", kinds, input_data)
    if check.boolean(dynamic_len, "dynamic_len", "mutable") and not isinstance(input_data, (tuple, list)):
        refuse(TypeError, "mutable", "input_data", "a tuple or list, since 'dynamic_len' is True", input_data)
    kind = (_DYNAMIC if dynamic_len else _MUTABLE).get(type(input_data))
    return input_data if kind is None else kind(input_data)


def _is_mutable(value):
    if isinstance(value, (tuple, list)):
        return all(_is_mutable(item) for item in value)
    if isinstance(value, dict):
        return all(_is_mutable(item) for item in value.values())
    return isinstance(value, (bool, int, float, Handle))


def is_mutable(value):
    """Whether ``value`` came from `mutable`."""
    return isinstance(value, _Mutable)


def is_mutable_nest(value):
    """Whether ``value`` is a tuple, list or dict that came from `mutable`: an input that has a gradient."""
    return isinstance(value, (_Tuple, _List, _Dict))
