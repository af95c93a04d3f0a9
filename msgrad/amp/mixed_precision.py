"""Mixed precision by classes: casts a network's Cells and Primitives to half precision by their class."""

import types

from .. import nn, ops
from ..engine import dtypes
from ..engine.refusal import refuse, require
from ..ops._core.primitive import Primitive
from ..tensor.tensor import Tensor
from .automatic import by_operations

# MindSpore's lists: what O1 computes in half precision, and what O2 does not. Names that msgrad lacks are omitted.
_WHITE_CELLS = "Conv1d Conv2d Conv3d Conv1dTranspose Conv2dTranspose Conv3dTranspose Dense LSTMCell RNNCell GRUCell"
_WHITE_PRIMITIVES = (
    "Conv2D Conv3D Conv2DTranspose Conv3DTranspose Conv2DBackpropInput MatMul BatchMatMul PReLU ReLU Ger"
)
_BLACK_CELLS = "BatchNorm1d BatchNorm2d BatchNorm3d LayerNorm"


def _those_of(module, names):
    return [getattr(module, name) for name in names.split() if hasattr(module, name)]


AMP_WHITE_LIST = _those_of(nn, _WHITE_CELLS) + _those_of(ops, _WHITE_PRIMITIVES)
AMP_BLACK_LIST = _those_of(nn, _BLACK_CELLS)

_HALF = (dtypes.float16, dtypes.bfloat16)
_LEVELS = ("O0", "O1", "O2", "O3", "auto")
_MSG_ONE_LIST = "For 'custom_mixed_precision', one of 'white_list' and 'black_list' must be given, and not both."


def get_white_list():
    """The classes that ``'O1'`` computes in half precision (list), a copy.

    Example:
        >>> nn.Dense in amp.get_white_list()
        True
    Source: mindspore.amp.get_white_list
    """
    return list(AMP_WHITE_LIST)


def get_black_list():
    """The classes that ``'O2'`` computes in float32 (list), a copy.

    Example:
        >>> nn.LayerNorm in amp.get_black_list()
        True
    Source: mindspore.amp.get_black_list
    """
    return list(AMP_BLACK_LIST)


def auto_mixed_precision(network, amp_level="O0", dtype=dtypes.float16):
    """Makes a network compute in half precision; its output is float32, except with ``'auto'``.

    Args:
        network (Cell | function): the network; it is changed, and with ``'O1'`` its Parameters are named by their
            paths. A function for ``'auto'`` alone.
        amp_level (str): ``'O0'`` changes nothing; ``'O1'`` lowers the kinds of `get_white_list`, Cells and the
            Primitives that Cells have for attributes; ``'O2'`` all but those of `get_black_list`; ``'O3'`` all;
            ``'auto'`` chooses for each operation: products and convolutions are lowered; powers, exponentials, sums,
            norms and losses compute in float32; additions of several operands in the widest dtype; all others in the
            dtype of their operands. Default: ``'O0'``.
        dtype (mindspore.dtype): ``float16`` or ``bfloat16``. Default: ``float16``.
    Returns:
        Cell, with ``'O2'`` and ``'O3'`` one around the network; or a function.
    Raises:
        TypeError: if ``network`` is not a Cell, or with ``'auto'`` no function either.
        ValueError: for another level or dtype.
    Example:
        >>> net = amp.auto_mixed_precision(nn.Dense(2, 3), "O3")
        >>> net(Tensor([[1.0, 2.0]])).dtype
        mindspore.float32
    Source: mindspore.amp.auto_mixed_precision
    """
    owner = "auto_mixed_precision"
    kinds = (nn.Cell, types.FunctionType, types.MethodType) if amp_level == "auto" else nn.Cell
    require(network, kinds, owner, "network")
    _check_dtype(dtype, owner)
    if amp_level not in _LEVELS:
        refuse(ValueError, owner, "amp_level", f"one of {_LEVELS}", amp_level)
    if amp_level == "O0":
        return network
    if amp_level == "O1":
        network = _lower_and_rename(network, tuple(AMP_WHITE_LIST), dtype)
    elif amp_level == "O2":
        network = _OutputTo32(_lower_but(network, tuple(AMP_BLACK_LIST), dtype))
    elif amp_level == "O3":
        network = _OutputTo32(network.to_float(dtype))
    else:
        network = by_operations(network, dtype)
    network._amp_level = amp_level
    return network


