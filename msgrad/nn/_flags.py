"""Flags of Cells: training, precision, recomputation, hints."""

from .._inputs import Declared
from ..engine import dtypes, staging
from ._registry import touch

_PRECISION_FLAGS = {"fp16": dtypes.float16, "fp32": dtypes.float32, "bf16": dtypes.bfloat16}
_RECOMPUTE_HINTS = ("mp_comm_recompute", "parallel_optimizer_comm_recompute", "recompute_slice_activation")


class Flagged:
    """The part of Cell that sets flags."""

    def add_flags(self, **flags):
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
                attributes["_compute_dtype"] = dtype
        touch(attributes)
        self._refresh_fast_path()
        return self

    def add_flags_recursive(self, **flags):
        """`add_flags` for this Cell and every sub-cell. Source: mindspore.nn.Cell.add_flags_recursive"""
        self.add_flags(**flags)
        for cell in self.cells():
            cell.add_flags_recursive(**flags)
        return self

    def get_flags(self):
        """The dict of what `add_flags` set. Source: mindspore.nn.Cell.get_flags"""
        return self.__dict__.setdefault("_func_graph_flags", {})

    def set_train(self, mode=True):
        """Sets ``training`` here and in every sub-cell to ``mode`` and the phase to train or predict; returns the Cell.

        Example:
            >>> net.set_train(False).training
            False
        Source: mindspore.nn.Cell.set_train
        """
        self.__dict__["_phase"] = "train" if mode else "predict"
        return self.add_flags_recursive(training=mode)

    def set_grad(self, requires_grad=True):
        """Sets this Cell's ``requires_grad``, which gradients do not need; returns the Cell.

        Source: mindspore.nn.Cell.set_grad
        """
        self.requires_grad = requires_grad
        return self

    def to_float(self, dst_type):
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
            raise ValueError(
                "For 'to_float', the argument 'dst_type' must be mstype.float32, mstype.float16 or mstype.bfloat16, "
                f"but got type: {type(dst_type)} and value: {dst_type}."
            )
        return self.add_flags_recursive(**{name: dtype == dst_type for name, dtype in _PRECISION_FLAGS.items()})

    def recompute(self, *, use_reentrant=True, output_recompute=False, early_stop=True, context_fn=None, **kwargs):
        """Makes the backward pass compute this Cell again instead of keeping its intermediate values.

        Args:
            use_reentrant, output_recompute, early_stop (bool), context_fn (function): ways to organise it in MindSpore,
                without effect here.
            mp_comm_recompute, parallel_optimizer_comm_recompute, recompute_slice_activation (bool): hints for several
                devices, without effect.
        Raises:
            ValueError: for another keyword.  TypeError: if a hint is not a bool.
        Example:
            >>> net.recompute()
        Source: mindspore.nn.Cell.recompute
        """
        for name, value in kwargs.items():
            if name not in _RECOMPUTE_HINTS:
                raise ValueError(
                    f"For 'recompute', keyword '{name}' is not recognized! the key kwargs must be "
                    + ", ".join(f"'{hint}'" for hint in _RECOMPUTE_HINTS)
                )
            if not isinstance(value, bool):
                raise TypeError(f"The parameter '{name}' must be {bool}, but got {type(value)}")
        self._is_recomputed = True
        self._refresh_fast_path()

    @property
    def phase(self):
        """``'train'``, ``'predict'`` or what was assigned (str)."""
        return self._phase

    @phase.setter
    def phase(self, value):
        if not isinstance(value, str):
            raise TypeError(f"For 'Cell', the property 'phase' must be string type, but got type {type(value)}.")
        self.__dict__["_phase"] = value

    @property
    def bprop_debug(self):
        """A bool for debugging ``bprop``, without effect: ``bprop`` is Python in every mode."""
        return self._bprop_debug

    @bprop_debug.setter
    def bprop_debug(self, value):
        if not isinstance(value, bool):
            raise TypeError(f"For 'Cell', the property 'bprop_debug' must be bool type, but got type {type(value)}.")
        self.__dict__["_bprop_debug"] = value

    def set_inputs(self, *inputs, **kwargs):
        """Declares what calls will be given; in GRAPH_MODE a call of this Cell is held to it.

        Every shape that comes is compiled, declared or not.

        Args:
            inputs: all arguments of ``construct``: Tensors whose lengths may be unknown, and values.
            kwargs: or some of them, by name.
        Raises:
            ValueError: if both are given, or a name is no argument of ``construct``.
        Example:
            >>> net = nn.ReLU()
            >>> net.set_inputs(Tensor(shape=[None, 3], dtype=mindspore.float32))
            >>> net(Tensor([[1.0, -1.0, 2.0]])).tolist()
            [[1.0, 0.0, 2.0]]
        Source: mindspore.nn.Cell.set_inputs
        """
        self.__dict__["_declared_inputs"] = Declared(
            f"{type(self).__name__}.set_inputs", self.construct, inputs, kwargs
        )
        self.__dict__["_plans"] = staging.Memo()

    def get_inputs(self):
        """What `set_inputs` was given, a tuple or a dict, or None. Source: mindspore.nn.Cell.get_inputs"""
        declared = self._declared_inputs
        return None if declared is None else declared.named or declared.inputs

    def set_jit_config(self, jit_config):
        """Takes hints for MindSpore's compiler, without effect on results.

        Args:
            jit_config (JitConfig): the hints, which become the attribute ``jit_config_dict``.
        Raises:
            AttributeError: if it is no `JitConfig`.
        Source: mindspore.nn.Cell.set_jit_config
        """
        self.__dict__["_jit_config_dict"] = jit_config.jit_config_dict

    @property
    def jit_config_dict(self):
        """The hints of `set_jit_config`, a dict. Source: mindspore.nn.Cell.jit_config_dict"""
        return self.__dict__.get("_jit_config_dict", {})
