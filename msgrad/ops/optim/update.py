"""The step of an optimizer: its formula, applied to all Parameters in one operation, whose results are written."""

import inspect

import jax.numpy as jnp
import numpy as np

from ..._contracts.contracts import Array, Arrays
from ...engine.execution import execute
from ...engine.handle import Handle
from ...engine.recording.views import apart
from ...tensor.numbers import number
from ...tensor.parameter import write_all
from .._core.define import op
from . import parts
from .optimization import check_shapes
from .optimizer_formulas import descent, sgd, updated_by

_FLOAT = np.dtype(np.float64)
_MISSING = object()


class Update:
    """How an optimizer updates each Parameter: a formula, and the attribute that each of its arguments is.

    Three arguments come from the step: ``grad``, the Parameter's gradient; ``rate``, the learning rate; ``decay``, the
    weight decay, where the formula applies it. All others are attributes of the optimizer. A slot has one Tensor for
    each Parameter. A hyperparameter that is a Tensor or a float is an operand, and anything else a part of the formula;
    one with a default keeps it unless it is named.

    Args:
        formula (callable): of `optimizer_formulas`: ``formula(var, *slots, /, ...)`` returns the new values of the
            Parameter ``var`` and of its slots, in this order.
        names (str): for an argument of the formula, the attribute of another name; ``betas.0`` is an item of a tuple.
    Raises:
        NameError: if the formula has no such argument, or does not say by ``/`` what it updates.
    Example:
        >>> Update(optimizer_formulas.ftrl, accum="moments", power="lr_power").attributes
        {'var': 'var', 'accum': 'moments', 'linear': 'linear', 'grad': 'grad', 'rate': 'rate', ..., 'power': 'lr_power'}
    """

    def __init__(self, formula, **names):
        arguments = inspect.signature(formula).parameters
        self.formula = formula
        self.updated = updated_by(formula)
        if not self.updated:
            raise NameError(f"{self} must say what it updates: (var, ..., /, ...).")
        if unknown := sorted(names.keys() - arguments.keys()):
            raise NameError(f"{self} has no argument {', '.join(unknown)}.")
        taken = [name for name, each in arguments.items() if name in names or each.default is each.empty]
        self.attributes = {name: names.get(name, name) for name in taken}

    def __str__(self):
        return f"{self.formula.__name__}{inspect.signature(self.formula)}"

    def values(self, sources, owner, span=None):
        """The formula's arguments by name.

        Args:
            sources (dict): what the step provides by name, ``var`` and ``grad`` among it; it precedes attributes.
            owner (Optimizer): has the others as attributes.
            span (slice): the owner's Parameters that are to be updated. Default: ``None``, all.
        Raises:
            NameError: for an argument that neither provides, or a slot without a Tensor for each Parameter.
        """
        values = {}
        for argument, attribute in self.attributes.items():
            name, _, item = attribute.partition(".")
            if name in sources:
                value = sources[name]
            else:
                value = getattr(owner, name, _MISSING)
                if value is _MISSING:
                    raise NameError(f"{self} takes {name} of {type(owner).__name__}, which has no such attribute.")
                if span is not None and isinstance(value, (list, tuple)):
                    value = value[span]
            values[argument] = value[int(item)] if item else value
        wrong = [self.attributes[name] for name in self.updated if not _is_column(values[name])]
        if wrong:
            written = ", ".join([self.attributes[name] for name in self.updated])
            raise NameError(f"{self} gives new values of {written}, but {', '.join(wrong)} is no slot.")
        return values

    def results(self, values):
        """The new values of what the formula updates, of all Parameters (tuple of Tensors).

        Args:
            values (dict): the formula's arguments, as of `values`.
        """
        names, columns, shared, settings = self._operands(values)
        return _apply_to_all(columns, shared, self.formula, names, settings)

    def write(self, values, row_formula=None):
        """Writes the new values of Parameters and of their slots.

        Args:
            values (dict): the formula's arguments, as of `values`.
            row_formula (callable): returns the formula, of `row_formulas`, for gradients by rows. Default: ``None``.
        """
        variables, gradients = values["var"], () if row_formula is None else values["grad"]
        rows = {k: gradient._source for k, gradient in enumerate(gradients) if gradient._source is not None}
        # In MindSpore one Parameter after another is updated, which matters for those that share storage.
        for positions in apart(variables):
            every = range(len(variables)) if positions is None else positions
            if rows:
                for k in rows.keys() & every:
                    self._write_rows(values, k, rows[k], row_formula())
                positions = every = [k for k in every if k not in rows]
            portions, apply = [positions] if every else [], _apply_to_all
            if len(variables) > execute.LARGE:
                portions = [every[start : start + parts.PART] for start in range(0, len(every), parts.PART)]
                apply = _apply_to_part
            for portion in portions:
                names, columns, shared, settings = self._operands(values, portion)
                results = apply(columns, shared, self.formula, names, settings)
                write_all(columns[: len(results)], results)

    def _write_rows(self, values, position, rows, row_formula):
        check_shapes([rows], [values["var"][position]])
        values = values | {"grad": {position: rows.values}}
        names, columns, shared, settings = self._operands(values, [position])
        results = _apply_by_rows(columns, rows.indices, shared, self.formula, row_formula, names, settings)
        write_all(columns[: len(results)], results)

    def _operands(self, values, positions=None):
        """The arguments of `_apply_formula`: ``(names, columns, shared, settings)``.

        Args:
            values (dict): the formula's arguments by name.
            positions (list of int): of the Parameters to update. Default: ``None``, all of them.
        """
        columns, shared, settings = [], [], []
        of_each, of_all, fixed = [], [], []  # names
        for name, value in values.items():
            if isinstance(value, (Handle, float)):
                of_all.append(name)
                shared.append(number(value, _FLOAT) if isinstance(value, float) else value)
            elif name in self.updated or name == "grad" or _is_column(value):
                of_each.append(name)
                columns += value if positions is None else [value[k] for k in positions]
            else:
                fixed.append(name)
                settings.append(value)
        return (*of_each, *of_all, *fixed), columns, shared, tuple(settings)


