"""Optimizer steps over all Parameters at once, as one operation; used by ``nn.optim``."""

import functools
import inspect

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Arrays
from ...engine.execution import execute
from ...engine.handle import Handle
from ...engine.recording.views import apart
from ...tensor.numbers import number
from ...tensor.parameter import write_all
from .._core.define import op
from ..index.row_gradient import ROWS, as_dense, through_rows, with_rows
from .optimizer_formulas import descent, sgd

_EACH, _GRADIENT, _SHARED, _FIXED = "each", "gradient", "shared", "fixed"  # kinds of an `Update`'s sources
_PROVIDED = frozenset(("parameter", "gradient", "rate", "decay"))  # by every step
_FLOAT = np.dtype(np.float64)
_CENTRALIZED_MULTIPLE = 16  # MindSpore centralizes gradients whose second axis is a multiple of this
# XLA's time grows with the number of results, 7 ms for each Parameter: very many Parameters are updated in parts of so
# many. Each weighs so much that a Program of several runs in pieces, and those of equal shapes are compiled once.
_PART = execute.LARGE_PIECE


def _whole_and_part(name, body):
    """The operation ``body`` on all Parameters, and that on a part of very many."""
    part = op(name=f"{name}_in_part")(body)
    part.op.weight = _PART
    return op(name=name)(body), part


def _on_gradients(name):
    """Defines an operation on all gradients, in parts where these are very many."""

    def define(body):
        whole, part = _whole_and_part(name, body)

        @functools.wraps(body)
        def apply(gradients, *others):
            count, results = len(gradients), []
            if count <= execute.LARGE:
                return whole(gradients, *others)
            for start in range(0, count, _PART):
                each = [_slice(value, start, count) for value in (gradients, *others)]
                results += part(*each)
            return tuple(results)

        return apply

    return define


def _slice(value, start, count):
    """A part of ``value`` if that is a list or tuple with an item for each Parameter."""
    is_column = isinstance(value, (list, tuple)) and len(value) == count
    return value[start : start + _PART] if is_column else value


@op(name="_scheduled_rate")
def rate_at(rates: Array, step: Array):
    """The learning rate of a step; the last one for later steps."""
    return rates[jnp.minimum(step, rates.shape[0] - 1)]


@op(name="_next_step")
def next_step(step: Array):
    """The number of the step after this one."""
    return step + 1


def checked_gradients(gradients, count, owner, by_rows=False):
    """Checks that ``gradients`` is a tuple or list of ``count`` Tensors; their shapes are checked at their use.

    Args:
        by_rows (bool): whether a `RowGradient` stays one, and a RowTensor becomes one; otherwise they become dense.
    Returns:
        the gradients.
    Raises:
        TypeError: if an item is not a Tensor.  RuntimeError: for anything else, or another number of them.
    """
    if not isinstance(gradients, (tuple, list)):
        check.refuse(RuntimeError, owner, "gradients", "a tuple of Tensors", gradients)
    if not ROWS.isdisjoint(map(type, gradients)):
        gradients = with_rows(gradients) if by_rows else as_dense(gradients)
    if not all([isinstance(each, Handle) for each in gradients]):
        check.refuse(TypeError, owner, "gradients", "a tuple of Tensors", gradients)
    if len(gradients) != count:
        every = f"{count} Tensors, one for each Parameter"
        check.refuse(RuntimeError, owner, "gradients", every, len(gradients))
    return gradients


def _check_shapes(gradients, parameters, error: type[Exception] = ValueError):
    for gradient, parameter in zip(gradients, parameters, strict=True):
        if gradient.shape != parameter.shape:
            expected = f"of the shapes of their Parameters, here {parameter.shape}"
            check.refuse(error, "Optimizer", "gradients", expected, gradient.shape)


@_on_gradients("_add_weight_decay")
def decayed(gradients: Arrays, parameters: Arrays, decays: Arrays, flags):
    """Adds weight decay to the gradients of the Parameters selected by ``flags``."""
    _check_shapes(gradients, parameters)
    decays = decays * len(gradients) if len(decays) == 1 else decays
    return tuple(
        gradient + parameter * decay.reshape(()).astype(parameter.dtype) if flag else gradient
        for gradient, parameter, decay, flag in zip(gradients, parameters, decays, flags, strict=True)
    )


@op(name="_descent_direction")
def directed(gradients: Arrays, parameters: Arrays, decay: Array, upwards, decays):
    """The gradients to descend along: negated for ``maximize``, plus weight decay."""
    gradients = [-gradient if upwards else gradient for gradient in gradients]
    if not decays:
        return tuple(gradients)
    return tuple([g + decay.astype(p.dtype) * p for g, p in zip(gradients, parameters, strict=True)])