def custom_mixed_precision(network, *, white_list=None, black_list=None, dtype=dtypes.float16):
    """`auto_mixed_precision` with a user-defined white or black list.

    Args:
        network (Cell): the network; it is changed.
        white_list (list[type]): Cells and Primitives to lower; Parameters are named by their paths. Default: ``None``.
        black_list (list[type]): Cells that stay in float32, where everything else is lowered. Default: ``None``.
        dtype (mindspore.dtype): ``float16`` or ``bfloat16``. Default: ``float16``.
    Returns:
        Cell; with a ``black_list`` one around the network.
    Raises:
        TypeError: if ``network`` is not a Cell, or a list has something else.  ValueError: unless one list is given.
    Example:
        >>> net = amp.custom_mixed_precision(nn.SequentialCell(nn.Dense(2, 3)), white_list=[nn.Dense])
    Source: mindspore.amp.custom_mixed_precision
    """
    owner = "custom_mixed_precision"
    require(network, nn.Cell, owner, "network")
    if (white_list is None) == (black_list is None):
        raise ValueError(_MSG_ONE_LIST)
    _check_dtype(dtype, owner)
    if white_list is not None:
        return _lower_and_rename(network, _classes(white_list, "white_list", (nn.Cell, Primitive)), dtype)
    return _OutputTo32(_lower_but(network, _classes(black_list, "black_list", (nn.Cell,)), dtype))


def keep_in_float32(network, kinds, dtype):
    """Makes sub-cells of some kinds compute in float32 and return ``dtype``."""
    for name, cell in list(network.name_cells().items()):
        if cell is network:
            continue
        if isinstance(cell, kinds):
            network._cells[name] = _OutputTo16(cell.to_float(dtypes.float32), dtype)
        else:
            keep_in_float32(cell, kinds, dtype)
    return network


class _Around(nn.Cell):
    """A network whose output is cast."""

    def __init__(self, backbone):
        super().__init__(auto_prefix=False)
        self._backbone = backbone


class _OutputTo16(_Around):
    """A network whose output is cast to half precision."""

    def __init__(self, backbone, dtype=dtypes.float16):
        super().__init__(backbone)
        self.dtype = dtype

    def construct(self, *args, **kwargs):
        """The output in half precision."""
        return ops.cast(self._backbone(*args, **kwargs), self.dtype)


class _OutputTo32(_Around):
    """A network whose output is cast to float32, in any nested container."""

    def construct(self, *args, **kwargs):
        """The output in float32."""
        return cast_floats(self._backbone(*args, **kwargs), dtypes.float32)


def cast_floats(value, dtype):
    """Casts the float Tensors in nested containers to ``dtype``; everything else is unchanged."""
    if isinstance(value, (tuple, list)):
        return type(value)([cast_floats(item, dtype) for item in value])
    if isinstance(value, dict):
        return {name: cast_floats(item, dtype) for name, item in value.items()}
    is_float = isinstance(value, Tensor) and value.is_floating_point()
    return value.astype(dtype) if is_float else value


class _Lowered:
    """A Primitive whose float operands are cast to half precision, and its results to float32."""

    def __init__(self, primitive, dtype):
        self.primitive, self.dtype = primitive, dtype

    def __call__(self, *args, **kwargs):
        args, kwargs = cast_floats(args, self.dtype), cast_floats(kwargs, self.dtype)
        return cast_floats(self.primitive(*args, **kwargs), dtypes.float32)

    def __getattr__(self, name):
        return getattr(self.primitive, name)


def _lower_but(network, kinds, dtype):
    return keep_in_float32(network.to_float(dtype), kinds, dtype)


def _lower_and_rename(network, kinds, dtype):
    """Lowers some kinds; MindSpore then has another Cell, which names the Parameters by their paths."""
    network.update_parameters_name()
    return _lower_listed(network, kinds, dtype)


def _lower_listed(network, kinds, dtype):
    if isinstance(network, kinds):
        network.to_float(dtype)
        network._output_dtype_ = dtypes.float32
        return network
    for name, value in list(vars(network).items()):
        if isinstance(value, Primitive) and isinstance(value, kinds):
            setattr(network, name, _Lowered(value, dtype))
    for cell in network.name_cells().values():
        if cell is not network and cell._compute_dtype_ is None:  # a Cell with a precision set by the user keeps it
            _lower_listed(cell, kinds, dtype)
    return network


def _check_dtype(dtype, owner):
    if dtype not in _HALF:
        refuse(ValueError, owner, "dtype", "float16 or bfloat16", dtype)


def _classes(classes, name, kinds):
    owner = "custom_mixed_precision"
    for each in require(classes, list, owner, name):
        if not (isinstance(each, type) and issubclass(each, kinds)):
            refuse(
                TypeError, owner, name, f"a list of subclasses of {' or '.join(kind.__name__ for kind in kinds)}", each
            )
    return tuple(classes)
