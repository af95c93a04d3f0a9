"""Cell: the base class of networks, layers, losses and optimizers."""

import functools
import textwrap
import time
from typing import Any

from .. import _upcalls
from .._semantics.graph_code import in_graph
from .._semantics.graph_methods import read_methods
from ..engine.calls import forward_reuse, staging
from ..engine.handle import scope
from ..engine.recording.sharding import Active
from ..engine.refusal import refuse, require, shown
from ..ops.array.assignment import assign
from ..ops.legacy.left_out import leave_out
from ..tensor.arrays import FREE, all_taken, taken
from ..tensor.parameter import Parameter, ParameterTuple, check_names_differ, is_generated_name
from ..tensor.placeholder import Placeholder
from ..tensor.tensor import Tensor
from ._cell import calling, error_notes, foreign_arguments, pytree
from ._cell.abstract import Made
from ._cell.flags import Flags
from ._cell.hooks import HookMethods
from ._cell.inner_primitives import inner_primitive
from ._cell.left_out import LEFT_OUT
from ._cell.legacy_members import LegacyMembers
from ._cell.members import Members
from ._cell.placement import Placement
from ._cell.registry import Registry, touch
from ._cell.state_dict import MSG_NO_INIT, MSG_TAKEN, StateDict, check_name
from ._cell.summary import SUMMARY, is_taken, print_summary

__all__ = ["Cell"]

_REGISTRIES = ("_params", "_cells", "_buffers")
_MSG_SLOT = "For 'Cell', the {} '{}' can only become {}, but got {}. Delete it first: del cell.{}."


