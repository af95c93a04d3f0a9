"""Placement of Cells on devices: sharding, and hints that are checked and have no effect."""

import contextlib
from typing import Self

from ..._contracts import check
from ..._sharding.shard import checked_plan, checked_strategies, set_plan
from ...engine import dtypes
from ...engine.calls import staging
from ...engine.refusal import refuse, require
from ...tensor.tensor import Tensor
from .part import Part

_BOOSTS = ("less_bn",)


class Placement(Part):
    """The methods of Cell about devices."""

    _pipeline_stage_ = None
    _inner_names_ = ()  # attributes that programs have read, see `inner_primitives`
    _strategies_ = None  # sharding of the arguments and results, on several devices

    def to(self, *args, **kwargs) -> Self:
        """Casts the Parameters and buffers of a float or complex dtype, here and in every sub-cell.

        ``to(device=None, dtype=None, non_blocking=False)``, ``to(dtype, non_blocking=False)`` or
        ``to(tensor, non_blocking=False)``; the device argument is ignored: JAX chooses the device.

        Returns:
            the Cell.
        Raises:
            TypeError: for a dtype of integers or bools, or anything else.
        Example:
            >>> nn.Dense(2, 3).to(mindspore.float16).weight.dtype
            mindspore.float16
        Source: mindspore.nn.Cell.to
        """
        dtype = _dtype_of(*args, **kwargs)
        if dtype is None:
            return self
        check.mindspore_dtype(dtype, "dtype", "to")
        if not _is_inexact(dtype):
            refuse(TypeError, "to", "dtype", "a float or complex dtype", dtype)
        for member in {id(each): each for each in (*self.get_parameters(), *self.buffers())}.values():
            if _is_inexact(member.dtype):
                member.set_dtype(dtype)
        staging.invalidate()
        return self

    def to_empty(self, *, device=None, recurse=True) -> Self:
        """Returns the Cell unchanged: its Parameters have memory already. Source: mindspore.nn.Cell.to_empty"""
        return self

    def offload(self, backward_prefetch="Auto"):
        """A hint: MindSpore would keep intermediate values on the host until the backward pass.

        Args:
            backward_prefetch (str | int): ``'Auto'``, or how many operations ahead. Default: ``'Auto'``.
        Raises:
            TypeError, ValueError: for anything else.
        Source: mindspore.nn.Cell.offload
        """
        if isinstance(backward_prefetch, str):
            check.one_of(backward_prefetch, ("Auto",), "backward_prefetch", "offload")
        else:
            check.non_negative_int(backward_prefetch, "backward_prefetch", "offload")

    def set_comm_fusion(self, fusion_type, recurse=True) -> Self:
        """Sets ``comm_fusion`` of the trainable Parameters, a hint for several devices; returns the Cell.

        Args:
            fusion_type (int): Parameters of the same type are reduced together; non-negative.
            recurse (bool): whether to include sub-cells. Default: ``True``.
        Source: mindspore.nn.Cell.set_comm_fusion
        """
        check.non_negative_int(fusion_type, "fusion_type", "set_comm_fusion")
        for parameter in self.trainable_params(recurse):
            parameter.comm_fusion = fusion_type
        return self

    def set_broadcast_flag(self, mode=True) -> Self:
        """Sets a flag for several devices; returns the Cell. Source: mindspore.nn.Cell.set_broadcast_flag"""
        return self.add_flags_recursive(broadcast_flag=mode)

    def set_boost(self, boost_type) -> Self:
        """Sets a flag for MindSpore's boost, without effect here; returns the Cell.

        Raises:
            ValueError: unless ``boost_type`` is ``'less_bn'``.
        Source: mindspore.nn.Cell.set_boost
        """
        check.one_of(boost_type, _BOOSTS, "boost_type", "set_boost")
        return self.add_flags_recursive(less_bn=True)

    def set_data_parallel(self):
        """A hint for several devices. Source: mindspore.nn.Cell.set_data_parallel"""

    def shard(self, in_strategy, out_strategy=None, parameter_plan=None):
        """Shards the Cell's Tensors over several devices, as `mindspore.shard` does; without effect on one device.

        Args:
            in_strategy, out_strategy (tuple), parameter_plan (dict): as for `mindspore.shard`.
        Raises:
            TypeError, ValueError, RuntimeError: as `mindspore.shard`.
        Source: mindspore.nn.Cell.shard
        """
        checked_strategies(in_strategy, out_strategy, "Cell.shard")
        set_plan(checked_plan(parameter_plan, self, "Cell.shard"), self, "Cell.shard")
        self._strategies_ = in_strategy, out_strategy
        self._refresh_fast_path_()

    def _laid_out_(self):
        """A context in which programs are sharded as this Cell (an `AutoParallel`) says."""
        return contextlib.nullcontext()

    def update_cell_type(self, cell_type):
        """Sets the attribute ``cell_type``. Source: mindspore.nn.Cell.update_cell_type"""
        self.cell_type = cell_type

    @property
    def pipeline_segment(self):
        """A part of a stage (int), a hint for several devices; AttributeError until it is set.

        Source: mindspore.nn.Cell.pipeline_segment
        """
        if "_pipeline_segment" not in self.__dict__:
            raise AttributeError(f"The '{type(self).__name__}' object has no attribute 'pipeline_segment'.")
        return self._pipeline_segment

    @pipeline_segment.setter
    def pipeline_segment(self, value):
        self.__dict__["_pipeline_segment"] = check.non_negative_int(value, "pipeline_segment", "Cell")

    @property
    def parameter_layout_dict(self):
        """The layouts of Parameters on several devices (dict): empty on one.

        Source: mindspore.nn.Cell.parameter_layout_dict
        """
        return self.__dict__.get("_parameter_layout_dict", {})

    @parameter_layout_dict.setter
    def parameter_layout_dict(self, value):
        self.__dict__["_parameter_layout_dict"] = require(value, dict, "Cell", "parameter_layout_dict")

    @property
    def parallel_parameter_name_list(self):
        """Names of the Parameters sharded over several devices: none on one.

        Source: mindspore.nn.Cell.parallel_parameter_name_list
        """
        return self.__dict__.get("_parallel_parameter_name_list", ())

    @parallel_parameter_name_list.setter
    def parallel_parameter_name_list(self, value):
        self.__dict__["_parallel_parameter_name_list"] = require(value, list, "Cell", "parallel_parameter_name_list")

    @property
    def parallel_parameter_merge_net_dict(self):
        """The networks that merge shards of Parameters (dict): empty on one device.

        Source: mindspore.nn.Cell.parallel_parameter_merge_net_dict
        """
        return self.__dict__.get("_parallel_parameter_merge_net_dict", {})

    @parallel_parameter_merge_net_dict.setter
    def parallel_parameter_merge_net_dict(self, value):
        value = require(value, dict, "Cell", "parallel_parameter_merge_net_dict")
        self.__dict__["_parallel_parameter_merge_net_dict"] = value

    @property
    def pipeline_stage(self):
        """The stage of a pipeline (int), a hint for several devices; AttributeError until it is set.

        Source: mindspore.nn.Cell.pipeline_stage
        """
        if self._pipeline_stage_ is None:
            raise AttributeError(f"The '{type(self).__name__}' object has no attribute 'pipeline_stage'.")
        return self._pipeline_stage_

    @pipeline_stage.setter
    def pipeline_stage(self, value):
        self.__dict__["_pipeline_stage_"] = check.non_negative_int(value, "pipeline_stage", "Cell")


def _dtype_of(*args, **kwargs):
    """The dtype that a call of `Placement.to` names, or None."""
    if args and isinstance(args[0], Tensor):
        return args[0].dtype
    if args and isinstance(args[0], dtypes.DType):
        return args[0]
    if args and args[0] is not None:
        require(args[0], str, "to", "device")
    return args[1] if len(args) > 1 else kwargs.get("dtype", getattr(kwargs.get("tensor"), "dtype", None))


def _is_inexact(dtype):
    return dtype in (*dtypes.float_type, *dtypes.complex_type)
