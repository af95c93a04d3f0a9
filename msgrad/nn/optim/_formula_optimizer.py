"""Optimizers as declarations: hyperparameters, slots, and the formula of a step."""

import operator
from typing import Any

from ..._common.device import get_current_device
from ...engine import dtypes
from ...engine.calls import repeating, staging
from ...engine.calls.reads import Versions
from ...ops.optim.optimization import checked_gradients, next_counts
from ...tensor.parameter import write_all
from ...tensor.tensor import Tensor
from ..containers import CellList
from .optimizer import Optimizer, _ConvertToCell, _IteratorLearningRate

# What a step calls. Where one of these is not msgrad's own, each step is recorded, as users' code is.
_STEP = (
    *("_enter_", "construct", "_prepared_", "_advance_", "get_lr", "get_weight_decay", "_each_decay_", "decay_weight"),
    *("gradients_centralization", "scale_grad"),
)
_members_of = operator.attrgetter(*_STEP, "_update_")
_OWN_CELLS = {CellList, _ConvertToCell, _IteratorLearningRate}


class FormulaOptimizer(Optimizer):
    """The base of declared optimizers; a subclass defines `_update_`, and the attributes that it names.

    Attributes:
        _update_ (Update): the formula of a step. The step provides ``var``, ``grad``, ``rate`` and, if
            ``_is_decoupled_``, ``decay`` (the weight decay, 0 for Parameters without it); its other arguments are
            attributes.
        _powers_ (tuple): the names of Parameters that each step multiplies, each with that of the attribute by which.
        _is_decoupled_ (bool): whether the formula applies the weight decay, so that it is not added to the gradients.
        _by_rows_ (tuple): the formulas for gradients by rows, of `row_formulas`; None if they are to be dense.
    """

    _update_: Any = None
    _powers_: tuple[tuple[str, str], ...] = ()
    _is_decoupled_ = False
    _by_rows_: Any = None
    _has_own_call_ = True
    _own_members_ = None  # what `_members_of` gives of the class; None for a user's class

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls._own_members_ = _members_of(cls) if cls.__module__.startswith("msgrad.") else None

    def _call_outermost_(self, args, kwargs):
        state = self._own_state_() if self._init_flag and repeating.is_possible() else None
        if state is None:
            return staging.call(self._enter_, args, kwargs, type(self).__name__, self._plans_)
        attributes = self.__dict__
        repeats = attributes.get("_repeats_")
        if repeats is None:
            repeats = attributes["_repeats_"] = repeating.Repeats()
        return repeating.call(self._enter_, args, kwargs, type(self).__name__, repeats, state)

    def _own_state_(self):
        """The versions of the Cells that a step reads, if all that it calls is msgrad's own code; otherwise None."""
        cls, attributes = type(self), self.__dict__
        if cls._own_members_ is None or _members_of(cls) != cls._own_members_:
            return None
        latest, state = attributes.get("_checked_", (None, None))
        if latest != Versions.latest:  # an attribute of some Cell was assigned
            cells = [each for _, each in self.cells_and_names()]
            is_own = _OWN_CELLS.issuperset(map(type, cells[1:])) and attributes.keys().isdisjoint(_STEP)
            state = tuple([each._version_ for each in cells]) if is_own else None
            attributes["_checked_"] = Versions.latest, state
        return state

    def construct(self, gradients):
        """Makes one step with the gradients (tuple of Tensors of the Parameters' shapes); returns a tuple of True."""
        gradients = checked_gradients(gradients, len(self.parameters), type(self).__name__, self._by_rows_ is not None)
        sources = {"var": list(self.parameters), "grad": list(self._prepared_(gradients))}
        if self._is_decoupled_:
            sources["decay"] = self._each_decay_()
        rate = self.get_lr()
        sources["rate"] = list(rate) if isinstance(rate, tuple) else rate
        self._count_()
        self._advance_(sources)
        row_formula = None if self._by_rows_ is None else self._row_formula_
        self._update_.write(self._update_.values(sources, self), row_formula)
        return (True,) * len(self.parameters)

    def _count_(self):
        """Writes what changes once per step: ``global_step``, and the `_powers_`."""
        powers = [getattr(self, power) for power, _ in self._powers_]
        bases = [getattr(self, base) for _, base in self._powers_]
        bases = [base if isinstance(base, Tensor) else Tensor(base, dtypes.float32) for base in bases]
        write_all([self.global_step, *powers], next_counts(self.global_step, powers, bases))

    def _row_formula_(self):
        sums = not self._is_device_ or (self._unique and get_current_device().device_target != "CPU")
        return self._by_rows_[sums]

    def _prepared_(self, gradients):
        """The gradients as the formula takes them: centralized, scaled, with weight decay."""
        gradients = gradients if self._is_decoupled_ else self.decay_weight(gradients)
        return self.scale_grad(self.gradients_centralization(gradients))

    def _advance_(self, sources):
        """Updates shared state once per step, after ``global_step``; ``sources`` (dict): formula inputs by name."""
