"""Gradients by rows: of the Parameters that only sparse lookups use (`ops.EmbeddingLookup`, `ops.SparseGatherV2`).

Such a table is not differentiated by. The rows of each lookup are, in its place: their gradients and their numbers are
the gradient of the table, as in MindSpore, without an array of its size.
"""

from ..engine.recording import record
from ..engine.recording.results import wrap
from ..ops.index.embeddings import ROWS_AT
from ..ops.index.row_gradient import RowGradient


def lookups(recording, wrt_weights):
    """The sparse lookups of each table, by the index of the table among the leaves.

    Args:
        recording (Recording): its outputs are chosen, and it has one segment.
        wrt_weights (list): pairs of a weight and the links of its values.
    Returns:
        dict: for each table a list of pairs: the index of the rows, and a Tensor with their numbers, which the
        recording computes because of this reference.
    """
    trace = recording.trace
    found = trace.step.lookups
    if not found or trace.versions or trace.earlier or trace.moved or record.orders_of(trace.outer):
        return {}  # a derivative of the gradient needs the whole
    others = {*recording.outs, *recording.input_indices(), *trace.hooks, *[k for k, _ in trace.hooked_leaves()]}
    tables = {links[0] for _, links in wrt_weights if len(links) == 1 and links[0] in found} - others
    return {table: [(rows, wrap(trace.promises[numbers])) for rows, numbers in found[table]] for table in tables}


def look_for(step):
    """Finds, for each leaf that only sparse lookups use, the indices of their rows and of the numbers of these."""
    found, others = {}, set()
    for node in step.close().nodes:
        inputs = node.inputs
        if node.op is ROWS_AT and inputs[0] < 0 <= inputs[1]:
            found.setdefault(inputs[0], []).append((node.first, inputs[1]))
            inputs = inputs[1:]
        others.update(inputs)
    step.lookups = {table: found[table] for table in found.keys() - others}


def gradient_of(table, uses, results):
    """The gradient of ``table``, a Parameter, of its lookups ``uses`` and the gradients by index, ``results``."""
    return RowGradient.joined([numbers for _, numbers in uses], [results[rows] for rows, _ in uses], table.shape)
