"""Flags of Cells: training, precision, recomputation, hints."""

import contextlib
import enum
from typing import Any, Self

from ...autodiff._check import check_recompute_hint
from ...engine import dtypes
from ...engine.calls import staging
from ...engine.refusal import refuse, require
from .declared_inputs import InputDeclaration
from .part import Part
from .registry import touch

_PRECISION_FLAGS = {"fp16": dtypes.float16, "fp32": dtypes.float32, "bf16": dtypes.bfloat16}


class MixedPrecisionType(enum.Enum):
    """The precision of a Cell: an enum of MindSpore's C++ extension."""

    NOTSET = 0
    FP16 = 1
    FP32 = 2
    BF16 = 3


_PRECISIONS = {
    None: MixedPrecisionType.NOTSET,
    dtypes.float16: MixedPrecisionType.FP16,
    dtypes.float32: MixedPrecisionType.FP32,
    dtypes.bfloat16: MixedPrecisionType.BF16,
}


class Flags(Part):
    """The part of Cell that sets flags."""

    def add_flags(self, **flags) -> Self:
        """Sets attributes that ``get_flags`` lists; returns the Cell.

        ``fp16``, ``bf16`` and ``fp32`` set to True do what ``to_float`` does, for this Cell alone.
        Source: mindspore.nn.Cell.add_flags
        """
        attributes = self.__dict__
        if any(attributes.get(name, flags) is not value for name, value in flags.items()):
            staging.invalidate()
        attributes.setdefault("_func_graph_flags", {}).update(flags)
        attributes.update(flags)
        for name, dtype in _PRECISION_FLAGS.items():
            if flags.get(name):
                attributes["_compute_dtype_"] = dtype
        touch(attributes)
        self._refresh_fast_path_()
        return self

    def add_flags_recursive(self, **flags) -> Self:
        """`add_flags` for this Cell and every sub-cell. Source: mindspore.nn.Cell.add_flags_recursive"""
        self.add_flags(**flags)
        for cell in self.cells():
            cell.add_flags_recursive(**flags)
        return self

    def get_flags(self) -> dict[str, Any]:
        """The flags that `add_flags` set (dict). Source: mindspore.nn.Cell.get_flags"""
        return self.__dict__.setdefault("_func_graph_flags", {})

    def set_train(self, mode=True) -> Self:
        """Sets ``training`` here and in every sub-cell to ``mode`` and the phase to train or predict; returns the Cell.

        Example:
            >>> net.set_train(False).training
            False
        Source: mindspore.nn.Cell.set_train
        """
        self.__dict__["_phase"] = "train" if mode else "predict"
        return self.add_flags_recursive(training=mode)

    def set_grad(self, requires_grad=True) -> Self:
        """Sets this Cell's ``requires_grad``, which gradients ignore; returns the Cell.

        Source: mindspore.nn.Cell.set_grad
        """
        self.requires_grad = requires_grad
        return self

    def to_float(self, dst_type) -> Self:
        """Computes in ``dst_type`` here and in every sub-cell: float inputs and trainable Parameters are cast on entry.

        Parameters keep their dtype, and so do their gradients. Unlike MindSpore's PYNATIVE_MODE, a float Tensor made
        inside ``construct`` is not cast.

        Args:
            dst_type (mindspore.dtype): ``float16``, ``bfloat16`` or ``float32``.
        Raises:
            ValueError: for another dtype.
        Example:
            >>> nn.Dense(2, 2).to_float(mindspore.float16)(Tensor([[1.0, 2.0]])).dtype
            mindspore.float16
        Source: mindspore.nn.Cell.to_float
        """
        if dst_type not in _PRECISION_FLAGS.values():
            names = ", ".join(map(repr, _PRECISION_FLAGS.values()))
            refuse(ValueError, "to_float", "dst_type", f"one of {names}", dst_type)
        return self.add_flags_recursive(**{name: dtype == dst_type for name, dtype in _PRECISION_FLAGS.items()})

    def get_mixed_precision_type(self) -> MixedPrecisionType:
        """The precision of this Cell (MixedPrecisionType). Source: mindspore.nn.Cell.get_mixed_precision_type"""
        return _PRECISIONS[self._compute_dtype_]

    def set_mixed_precision_type(self, arg0):
        """Sets the precision of this Cell alone, as `to_float` does with its sub-cells.

        Args:
            arg0 (MixedPrecisionType): the precision.
        Raises:
            TypeError: for anything else.
        Source: mindspore.nn.Cell.set_mixed_precision_type
        """
        require(arg0, MixedPrecisionType, "set_mixed_precision_type", "arg0")
        attributes = self.__dict__
        attributes["_compute_dtype_"] = next(dtype for dtype, kind in _PRECISIONS.items() if kind is arg0)
        touch(attributes)
        staging.invalidate()
        self._refresh_fast_path_()

    def recompute(self, *, use_reentrant=True, output_recompute=False, early_stop=True, context_fn=None, **kwargs):
        """Rematerialization: the backward pass recomputes this Cell instead of keeping its intermediate values.

        Args:
            output_recompute (bool): a flag (`get_flags`), without effect. Default: ``False``.
            use_reentrant, early_stop (bool), context_fn (function): options of MindSpore's implementation, without
                effect here.
            mp_comm_recompute, parallel_optimizer_comm_recompute, recompute_slice_activation (bool): hints for several
                devices, without effect.
        Raises:
            ValueError: for another keyword.  TypeError: if a hint is not a bool.
        Example:
            >>> net.recompute()
        Source: mindspore.nn.Cell.recompute
        """
        for name in kwargs:
            check_recompute_hint(name)
        for name, value in {**kwargs, "output_recompute": output_recompute}.items():
            require(value, bool, "recompute", name)
        self._is_recomputed_ = True
        self.add_flags(output_recompute=output_recompute)

    @property
    def phase(self):
        """``'train'``, ``'predict'`` or an assigned value (str)."""
        return self._phase

    @phase.setter
    def phase(self, value):
        self.__dict__["_phase"] = require(value, str, "Cell", "phase")

    @property
    def bprop_debug(self):
        """A bool for debugging ``bprop``, without effect: ``bprop`` is Python in every mode."""
        return self._bprop_debug

    @bprop_debug.setter
    def bprop_debug(self, value):
        self.__dict__["_bprop_debug"] = require(value, bool, "Cell", "bprop_debug")

    def set_inputs(self, *inputs, **kwargs):
        """Declares the inputs of calls; in GRAPH_MODE and under ``jit`` calls of this Cell are checked against them.

        One compiled program serves all lengths of an axis that is ``None``, as far as programs can.

        Args:
            inputs: all arguments of ``construct``: Tensors, whose axes may be dynamic, and other values.
            kwargs: alternatively, some of them by name.
        Raises:
            ValueError: if both are given, or a name is not an argument of ``construct``.
            TypeError: in GRAPH_MODE, if ``construct`` takes more or fewer arguments.
        Example:
            >>> net = nn.ReLU()
            >>> net.set_inputs(Tensor(shape=[None, 3], dtype=mindspore.float32))
            >>> net(Tensor([[1.0, -1.0, 2.0]])).tolist()
            [[1.0, 0.0, 2.0]]
        Source: mindspore.nn.Cell.set_inputs
        """
        declared = InputDeclaration(f"{type(self).__name__}.set_inputs", self.construct, inputs, kwargs)
        if staging.Policy.staged:
            declared.check_count()
        self.__dict__["_declared_inputs_"] = declared
        self.__dict__["_plans_"] = staging.Memo(declared)

    def get_inputs(self):
        """The inputs that `set_inputs` declared, a tuple or a dict, or None. Source: mindspore.nn.Cell.get_inputs"""
        declared = self._declared_inputs_
        return None if declared is None else declared.named or declared.inputs

    def set_jit_config(self, jit_config):
        """Stores hints for MindSpore's compiler, without effect on results.

        Args:
            jit_config (JitConfig): the hints, stored as ``jit_config_dict``.
        Raises:
            AttributeError: if it is not a `JitConfig`.
        Source: mindspore.nn.Cell.set_jit_config
        """
        self.__dict__["_jit_config_dict"] = jit_config.jit_config_dict

    @property
    def jit_config_dict(self):
        """The hints of `set_jit_config`, a dict. Source: mindspore.nn.Cell.jit_config_dict"""
        return self.__dict__.get("_jit_config_dict", {})


@contextlib.contextmanager
def in_training(cell, training):
    """A context in which the Cell and its sub-cells are in training mode, or not in it."""
    before = [(each, each.training, each.phase) for _, each in cell.cells_and_names()]
    try:
        if any(flag != training for _, flag, _ in before):
            cell.set_train(training)
        yield
    finally:
        for each, flag, phase in before:
            if each.training != flag:
                each.add_flags(training=flag)
            each.phase = phase