class Cell(Members, Flags, LegacyMembers, HookMethods, Placement, StateDict, Made):
    """A network or a part of one: Parameters, sub-cells, and a ``construct`` that computes with them.

    Args:
        auto_prefix (bool): whether the Parameters of sub-cells are named by their path. Default: ``True``.
        flags (dict): set as attributes, as by ``add_flags``. Default: ``None``.
    Example:
        >>> class Net(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.w = Parameter(Tensor([2.0]))
        ...     def construct(self, x):
        ...         return x * self.w
        >>> Net()(Tensor([3.0])).asnumpy().tolist()
        [6.0]
    Source: mindspore.nn.Cell
    """

    _has_own_call_ = False  # whether its outermost calls go to `_call_outermost_`, as those of msgrad's optimizers do
    _uncounted_ = pytree.CACHES  # attributes that do not decide what a call computes
    _statistics_ = ()  # names of Parameters that ``construct`` updates: `to_float` does not cast them

    def __init__(self, auto_prefix=True, flags=None):
        attributes = self.__dict__
        for name in _REGISTRIES:
            attributes[name] = Registry(attributes)
        touch(attributes)
        attributes.update(
            _auto_prefix=auto_prefix,
            _transient_buffers_=set(),
            _phase="train",
            _param_prefix="",
            _bprop_debug=False,
            _create_time=time.time_ns(),
            _cell_hooks_=None,
            _compute_dtype_=None,
            _output_dtype_=None,  # if it differs from _compute_dtype_
            _is_recomputed_=False,
            _is_named_=False,
            _tuple_members_=0,
            _declared_inputs_=None,
            _plans_=staging.Memo(),
            # Whether a call inside a recording goes straight to construct. MindSpore has an attribute of this name, the
            # first one that a call misses when Cell.__init__ has not run.
            _init_flag=False,
            training=False,
            requires_grad=False,
            has_bprop=hasattr(self, "bprop"),
        )
        if flags:
            self.add_flags(**flags)

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        pytree.register(cls)
        read_methods(cls)
        if "construct" in cls.__dict__:
            cls.construct = in_graph(cls.__dict__["construct"])  # not `cls.construct`: it may be a staticmethod

    def __bool__(self):
        return True

    # -- calling ---------------------------------------------------------------------------------------------------

    def __call__(self, *args, **kwargs):
        try:
            for value in args:  # a loop, which takes half of what a question to the set for all of them would
                if type(value) not in FREE:
                    args = all_taken(args)
                    break
            if kwargs:
                kwargs = taken(kwargs)
            partition = Active.partition
            if partition is not None and not partition.is_entered:
                return partition.call(self, args, kwargs)
            trace, is_plain = scope.trace, self._init_flag
            if trace is not None:
                if trace.logs_calls or self.requires_grad:
                    return forward_reuse.logged(self, self._enter_, args, kwargs)
                return self.construct(*args, **kwargs) if is_plain else self._enter_(*args, **kwargs)
            if self._declared_inputs_ is not None:
                calling.check_declared(self, args, kwargs)
            if self._has_own_call_:
                return self._call_outermost_(args, kwargs)
            return staging.call(self._enter_, args, kwargs, type(self).__name__, self._plans_)
        except Exception:
            foreign_arguments.check(self, args, kwargs)
            error_notes.add()
            raise

    def _enter_(self, *args, **kwargs):
        if not self._is_named_:
            self.check_names_and_refresh_name()
            self.__dict__["_is_named_"] = True  # bypasses `__setattr__`, so its Plans stay valid
            self._refresh_fast_path_()
        if staging.Policy.staged:
            calling.check_arguments(self, args, kwargs)
        if self._init_flag:
            return self.construct(*args, **kwargs)
        return calling.run(self, args, kwargs)

    def _refresh_fast_path_(self):
        is_special = self._cell_hooks_ or self.has_bprop or self._is_recomputed_ or self._compute_dtype_ is not None
        is_special = is_special or self._strategies_ is not None or self._inner_names_
        self.__dict__["_init_flag"] = self._is_named_ and not is_special

    def construct(self, *args, **kwargs):
        """The computation; every subclass defines it. It takes and returns Tensors and any other values.

        Raises:
            AttributeError: if the subclass does not define it.
        Source: mindspore.nn.Cell.construct
        """
        raise AttributeError(f"For 'Cell', the class {type(self).__name__} must define the method 'construct'.")

    def compile(self, *args, jit_config_dict=None, **kwargs):
        """Records a call with these arguments, as GRAPH_MODE does, without changing Parameters.

        Args:
            args, kwargs: of a call; if one is a Tensor with dynamic axes, nothing is recorded.
            jit_config_dict (dict): hints for MindSpore's compiler, without effect. Default: ``None``.
        Raises:
            What the call would raise for these shapes.
        Source: mindspore.nn.Cell.compile
        """
        if not any(isinstance(value, Placeholder) for value in (*args, *kwargs.values())):
            with error_notes.added():
                staging.prepare(self._enter_, args, kwargs, type(self).__name__, self._plans_)

    def compile_and_run(self, *args, **kwargs):
        """Calls the Cell. Source: mindspore.nn.Cell.compile_and_run"""
        return self(*args, **kwargs)

    # -- attributes ------------------------------------------------------------------------------------------------

    def __setattr__(self, name, value):
        attributes = self.__dict__
        if name in attributes.get("_params", ()) and self._is_written_(name, value):
            parameter = self._params[name]
            assign(parameter, value.astype(parameter.dtype) if isinstance(value, Tensor) else value)
            return
        touch(attributes)
        if scope.trace is not None and not _is_same(attributes.get(name), value):
            staging.note_side_effect()
        if isinstance(value, Parameter):
            self._make_room_(name)
            self.insert_param_to_cell(name, value)
        elif isinstance(value, Cell):
            self._make_room_(name)
            if self._auto_prefix:
                value.update_parameters_name(name + ".")
            self.insert_child_to_cell(name, value)
        elif isinstance(value, ParameterTuple):
            self._insert_tuple_(value)
            object.__setattr__(self, name, value)
        elif name in attributes.get("_params", ()):
            self._set_param_slot_(name, value)
        elif name in attributes.get("_cells", ()):
            self._empty_slot_(self._cells, name, value, "sub-cell")
        elif name in attributes.get("_buffers", ()):
            self._empty_slot_(self._buffers, name, value, "buffer")
        elif isinstance(value, Tensor) and getattr(value, "_is_buffer", False):
            self.register_buffer(name, value)
        else:
            if isinstance(value, (list, tuple)) and value and all(isinstance(item, Parameter) for item in value):
                check_names_differ(value)
            object.__setattr__(self, name, value)

    def _is_written_(self, name, value):
        """Whether ``self.name = value`` writes to the Parameter ``name`` by `assign`, as in a graph.

        A Cell created inside a graph, not called yet, gets its Parameters by ordinary assignment.
        """
        parameter = self._params[name]
        if parameter is None or value is None or value is parameter or not staging.is_in_graph():
            return False
        return self._is_named_ or not isinstance(value, Parameter)

    def _make_room_(self, name):
        """Removes a plain attribute, so that a Parameter or Cell can take its name."""
        attributes = self.__dict__
        if name in attributes and not any(name in attributes.get(kind, ()) for kind in _REGISTRIES):
            del attributes[name]

    def _insert_tuple_(self, parameters):
        for parameter in parameters:
            if is_generated_name(parameter.name):
                self.__dict__["_tuple_members_"] += 1
                parameter.name = f"Parameter${self._tuple_members_}"
        check_names_differ(parameters)
        for parameter in parameters:
            self.insert_param_to_cell(parameter.name, parameter, check_name_contain_dot=False)

    def _set_param_slot_(self, name, value):
        if value is None:
            self._params[name] = None
        elif isinstance(value, Tensor):
            self._params[name].set_data(value)
        else:
            raise TypeError(_MSG_SLOT.format("Parameter", name, "a Parameter, a Tensor or None", shown(value), name))

    def _empty_slot_(self, registry, name, value, kind):
        if value is not None:
            raise TypeError(_MSG_SLOT.format(kind, name, f"another {kind} or None", shown(value), name))
        registry[name] = None

    def __getattr__(self, name) -> Any:
        if name in self.__dict__:  # a Parameter or Cell under a name of the class's __slots__ (MindChemistry's)
            return self.__dict__[name]
        primitive = inner_primitive(self, name)
        if primitive is not None:
            return primitive
        if name == SUMMARY:
            return functools.partial(print_summary, self)
        hint = "" if "_params" in self.__dict__ else MSG_NO_INIT
        raise AttributeError(f"The '{type(self).__name__}' object has no attribute '{name}'.{hint}")

    def __delattr__(self, name):
        touch(self.__dict__)
        for kind in _REGISTRIES:
            registry = self.__dict__.get(kind, ())
            if name in registry:
                del registry[name]
                return
        object.__delattr__(self, name)

    def insert_param_to_cell(self, param_name, param, check_name_contain_dot=True):
        """Adds a Parameter under an attribute name; an unnamed one takes it as its name.

        Args:
            param_name (str): the attribute's name.
            param (Parameter | None): what to add.
            check_name_contain_dot (bool): whether a dot in the name is an error. Default: ``True``.
        Raises:
            KeyError: if the name is empty, has a dot or belongs to something else.
            TypeError: if ``param`` is not a Parameter.  AttributeError: if ``Cell.__init__`` has not run.
        Example:
            >>> cell.insert_param_to_cell("bias", Parameter(Tensor([1.0])))
        Source: mindspore.nn.Cell.insert_param_to_cell
        """
        if check_name_contain_dot or not param_name:
            check_name(param_name, "insert_param_to_cell", "param_name")
        if "_params" not in self.__dict__:
            raise AttributeError(f"For 'insert_param_to_cell', the Cell cannot hold a Parameter yet.{MSG_NO_INIT}")
        if is_taken(self, param_name) and param_name not in self._params:
            raise KeyError(MSG_TAKEN.format("insert_param_to_cell", param_name))
        if param is not None and not isinstance(param, Parameter):
            refuse(TypeError, "insert_param_to_cell", "param", "a Parameter or None", param)
        if param is not None and is_generated_name(param.name):
            param.name = param_name
        self._params[param_name] = param

    def insert_child_to_cell(self, child_name, child_cell):
        """Adds a sub-cell under an attribute name; its Parameters keep their names.

        Args:
            child_name (str): the attribute's name.
            child_cell (Cell | None): what to add.
        Raises:
            KeyError: if the name is empty, has a dot or belongs to something else.
            TypeError: if ``child_name`` is not a str or ``child_cell`` not a Cell.
        Example:
            >>> cell.insert_child_to_cell("act", nn.ReLU())
        Source: mindspore.nn.Cell.insert_child_to_cell
        """
        check_name(require(child_name, str, "insert_child_to_cell", "child_name"), "insert_child_to_cell", "child_name")
        if is_taken(self, child_name) and child_name not in self._cells:
            raise KeyError(MSG_TAKEN.format("insert_child_to_cell", child_name))
        if child_cell is not None and not isinstance(child_cell, Cell):
            refuse(TypeError, "insert_child_to_cell", "child_cell", "a Cell or None", child_cell)
        self._cells[child_name] = child_cell

    def __getstate__(self):
        state = dict(self.__dict__)
        for name in pytree.OF_THIS_OBJECT:
            state.pop(name, None)
        for kind in _REGISTRIES:
            if kind in state:
                state[kind] = dict(state[kind])
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        for kind in _REGISTRIES:
            if kind in state:
                self.__dict__[kind] = Registry(self.__dict__, state[kind])
        self.__dict__["_plans_"] = staging.Memo(state.get("_declared_inputs_"))  # a copy has Plans of its own
        touch(self.__dict__)

    # -- text --------------------------------------------------------------------------------------------------------

    @property
    def cls_name(self) -> str:
        """The name of the class."""
        return type(self).__name__

    def extend_repr(self) -> str:
        """The text of ``repr`` before the sub-cells (str); override it. Source: mindspore.nn.Cell.extend_repr"""
        return ""

    def __repr__(self):
        own = self.extend_repr()
        if not self._cells and "\n" not in own:
            return f"{self.cls_name}({own})"
        parts = [own] if own else []
        parts += [f"({name}): {cell!r}" for name, cell in self._cells.items()]
        return f"{self.cls_name}(\n{textwrap.indent(chr(10).join(parts), '  ')}\n)"


def _is_same(old, new):
    """Whether replacing ``old`` by ``new`` changes nothing that a later call could read."""
    return old is new or (type(old) is type(new) and isinstance(new, _PLAIN) and old == new)


_PLAIN = (bool, int, float, str, bytes)
pytree.register(Cell)
_upcalls.fill(Versioned=Cell)
leave_out(Cell, "nn.Cell", LEFT_OUT)


error_notes.register(Cell.__call__, Cell._enter_)
