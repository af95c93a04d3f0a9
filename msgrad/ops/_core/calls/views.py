"""Operations whose result shares storage with their operand: ``@op(..., view=True)``.

MindSpore's reshapes, transposes and slices are views: a write to the Tensor is visible in the view and vice versa. This
holds outside recordings, and in whole calls in PYNATIVE_MODE. In differentiated functions, and in GRAPH_MODE, results
are separate values.
"""

from ....engine.recording.layout import moved
from ....engine.recording.trace import apply
from ....engine.recording.views import are_shared, layout_of, link


def apply_view(record, operands, static=()):
    """As `engine.recording.trace.apply`, for an operation that only rearranges elements: its results may be views."""
    result = apply(record, operands, static)
    if are_shared():
        base = operands[0]
        layout, dtype = layout_of(base), base.aval[1]
        if type(result) is tuple:
            for k, each in enumerate(result):
                _link(base, each, moved(layout, record, static, dtype, k))
        else:
            _link(base, result, moved(layout, record, static, dtype, None))
    return result


def _link(base, view, layout):
    if layout is not None:
        link(base, view, layout)
