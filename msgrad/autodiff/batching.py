"""``vmap``: a function over batched inputs, by ``jax.vmap``."""

from .. import ops
from ..engine.collectives import collective
from ..engine.handle import Handle
from ..engine.pytrees import refilled
from ..engine.recording import record
from ..engine.refusal import refuse
from ..engine.transforms.transform import Vmap
from ..tensor.tensor import Tensor
from ._transformed import Transformed
from .backward import collect_for_outside

_MSG_KEYWORD = "For 'vmap', the arguments of the mapped function must be given by position, but '{}' is a keyword."
_MSG_WRITTEN = (
    "A Parameter is written to inside 'vmap', where it would need a value for each sample. Return the new value, and "
    "assign it outside."
)
_MSG_SAME_NAMES = (
    "For 'vmap', the Parameters of the Cells in 'fn' must have different names. Put the Cells in an nn.CellList, which "
    "makes the names different."
)


def vmap(fn, in_axes=0, out_axes=0):
    """Makes the function that maps ``fn`` over an axis of its inputs.

    Args:
        fn (Cell | function | CellList): what to map. A CellList is an ensemble: Cell ``i`` gets sample ``i``.
        in_axes (int | tuple | list): for each positional argument the axis to map over, None for an argument that is
            not mapped; nested like the arguments. Default: ``0``.
        out_axes (int | tuple | list): the position of the mapped axis in the outputs. Default: ``0``.
    Returns:
        function: it returns what ``fn`` returns, with the mapped axis; lists become tuples.
    Raises:
        RuntimeError: if axes do not fit the arguments or each other.
    Example:
        >>> ms.vmap(lambda x, y: (x * y).sum(), (0, None))(Tensor([[1.0, 2.0]]), Tensor([1.0, 1.0])).tolist()
        [3.0]
    Source: mindspore.vmap, mindspore.ops.vmap
    """
    return _Mapped(fn, in_axes, out_axes)


class _Mapped(Transformed):
    def __init__(self, fn, in_axes, out_axes):
        super().__init__(fn)
        self.in_axes = in_axes
        self.out_axes = out_axes

    def __call__(self, *args, **kwargs):
        if kwargs:
            raise RuntimeError(_MSG_KEYWORD.format(next(iter(kwargs))))
        return self.run(*args)

    def transform(self, *args):
        """Records ``fn`` for one sample and returns its outputs for all."""
        if _is_ensemble(self.fn):
            return self._map_ensemble(args)
        if not args:
            raise TypeError("For 'vmap', the mapped function must be called with at least one argument.")
        if not callable(self.fn):
            refuse(RuntimeError, "vmap", "fn", "a function, a Cell or a CellList", self.fn)
        axes = _axes_per_argument(self.in_axes, args)
        flat = [pair for value, axis in zip(args, axes, strict=True) for pair in _leaf_axes(value, axis)]
        size = _axis_size(flat, self.in_axes)
        with record.part(self.site) as trace:
            samples = iter([_sample(trace, value, axis) for value, axis in flat])
            output = self.fn(*[refilled(value, samples) for value in args])
            token = collective.written_in(trace)
            if len(trace.writes) > (token is not None):
                raise RuntimeError(_MSG_WRITTEN)
            leaves = []
            tree = _tree_of(output, leaves)
            outs = tuple([trace.place(leaf) for leaf in leaves])
            out_axes = tuple(_out_axes(self.out_axes, output))
            if token is not None:  # the same for all samples
                outs, out_axes = (*outs, trace.place(token)), (*out_axes, None)
                trace.undo_write(token)
            rules = collect_for_outside(trace, outs)
            axes = iter([axis for _, axis in flat if axis is not None])
            in_axes = tuple([next(axes) if state is None else None for state in trace.leaf_states])
            op = Vmap.of(trace.step, (), in_axes, outs, out_axes, size, rules)
        results = record.emit(trace, op)
        if token is not None:
            token._write_(results.pop())
        return _filled(tree, iter(results))

    def _map_ensemble(self, args):
        cells = list(self.fn)
        if len(cells) < 2:
            refuse(RuntimeError, "vmap", "fn", "a CellList of at least two Cells", self.fn)
        whole = self.in_axes is None
        axes = [None] * len(args) if whole else _axes_per_argument(self.in_axes, args, may_be_none=True)
        flat = [pair for value, axis in zip(args, axes, strict=True) for pair in _leaf_axes(value, axis)]
        size = len(cells) if all(axis is None for _, axis in flat) else _axis_size(flat, self.in_axes)
        if size != len(cells):
            refuse(ValueError, "vmap", "in_axes", f"axes of length {len(cells)}, a sample for each Cell", size)
        names = [parameter.name for cell in cells for parameter in cell.get_parameters()]
        if len(set(names)) < len(names):
            raise RuntimeError(_MSG_SAME_NAMES)
        outputs = []
        for i, cell in enumerate(cells):
            samples = iter([v if axis is None else ops.gather(v, Tensor(i), axis) for v, axis in flat])
            outputs.append(cell(*[refilled(value, samples) for value in args]))
        return _stacked(outputs, self.out_axes)