def _is_column(value):
    """Whether ``value`` has a Tensor for each Parameter."""
    return isinstance(value, (list, tuple)) and bool(value) and isinstance(value[0], Handle)


def _apply_formula(columns: Arrays, shared: Arrays, formula, names, settings):
    """The new values of all Parameters, then those of the first slot, and so on.

    What has less than 32 bits is computed in float32.

    Args:
        columns: the arguments of which there is one for each Parameter, one after the other: Parameters, slots, others.
        shared: the arguments that are the same for all Parameters.
        formula (callable): of one Parameter.
        names (tuple[str]): the formula's names for columns, shared arguments and settings.
        settings (tuple): the arguments that are no arrays.
    """
    count = len(columns) // (len(names) - len(shared) - len(settings))
    if "grad" in names:
        start = count * names.index("grad")
        # MindSpore finds it in the kernel of SGD, elsewhere when shapes are inferred.
        error = RuntimeError if formula in (sgd, descent) else ValueError
        check_shapes(columns[start : start + count], columns[:count], error)
    results = []
    for index in range(count):
        of_one = columns[index::count]
        by_position, by_name = _arguments(formula, of_one, shared, names, settings)
        updated = formula(*by_position, **by_name)
        results.append([new.astype(old.dtype).reshape(old.shape) for new, old in zip(updated, of_one, strict=False)])
    return tuple([value for column in zip(*results, strict=True) for value in column])


_apply_to_all, _apply_to_part = parts.whole_and_part("_apply_formula", _apply_formula)


@op(name="_apply_by_rows")
def _apply_by_rows(columns: Arrays, indices: Array, shared: Arrays, formula, row_formula, names, settings):
    """As `_apply_formula` for one Parameter, by a function of `row_formulas`; the gradient is rows at ``indices``."""
    by_position, by_name = _arguments(formula, columns, shared, names, settings)
    sig = inspect.signature(formula)
    values = list(sig.bind(*by_position, **by_name).args)
    values.insert(list(sig.parameters).index("grad") + 1, indices)
    return tuple([new.astype(old.dtype) for new, old in zip(row_formula(*values), columns, strict=False)])


def _arguments(formula, of_one, shared, names, settings):
    """The arguments of ``formula`` for one Parameter: a list of the updated ones, and a dict of the others."""
    dtype = jnp.promote_types(of_one[0].dtype, jnp.float32)
    values = [value.astype(dtype) for value in of_one]
    values += [value.astype(dtype).reshape(()) for value in shared]
    values += settings
    count = len(updated_by(formula))
    return values[:count], dict(zip(names[count:], values[count:], strict=True))
