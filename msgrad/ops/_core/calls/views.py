"""Operations whose result shares storage with their operand: ``@op(..., view=True)``.

MindSpore's reshapes, transposes and slices are views: a write to the Tensor is visible in the view and vice versa. This
holds outside recordings, and in whole calls in PYNATIVE_MODE. In differentiated functions, and in GRAPH_MODE, results
are separate values.
"""

from ....engine.handle import scope
from ....engine.recording.layout import moved, whole
from ....engine.recording.trace import apply
from ....engine.recording.views import link

_MOST_LAYOUTS = 512  # of one operation that are remembered


def apply_view(record, operands, static=()):
    """As `engine.recording.trace.apply`, for an operation that only rearranges elements: its results may be views."""
    result = apply(record, operands, static)
    trace = scope.trace
    if trace is None or trace.shares:  # as `are_shared` says, without the call
        base = operands[0]
        view = base._view
        layout = whole(base.aval[0]) if view is None else view.layout
        # By identity: to hash a layout takes 0.4 us, and layouts and static arguments come out of caches themselves.
        entry = record.layouts.get((id(layout), id(static)))
        if entry is None:
            entry = _moved(record, layout, static, base.aval[1], result)
        for each, position in entry[0]:
            link(base, result if each is None else result[each], position)
    return result


def _moved(record, layout, static, dtype, result):
    """An entry of ``record.layouts``: the index and layout of each result that is a view, and the keyed objects."""
    # The index of each result of a tuple; None stands for a single result.
    indices = range(len(result)) if type(result) is tuple else [None]
    layouts = [(index, moved(layout, record, static, dtype, index)) for index in indices]
    entry = [each for each in layouts if each[1] is not None], layout, static
    if len(record.layouts) >= _MOST_LAYOUTS:
        record.layouts.clear()
    record.layouts[id(layout), id(static)] = entry
    return entry
