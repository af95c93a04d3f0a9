"""Rarely used methods of Cell, and methods of former versions of MindSpore."""

from ...engine.refusal import refuse
from .lowering import lower
from .part import Part


class LegacyMembers(Part):
    """The rarely used methods of Cell."""

    # Attributes that the base class sets, so that programs can tell their own in ``vars(cell)``.
    IGNORE_LIST = [
        "_auto_prefix", "_bprop_debug", "_buffers", "_cell_hooks_", "_cell_init_args", "_cells", "_compute_dtype_",
        "_create_time", "_declared_inputs_", "_func_graph_flags", "_init_flag", "_is_named_", "_is_recomputed_",
        "_jit_config_dict", "_lowered_members_", "_output_dtype_", "_param_prefix", "_params", "_phase", "_plans_",
        "_scope", "_structure_", "_transient_buffers_", "_tuple_members_", "_version_", "cell_type", "has_bprop",
        "requires_grad", "training",
    ]  # fmt: skip

    @property
    def create_time(self):
        """When the Cell was made, in nanoseconds since 1970 (int). Source: mindspore.nn.Cell.create_time"""
        return self._create_time

    @property
    def cell_init_args(self):
        """The class and constructor arguments (str) that `mindspore.lazy_inline` stores; otherwise AttributeError.

        Source: mindspore.nn.Cell.cell_init_args
        """
        if "_cell_init_args" not in self.__dict__:
            raise AttributeError(f"The '{type(self).__name__}' object has no attribute 'cell_init_args'.")
        return self._cell_init_args

    @cell_init_args.setter
    def cell_init_args(self, value):
        self.__dict__["_cell_init_args"] = value

    @property
    def compiled(self):
        """Whether a call in GRAPH_MODE has been recorded (bool). Source: mindspore.nn.Cell.compiled"""
        return bool(self._plans_.plans)

    def cast_inputs(self, inputs, dst_type):
        """The inputs with their float Tensors cast to another dtype, as in MindSpore 1.x; 2.10 does nothing.

        Args:
            inputs (tuple): Tensors and other values.
            dst_type (mindspore.dtype): of the results.
        Returns:
            tuple.
        Example:
            >>> net.cast_inputs((Tensor([1.0]),), mindspore.float16)[0].dtype
            mindspore.float16
        Source: mindspore.nn.Cell.cast_inputs
        """
        return tuple([lower(value, dst_type) for value in inputs])

    def run_construct(self, cast_inputs, kwargs):
        """Calls the Cell, as in MindSpore 1.x; 2.10 passes the tuple and the dict to ``construct``.

        Args:
            cast_inputs (tuple): the positional arguments.
            kwargs (dict): the others.
        Returns:
            what the call returns.
        Raises:
            TypeError: if the arguments are not a tuple.
        Source: mindspore.nn.Cell.run_construct
        """
        if not isinstance(cast_inputs, (tuple, list)):
            refuse(TypeError, "run_construct", "cast_inputs", "a tuple of the arguments", cast_inputs)
        return self(*cast_inputs, **kwargs)

    def remove_redundant_parameters(self):
        """Does nothing, as in MindSpore. Source: mindspore.nn.Cell.remove_redundant_parameters"""