@_on_gradients("_scale_gradients")
def scaled(gradients: Arrays, scale: Array):
    """Gradients times ``scale``."""
    return tuple(gradient * scale.astype(gradient.dtype) for gradient in gradients)


def scaled_rows(gradients, scale):
    """As `scaled`; a gradient by rows stays one."""
    return through_rows(lambda values: scaled(values, scale), gradients)


@_on_gradients("_centralize_gradients")
def centralized(gradients: Arrays, flags):
    """Gradient centralization: subtracts the mean over all axes but the first, where ``flags`` is set."""

    def centralize(gradient):
        if gradient.ndim < 2 or gradient.shape[1] % _CENTRALIZED_MULTIPLE:
            return gradient
        return gradient - gradient.mean(axis=tuple(range(1, gradient.ndim)), keepdims=True)

    return tuple(centralize(g) if flag else g for g, flag in zip(gradients, flags, strict=True))


def _apply_formula(columns: Arrays, shared: Arrays, formula, names, kinds, fixed):
    """The new values of all first arguments (Parameters), then of all second ones (slots), and so on.

    What has less than 32 bits is computed in float32.

    Args:
        columns: the columns of what there is of each Parameter, in sequence.
        shared: what there is once.
        formula (callable): of one Parameter.
        names (tuple[str]): the attribute for each of its arguments, for errors.
        kinds (tuple[str]): for each of its arguments whether it is of a column, the gradients' or another, shared or
            fixed.
        fixed (tuple): those that are fixed.
    """
    count = len(columns) // (kinds.count(_EACH) + kinds.count(_GRADIENT))
    if _GRADIENT in kinds:
        start = count * [kind for kind in kinds if kind in (_EACH, _GRADIENT)].index(_GRADIENT)
        # MindSpore finds it in the kernel of SGD, elsewhere when shapes are inferred.
        error = RuntimeError if formula in (sgd, descent) else ValueError
        _check_shapes(columns[start : start + count], columns[:count], error)
    results = []
    for index in range(count):
        of_one = columns[index::count]
        dtype = jnp.promote_types(of_one[0].dtype, jnp.float32)
        values = iter([value.astype(dtype) for value in of_one])
        columns_of = {
            _EACH: values,
            _GRADIENT: values,
            _SHARED: iter([value.astype(dtype).reshape(()) for value in shared]),
            _FIXED: iter(fixed),
        }
        updated = formula(*[next(columns_of[kind]) for kind in kinds])
        _check_slots(formula, names[: len(updated)], kinds)
        results.append([new.astype(old.dtype).reshape(old.shape) for new, old in zip(updated, of_one, strict=False)])
    return tuple([value for column in zip(*results, strict=True) for value in column])


_apply_to_all, _apply_to_part = _whole_and_part("_apply_formula", _apply_formula)


@op(name="_apply_by_rows")
def _apply_by_rows(columns: Arrays, indices: Array, shared: Arrays, formula, kinds, fixed):
    """As `_apply_formula` for one Parameter, by a function of `row_formulas`; the gradient is rows at ``indices``."""
    dtype = jnp.promote_types(columns[0].dtype, jnp.float32)
    column, common, constant = iter(columns), iter(shared), iter(fixed)
    values = []
    for kind in kinds:
        if kind == _FIXED:
            values.append(next(constant))
        elif kind == _SHARED:
            values.append(next(common).astype(dtype).reshape(()))
        else:
            values.append(next(column).astype(dtype))
            values += [indices] if kind == _GRADIENT else []
    return tuple([new.astype(old.dtype) for new, old in zip(formula(*values), columns, strict=False)])


def _check_slots(formula, written, kinds):
    """Raises NameError unless each of the first arguments, ``written`` by the formula, is a column."""
    wrong = [name for name, kind in zip(written, kinds, strict=False) if kind != _EACH]
    if wrong:
        text = f"{formula.__name__}{inspect.signature(formula)}"
        raise NameError(f"{text} gives new values of {', '.join(written)}, but {', '.join(wrong)} is no slot.")


@functools.cache
def _mentioned_in(cls):
    """The names of attributes, and of keywords, in the methods of a class."""
    # From their bytecode, since attributes come into being in ``__init__``, and the class itself does not say which. By
    # a list of them beside the formula a misspelt attribute would pass, and by a look at an object the error would wait
    # for the first optimizer that a program makes. Here two swapped words fail where the class is imported.
    names = set()
    for member in vars(cls).values():
        if inspect.isfunction(member):
            code = inspect.unwrap(member).__code__
            names.update(code.co_names)
            for each in code.co_consts:
                names.update([each] if isinstance(each, str) else each if isinstance(each, tuple) else ())
    return names


