"""Rows of `op_cases` in GRAPH_MODE, several in one program: XLA compiles it in a third of the time of one for each."""

from msgrad import nn

from .rows import GOLDEN, derivatives_cell, free_inputs, make_row, tensors


class Rows(nn.Cell):
    """The results of several Cells, each for its own inputs."""

    def __init__(self, rows):
        super().__init__()
        self.rows = rows

    def construct(self, *groups):
        return tuple([row(*inputs) for row, inputs in zip(self.rows, groups, strict=True)])


def values_of_all(cases):
    """`rows.values_of` of several rows, by name, in one program."""
    keys = [(case, dtype) for case in cases for dtype in GOLDEN[case.name]["values"]]
    results = Rows([make_row(case) for case, _ in keys])(*[tensors(case.inputs(dtype)) for case, dtype in keys])
    values = {case.name: {} for case in cases}
    for (case, dtype), result in zip(keys, results, strict=True):
        values[case.name][dtype] = result.asnumpy()
    return values


def derivatives_of_all(cases):
    """`rows.derivatives_of` of several rows, by name, in one program."""
    inputs = [tensors(free_inputs(case, case.inputs())) for case in cases]
    results = Rows([derivatives_cell(case) for case in cases])(*inputs)
    return {
        case.name: [[gradient.asnumpy() for gradient in order] for order in orders]
        for case, orders in zip(cases, results, strict=True)
    }


class Batches:
    """The results of rows by name, computed for several at a time.

    Args:
        cases (list of OpCase): the rows that are asked for. Those with Parameters, or that read values, run alone.
        together (function): the results of several rows, by name.
        alone (function): those of one row.
        size (int): of how many rows a program is made.
    """

    def __init__(self, cases, together, alone, size):
        self._together, self._alone = together, alone
        pure = [case for case in cases if not case.parameters and not case.looks]
        batches = [pure[start : start + size] for start in range(0, len(pure), size)]
        self._batches = {case.name: batch for batch in batches for case in batch}
        self._results = {}

    def __call__(self, case):
        """The results of a row. If its batch raises, the row runs alone, so that the error is that of the row."""
        if case.name not in self._results and case.name in self._batches:
            batch = self._batches[case.name]
            try:
                self._results |= self._together(batch)
            except Exception:
                self._batches = {name: rows for name, rows in self._batches.items() if rows is not batch}
        return self._results.pop(case.name) if case.name in self._results else self._alone(case)


def selected(request, test):
    """The rows of a ``test`` (its name) in the module of ``request`` that are to run: ``-k`` may have chosen a few."""
    items = [item for item in request.session.items if item.module is request.module]
    return [item.callspec.params["case"] for item in items if item.originalname == test]
