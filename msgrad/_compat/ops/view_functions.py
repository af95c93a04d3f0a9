"""Views under the names of ``ops.auto_generate``: results that share storage with their operand."""

from ... import mint
from ...ops._core.faces import primitive
from ...ops._core.tables import Table

VIEWS = Table()  # the Primitives by name


def contiguous(input):
    """The Tensor unchanged: every Tensor is contiguous."""
    return input.contiguous()


def expand_dims_view(input, dim):
    """A view with one more axis."""
    return mint.unsqueeze(input, dim)


def transpose_view(input, input_perm):
    """A view with its axes in another order."""
    return mint.permute(input, tuple(input_perm))


def view(input, shape):
    """A view of another shape."""
    return input.view(tuple(shape))


def view_dtype(input, dtype):
    """The bits of a Tensor as another dtype of the same length."""
    return input.view(dtype)


def _slice_view(input, dim, start, end, step):
    index = [slice(None)] * input.ndim
    index[dim] = slice(start, end, step)
    return input[tuple(index)]


_ROWS = [
    (contiguous, "Contiguous()(input)"),
    (transpose_view, "TransposeView()(input, input_perm)"),
    (view, "View()(input, shape)"),
    (view_dtype, "ViewDtype()(input, dtype)"),
    (_slice_view, "SliceExtView()(input, dim, start, end, step)"),
    (mint.select, "SelectExtView()(input, dim, index)"),
    (mint.transpose, "TransposeExtView()(input, dim0, dim1)"),
    (mint.unbind, "UnstackExtView()(input, dim=0)"),
    (mint.split, "SplitTensorView()(input, split_size, dim=0)", {"split_size": "split_size_or_sections"}),
    (mint.split, "SplitWithSizeView()(input, split_size, dim=0)", {"split_size": "split_size_or_sections"}),
]

for _target, _text, *_options in _ROWS:
    primitive(_target, _text, table=VIEWS, path="mindspore.ops.auto_generate", **dict(*_options))
globals().update(VIEWS)