class Update:
    """The update of a Parameter and its slots: a formula, and the attribute for each of its arguments.

    Args:
        formula (callable): of `optimizer_formulas`; returns the new values of the first arguments of which there is one
            for each Parameter. ``var`` is the Parameter, ``grad`` its gradient; another argument is the attribute of
            its name. One with a default keeps it.
        names (str): for an argument of the formula, the attribute of another name; ``betas.0`` is an item of a tuple.
    Raises:
        NameError: if the formula has no such argument.
    Example:
        >>> Update(optimizer_formulas.ftrl, accum="moments", power="lr_power").names
        ('parameter', 'moments', 'linear', 'gradient', 'rate', 'l1', 'l2', 'lr_power')
    """

    def __init__(self, formula, **names):
        arguments = inspect.signature(formula).parameters
        if names.keys() - arguments.keys():
            unknown = ", ".join(sorted(names.keys() - arguments.keys()))
            raise NameError(f"{formula.__name__}{inspect.signature(formula)} has no argument {unknown}.")
        names = {"var": "parameter", "grad": "gradient"} | names
        self.formula = formula
        taken = [each.name for each in arguments.values() if each.name in names or each.default is each.empty]
        self.names = tuple([names.get(name, name) for name in taken])

    def check(self, owner):
        """Checks, when an optimizer's class is created, that each argument of the formula has a source.

        Args:
            owner (type): the class.
        Raises:
            NameError: if neither a step provides an argument, nor the class or one of its methods mentions it.
        """
        provided = _PROVIDED.union(dir(owner), *map(_mentioned_in, owner.__mro__[:-1]))
        missing = [name for name in self.names if name.partition(".")[0] not in provided]
        if missing:
            formula = f"{self.formula.__name__}{inspect.signature(self.formula)}"
            raise NameError(f"{formula} takes {', '.join(missing)} of {owner.__name__}, which has no such attribute.")

    def _sources(self, find, positions):
        """The formula's arguments: those of each Parameter one after the other, those of all, and the constants."""
        columns, shared, fixed, kinds = [], [], [], []
        for name in self.names:
            head, _, item = name.partition(".")
            value = find(head)[int(item)] if item else find(head)
            if isinstance(value, Handle):
                kinds.append(_SHARED)
                shared.append(value)
            elif isinstance(value, float):
                kinds.append(_SHARED)
                shared.append(number(value, _FLOAT))
            elif name == "gradient" or (isinstance(value, (list, tuple)) and isinstance(value[0], Handle)):
                kinds.append(_GRADIENT if name == "gradient" else _EACH)
                columns.append(value if positions is None else [value[k] for k in positions])
            else:
                kinds.append(_FIXED)
                fixed.append(value)
        return [value for column in columns for value in column], shared, tuple(kinds), tuple(fixed)

    def columns(self, find, positions=None, apply=_apply_to_all):
        """The per-Parameter arguments, and the new values of the first of them.

        Args:
            find (callable): what a name stands for: a list or tuple of Tensors, one for each Parameter; a Tensor or a
                float for all of them; or anything else, which is a part of the formula.
            positions (list of int): of the Parameters to update. Default: all of them.
            apply (function): the operation. Default: that for all Parameters.
        Returns:
            tuple of two lists of Tensors: the columns, one after the other, and the new values of the first of them.
        """
        operands, shared, kinds, fixed = self._sources(find, positions)
        return operands, apply(operands, shared, self.formula, self.names, kinds, fixed)

    def write(self, find, by_rows=None):
        """Writes the new values of Parameters and of their slots.

        Args:
            find (callable): as for `columns`.
            by_rows (callable): the formula, of `row_formulas`, for gradients by rows, if any is one. Default: ``None``.
        """
        gradients = () if by_rows is None else find("gradient")
        rows = {k: gradient._source for k, gradient in enumerate(gradients) if gradient._source is not None}
        # In MindSpore one Parameter after another is updated, which matters for those that share storage.
        parameters = find("parameter")
        for positions in apart(parameters):
            every = range(len(parameters)) if positions is None else positions
            if rows:
                for k in rows.keys() & every:
                    self._write_rows(find, k, rows[k], by_rows)
                positions = every = [k for k in every if k not in rows]
            parts, apply = [positions] if every else [], _apply_to_all
            if len(parameters) > execute.LARGE:
                parts = [every[start : start + _PART] for start in range(0, len(every), _PART)]
                apply = _apply_to_part
            for part in parts:
                targets, results = self.columns(find, part, apply)
                write_all(targets[: len(results)], results)

    def _write_rows(self, find, position, rows, formula):
        _check_shapes([rows], [find("parameter")[position]])
        gradients = {position: rows.values}
        targets, shared, kinds, fixed = self._sources(lambda n: gradients if n == "gradient" else find(n), [position])
        results = _apply_by_rows(targets, rows.indices, shared, formula, kinds, fixed)
        write_all(targets[: len(results)], results)