def _stacked(outputs, out_axes):
    first = outputs[0]
    if isinstance(first, Handle):
        return ops.stack(outputs, axis=out_axes if isinstance(out_axes, int) else 0)
    axes = out_axes if isinstance(out_axes, (tuple, list)) else [out_axes] * len(first)
    return tuple(
        _stacked([output[k] for output in outputs], axis) for k, axis in zip(range(len(first)), axes, strict=True)
    )


def _is_ensemble(fn):
    if isinstance(fn, (list, tuple)):
        return all(map(callable, fn))
    return getattr(fn, "_is_ensemble_", False)


def _check_axis(axis):
    if axis is not None and (isinstance(axis, bool) or not isinstance(axis, int)):
        refuse(RuntimeError, "vmap", "in_axes", "made of ints and None", axis)


def _axes_per_argument(in_axes, args, may_be_none=False):
    if in_axes is None:
        _refuse_none("in_axes", in_axes)
    if not isinstance(in_axes, (tuple, list)):
        _check_axis(in_axes)
        return [in_axes] * len(args)
    if len(in_axes) != len(args):
        refuse(RuntimeError, "vmap", "in_axes", f"of length {len(args)}, an axis for each argument", in_axes)
    if not may_be_none and _all_none(in_axes):
        _refuse_none("in_axes", in_axes)
    return list(in_axes)


def _refuse_none(name, axes):
    refuse(RuntimeError, "vmap", name, "at least one axis; only for a CellList may all be None", axes)


def _all_none(axes):
    return all(_all_none(axis) if isinstance(axis, (tuple, list)) else axis is None for axis in axes)


def _leaf_axes(value, axis):
    """Pairs of each Tensor in an argument and its axis."""
    if isinstance(value, Handle):
        _check_axis(axis)
        rank = len(value.aval[0])
        if axis is not None and not -rank <= axis < rank:
            refuse(RuntimeError, "vmap", "in_axes", f"in the range [{-rank}, {rank})", axis)
        return [(value, axis if axis is None else axis % rank)]
    if isinstance(value, (tuple, list, dict)):
        items = list(value.values()) if isinstance(value, dict) else value
        axes = axis if isinstance(axis, (tuple, list)) else [axis] * len(items)
        return [pair for item, each in zip(items, axes, strict=True) for pair in _leaf_axes(item, each)]
    if axis is not None:
        refuse(RuntimeError, "vmap", "in_axes", f"None for an argument that is not a Tensor, {value!r}", axis)
    return []


def _axis_size(flat, in_axes):
    sizes = [value.aval[0][axis] for value, axis in flat if axis is not None]
    if len(set(sizes)) > 1:
        refuse(RuntimeError, "vmap", "in_axes", "axes of equal length", sizes)
    if not sizes:
        _refuse_none("in_axes", in_axes)
    return sizes[0]


def _sample(trace, value, axis):
    if axis is None:
        return value
    shape, dtype = value.aval
    return trace.placeholder((shape[:axis] + shape[axis + 1 :], dtype), value)


class _Leaf:
    """Placeholder of a Tensor in the tree of an output."""


def _tree_of(output, leaves):
    """The tree of an output with `_Leaf` in place of each Tensor; lists become tuples, ints become int64 Tensors."""
    if isinstance(output, (bool, int, float)):
        output = Tensor(output)
    if isinstance(output, Handle):
        leaves.append(output)
        return _Leaf
    if isinstance(output, (tuple, list)):
        return tuple([_tree_of(item, leaves) for item in output])
    refuse(RuntimeError, "vmap", "fn", "a function that returns Tensors and numbers, or tuples of them", output)


def _out_axes(out_axes, output):
    """The output axis of each Tensor in an output."""
    if out_axes is None:
        _refuse_none("out_axes", out_axes)
    if isinstance(output, (tuple, list)) and isinstance(out_axes, (tuple, list)):
        if len(out_axes) != len(output):
            refuse(RuntimeError, "vmap", "out_axes", f"of length {len(output)}, an axis for each output", out_axes)
        return [axis for item, each in zip(output, out_axes, strict=True) for axis in _out_axes(each, item)]
    if isinstance(output, (tuple, list)):
        return [axis for item in output for axis in _out_axes(out_axes, item)]
    axis = out_axes[0] if isinstance(out_axes, (tuple, list)) else out_axes
    rank = len(output.aval[0]) + 1 if isinstance(output, Handle) else 1
    if not isinstance(axis, int) or not -rank <= axis < rank:
        refuse(RuntimeError, "vmap", "out_axes", f"an int in the range [{-rank}, {rank})", axis)
    return [axis % rank]


def _filled(tree, results):
    return next(results) if tree is _Leaf else tuple([_filled(item, results) for item in tree])
