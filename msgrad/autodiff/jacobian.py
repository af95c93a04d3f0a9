"""Jacobians: ``jacfwd`` and ``jacrev`` over their namesakes in JAX."""

import math
from typing import Any

import numpy as np

from ..engine.handle import Handle
from ..engine.recording import record
from ..engine.transforms import chain
from ..engine.transforms.lifting import is_inexact
from ..engine.transforms.transform import Jacobian
from ..tensor.tensor import Tensor
from ._check import MSG_AUX, check_aux_flag, check_function, check_positions, split_aux
from ._transformed import Transformed
from .backward import collect_for_many
from .gradients import choose_outputs
from .record import Recording, zeros_like


def jacfwd(fn, grad_position=0, has_aux=False):
    """Makes the function that computes the Jacobian of ``fn`` column by column, in forward mode.

    Args:
        fn (Cell | function): returns a Tensor or a tuple of Tensors.
        grad_position (int | tuple[int]): positions of the inputs to differentiate by. Default: ``0``.
        has_aux (bool): only the first output is differentiated, the others are returned. Default: ``False``.
    Returns:
        function: its result has shape ``output.shape + input.shape``; with several outputs or positions it is a tuple
        over outputs, of tuples over positions.
    Raises:
        TypeError: if ``grad_position`` is neither int nor tuple.  ValueError: if a position does not exist.
    Example:
        >>> ms.jacfwd(lambda x: x * x)(Tensor([1.0, 2.0])).tolist()
        [[2.0, 0.0], [0.0, 4.0]]
    Source: mindspore.jacfwd, mindspore.ops.jacfwd
    """
    return _Jacobian(fn, grad_position, has_aux, "forward")


def jacrev(fn, grad_position=0, has_aux=False):
    """Makes the function that computes the Jacobian of ``fn`` row by row, in reverse mode.

    Args, Returns, Raises: as for `jacfwd`.
    Example:
        >>> ms.jacrev(lambda x: x * x)(Tensor([1.0, 2.0])).tolist()
        [[2.0, 0.0], [0.0, 4.0]]
    Source: mindspore.jacrev, mindspore.ops.jacrev
    """
    return _Jacobian(fn, grad_position, has_aux, "reverse")


class _Jacobian(Transformed):
    def __init__(self, fn, grad_position, has_aux, mode):
        check_aux_flag(has_aux)
        super().__init__(fn)
        self.positions = check_positions(grad_position, "F.grad")
        self.is_bool = isinstance(grad_position, bool)
        self.has_aux = has_aux
        self.mode = mode

    def __call__(self, *args):
        return self.run(*args)

    def transform(self, *args):
        """Records ``fn`` at the arguments and returns its Jacobian."""
        self._check(args)
        with record.part(self.site) as trace:
            recording = Recording(trace)
            output = recording.call(self.fn, args, {}, self.positions)
            value, aux = split_aux(output, self.has_aux, MSG_AUX)
            is_tuple = isinstance(value, tuple)
            if not is_tuple and not isinstance(value, Handle):
                raise TypeError(f"'fn' must return a Tensor or a tuple of Tensors, but got {type(value).__name__}.")
            if is_tuple and len(value) == 1 and self.mode == "reverse":
                raise TypeError(
                    "For 'jacrev', an output that is a tuple must have several Tensors; return a single Tensor itself."
                )
            choose_outputs(recording, value)
            if not aux:
                output = None
            value = None
            compute = self._by_segments(recording) or self._at_once(recording)
        blocks = compute()
        count = len(self.positions)
        rows = [blocks[k : k + count] for k in range(0, len(blocks), count)]
        rows = [row[0] if count == 1 else tuple(row) for row in rows]
        result = tuple(rows) if is_tuple and len(rows) > 1 else rows[0]
        return (result, *aux) if aux else result

    def _check(self, args):
        check_function(self.fn, "jacfwd" if self.mode == "forward" else "jacrev", ValueError)
        if self.is_bool and self.mode == "reverse":
            raise RuntimeError("The 'grad_position' must be an int or a tuple of ints, but got a bool.")
        if any(position >= len(args) for position in self.positions):
            raise ValueError("The 'grad_position' must be the position of an argument of the call.")
        for position in self.positions:
            if not isinstance(args[position], Handle):
                raise TypeError(
                    f"For a Jacobian, the input at position {position} must be a Tensor, "
                    f"but got {type(args[position]).__name__}."
                )

    def _at_once(self, recording):
        """A function that computes the blocks of the Jacobian, outputs outermost, in one program."""
        recording.join()
        trace = recording.trace
        wrt = tuple([recording.inputs[position] for position in self.positions])
        rules = collect_for_many(trace, wrt, recording.outs)
        op = Jacobian.of(trace.step, trace.live_indices(), wrt, recording.outs, rules, self.mode)
        return lambda: record.emit(trace, op)

    def _by_segments(self, recording):
        """A function that computes them by segments, for all directions at once; None if one program is better."""
        trace = recording.trace
        if not chain.is_wanted(trace) or chain.has_rules(trace):
            return None
        links = [recording.inputs[position] for position in self.positions]
        segments = chain.Chain(trace, links)
        outs, points = [trace.aval_of(i) for i in recording.outs], [trace.aval_of_link(link) for link in links]
        if not segments.is_smooth() or not all(is_inexact(dtype) for _, dtype in outs):
            return None

        def backward():
            directions, size = _basis(outs)
            gradients = segments.pull(recording.outs, directions, lambda *_: (), size)
            rows = [
                gradients[k] if k in gradients else zeros_like(((size, *p[0]), p[1]))
                for k, p in zip(links, points, strict=True)
            ]
            parts = [_parts(row, outs) for row in rows]
            pairs = [
                (part[k], out, point) for k, out in enumerate(outs) for part, point in zip(parts, points, strict=True)
            ]
            return [block.reshape(out[0] + point[0]) for block, out, point in pairs]

        def forward() -> Any:
            directions, size = _basis(points)
            columns = segments.push(dict(zip(links, directions, strict=True)), recording.outs, size)
            blocks = []
            for column, out in zip(columns, outs, strict=True):
                for block, point in zip(_parts(column, points), points, strict=True):
                    blocks.append(block.reshape(block.shape[0], -1).T.reshape(out[0] + point[0]))
            return blocks

        return backward if self.mode == "reverse" else forward


def _basis(avals):
    """The unit vectors over all elements, as one batched Tensor for each of ``avals``; and their number."""
    sizes = [math.prod(shape) for shape, _ in avals]
    rows = np.split(np.eye(sum(sizes)), np.cumsum(sizes)[:-1], axis=1)
    return [Tensor(r.reshape(-1, *shape).astype(d)) for r, (shape, d) in zip(rows, avals, strict=True)], sum(sizes)


def _parts(tensor, avals):
    """The rows of ``tensor`` that belong to each of ``avals``."""
    stops = np.cumsum([math.prod(shape) for shape, _ in avals]).tolist()
    return [tensor[start:stop] for start, stop in zip([0, *stops], stops, strict=False)]
