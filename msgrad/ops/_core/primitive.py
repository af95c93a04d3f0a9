"""Primitives: operation objects whose constructor takes attributes, and whose call takes Tensors."""

import copy
import functools
import inspect
from typing import TYPE_CHECKING, Any

from ... import _upcalls
from ..._sharding.layout import Layout
from ..._sharding.strategy import check_strategy
from ...engine.refusal import refuse, require
from ...tensor.arrays import all_taken
from .calls.registry import get_bprop_fn, get_vm_impl_fn
from .calls.sharded import follow

_NOT_SHOWN = ("input_names", "output_names")
_MSG_NO_KERNEL = (
    "For '{0}', there is nothing to run: msgrad has no operation of this name. Define `vm_impl(self, *tensors)` in the "
    "class, or use an operation of mindspore.ops."
)


class Primitive:
    """An operation object: its constructor takes attributes, its call takes Tensors.

    Args:
        name (str): the operation's name.

    Attributes:
        attrs (dict): the attributes by name; each is an attribute of the object too.
        init_attrs (dict): the constructor's arguments.
    Raises:
        TypeError: if ``name`` is not a str.
    Example:
        >>> ops.MatMul(transpose_b=True)
        Prim[MatMul]<transpose_a=False, transpose_b=True>
    Source: mindspore.ops.Primitive
    """

    update_parameter = False

    if TYPE_CHECKING:  # the arguments of the constructor

        def __getattr__(self, name) -> Any: ...

    def __init__(self, name):
        self.name = require(name, str, type(self).__name__, "name")
        self.attrs = {}
        self.init_attrs = {"name": name}

    def __call__(self, *args):
        compute = getattr(self, "vm_impl", None) or get_vm_impl_fn(self) or _upcalls.kernel_of(self)
        if compute is None:
            raise RuntimeError(_MSG_NO_KERNEL.format(self.name))
        args = all_taken(args)
        rule = getattr(self, "bprop", None) or getattr(self, "get_bprop", lambda: None)() or get_bprop_fn(self)
        return compute(*args) if rule is None else _upcalls.called_with_rule(compute, rule, args, self.name)

    def __repr__(self):
        attributes = ", ".join(f"{name}={value}" for name, value in self.attrs.items() if name not in _NOT_SHOWN)
        return f"Prim[{self.name}]<{attributes}>" if attributes else f"Prim[{self.name}]"

    # -- attributes -------------------------------------------------------------------------------------------------

    def add_prim_attr(self, name, value):
        """Sets an attribute.

        Args:
            name (str): of the attribute.
            value (object): its value.
        Returns:
            Primitive, this one.
        Example:
            >>> ops.Add().add_prim_attr("note", 1)
            Prim[Add]<note=1>
        Source: mindspore.ops.Primitive.add_prim_attr
        """
        self.attrs[name] = self.__dict__[name] = value
        return self

    def del_prim_attr(self, name):
        """Removes an attribute, if it is there; returns the Primitive. Source: mindspore.ops.Primitive.del_prim_attr"""
        if name in self.attrs:
            del self.attrs[name], self.__dict__[name]
        return self

    def add_attr(self, name, value):
        """Sets an attribute; see `add_prim_attr`. Source: mindspore.ops.Primitive.add_attr"""
        self.add_prim_attr(name, value)

    def del_attr(self, name):
        """Removes an attribute; see `del_prim_attr`. Source: mindspore.ops.Primitive.del_attr"""
        self.del_prim_attr(name)

    def get_attr_dict(self):
        """A copy of the attributes. Source: mindspore.ops.Primitive.get_attr_dict"""
        return dict(self.attrs)

    def init_prim_io_names(self, inputs, outputs):
        """Stores the names (lists of str) of inputs and outputs. Source: mindspore.ops.Primitive.init_prim_io_names"""
        self.add_prim_attr("input_names", inputs)
        self.add_prim_attr("output_names", outputs)

    def set_prim_instance_name(self, instance_name):
        """Sets the object's name; returns the Primitive. Source: mindspore.ops.Primitive.set_prim_instance_name"""
        self.instance_name = instance_name
        return self

    set_instance_name = set_prim_instance_name

    def set_user_data(self, key, value):
        """Stores ``value`` with the Primitive under ``key``. Source: mindspore.ops.Primitive.set_user_data"""
        self.__dict__.setdefault("_user_data", {})[key] = value

    def get_user_data(self, key):
        """The value stored by `set_user_data`, or None. Source: mindspore.ops.Primitive.get_user_data"""
        return self.__dict__.get("_user_data", {}).get(key)

    def shard(self, in_strategy=None, out_strategy=None):
        """Sets how the Tensors are sharded over devices, in semi-automatic and automatic parallel mode.

        Args:
            in_strategy (tuple): for each input a tuple of ints, the number of shards of each axis, or a Layout; an
                empty tuple leaves it open. Default: ``None``.
            out_strategy (tuple): the same for the result of a matrix product. Default: ``None``.
        Returns:
            Primitive, this one.
        Raises:
            TypeError: for anything else.
            ValueError: for an ``out_strategy`` alone, or of another kind than ``in_strategy``.
            RuntimeError: at the call, for a strategy that does not fit the inputs or the devices.
        Example:
            >>> ops.Add().shard(((2, 1), (2, 1)))
            Prim[Add]<in_strategy=((2, 1), (2, 1))>
        Source: mindspore.ops.Primitive.shard
        """
        if in_strategy is None and out_strategy is None:
            return self
        strategies = {"in_strategy": in_strategy, "out_strategy": out_strategy}
        strategies = {name: strategy for name, strategy in strategies.items() if strategy is not None}
        kinds = [check_strategy(strategy, name, self.name) for name, strategy in strategies.items()]
        if kinds[-1] is not None and next((kind for kind in kinds if kind is not None), None) != kinds[-1]:
            refuse(ValueError, self.name, "out_strategy", "of tuples or of Layouts, as the in_strategy", out_strategy)
        if in_strategy is None:
            refuse(ValueError, self.name, "in_strategy", "given with an out_strategy", in_strategy)
        for name, strategy in strategies.items():
            if strategy and isinstance(strategy[0], Layout):
                self.add_prim_attr(name.replace("strategy", "layout"), tuple([each.described() for each in strategy]))
            else:
                self.add_prim_attr(name, strategy)
        if in_strategy:
            follow(self, in_strategy, out_strategy)
        return self

    # -- hints, which have no effect on results ---------------------------------------------------------------------

    def set_stage(self, stage):
        """The pipeline stage: a hint without effect. Source: mindspore.ops.Primitive.set_stage"""
        return self.add_prim_attr("stage", stage)

    def set_device(self, device_target):
        """The kind of device: a hint without effect. Source: mindspore.ops.Primitive.set_device"""
        return self.add_prim_attr("primitive_target", device_target)

    def recompute(self, mode=True):
        """Whether backward passes compute it again: a hint without effect. Source: mindspore.ops.Primitive.recompute"""
        return self.add_prim_attr("recompute", mode)

    def place(self, role, rank_id):
        """The process that runs it: a hint without effect. Source: mindspore.ops.Primitive.place"""

    def set_const_prim(self, is_const):
        """A hint for MindSpore's compiler without effect. Source: mindspore.ops.Primitive.set_const_prim"""

    def set_const_input_indexes(self, indexes):
        """A hint for MindSpore's compiler without effect. Source: mindspore.ops.Primitive.set_const_input_indexes"""

    def set_inplace_prim(self, is_inplace):
        """A hint for MindSpore's compiler without effect. Source: mindspore.ops.Primitive.set_inplace_prim"""

    def set_prim_type(self, prim_type):
        """A hint for MindSpore's compiler without effect. Source: mindspore.ops.Primitive.set_prim_type"""

    def set_signatures(self, signatures):
        """A hint for MindSpore's compiler without effect. Source: mindspore.ops.Primitive.set_signatures"""

    def check_elim(self, *args):
        """Whether the result is known without running it: always ``(False, None)``.

        Source: mindspore.ops.Primitive.check_elim
        """
        return False, None

    def _complete(self):
        """The last step of a constructor: see `faces.completed`."""

    def _clone(self):
        return copy.deepcopy(self)


class PrimitiveWithInfer(Primitive):
    """A user-defined Primitive, with rules for shapes and dtypes; its ``vm_impl`` computes.

    A method ``bprop(self, *inputs, output, cotangent)``, or the function that ``get_bprop(self)`` returns, computes its
    gradients, one for each input.

    Args:
        name (str): the operation's name.
    Example:
        >>> class Twice(ops.PrimitiveWithInfer):
        ...     @ops.prim_attr_register
        ...     def __init__(self):
        ...         pass
        ...     def vm_impl(self, x):
        ...         return x * 2
        >>> Twice()(Tensor([1.0])).tolist()
        [2.0]
    Source: mindspore.ops.PrimitiveWithInfer
    """

    def infer_shape(self, *args):
        """The shape of the result, to be overridden; None. Source: mindspore.ops.PrimitiveWithInfer.infer_shape"""

    def infer_dtype(self, *args):
        """The dtype of the result, to be overridden; None. Source: mindspore.ops.PrimitiveWithInfer.infer_dtype"""

    def infer_value(self, *args):
        """A constant result, to be overridden; None. Source: mindspore.ops.PrimitiveWithInfer.infer_value"""


class PrimitiveWithCheck(PrimitiveWithInfer):
    """A user-defined Primitive, with checks of shapes and dtypes; its ``vm_impl`` computes.

    Args:
        name (str): the operation's name.
    Example:
        >>> class Same(ops.PrimitiveWithCheck):
        ...     @ops.prim_attr_register
        ...     def __init__(self):
        ...         pass
        ...     def vm_impl(self, x):
        ...         return x
        >>> Same()(Tensor([1.0])).tolist()
        [1.0]
    Source: mindspore.ops.PrimitiveWithCheck
    """

    def check_shape(self, *args):
        """A check of the shapes, to be overridden; None. Source: mindspore.ops.PrimitiveWithCheck.check_shape"""

    def check_dtype(self, *args):
        """A check of the dtypes, to be overridden; None. Source: mindspore.ops.PrimitiveWithCheck.check_dtype"""


def prim_attr_register(fn):
    """Makes the arguments of a Primitive's constructor its attributes.

    Args:
        fn (function): the ``__init__`` of a subclass of `Primitive`.
    Returns:
        function.
    Example:
        >>> class Scale(ops.PrimitiveWithInfer):
        ...     @ops.prim_attr_register
        ...     def __init__(self, factor=2):
        ...         pass
        >>> Scale(3)
        Prim[Scale]<factor=3>
    Source: mindspore.ops.prim_attr_register
    """
    signature = inspect.signature(fn)

    @functools.wraps(fn)
    def constructor(self, *args, **kwargs):
        arguments = signature.bind(self, *args, **kwargs)
        arguments.apply_defaults()
        Primitive.__init__(self, getattr(type(self), "substitute_name", type(self).__name__))
        _keep(self, dict(list(arguments.arguments.items())[1:]))
        fn(self, *args, **kwargs)

    vars(constructor)["decorated_func"] = fn
    return constructor


def prim_arg_register(fn):
    """Makes the arguments of a Primitive's constructor its attributes: `prim_attr_register`.

    Args:
        fn (function): the ``__init__`` of a subclass of `Primitive`.
    Returns:
        function.
    Example:
        >>> class Scale(ops.Primitive):
        ...     @ops.prim_arg_register
        ...     def __init__(self, factor=2):
        ...         pass
        >>> Scale(3)
        Prim[Scale]<factor=3>
    Source: mindspore.ops.prim_arg_register
    """
    return prim_attr_register(fn)


def _keep(primitive, attributes):
    """Stores the arguments of a constructor as attributes."""
    primitive.init_attrs = attributes
    for name, value in attributes.items():
        primitive.add_prim_attr(name, value)


def started(primitive, name, attributes, kinds):
    """The constructor of built-in Primitives; returns None, as a constructor must.

    Args:
        primitive (Primitive): the new object.
        name (str): of the Primitive.
        attributes (dict): the arguments, which are stored unchanged.
        kinds (dict of Kind): contracts, checked here rather than at the first call.
    """
    for argument, kind in kinds.items():
        kind.take_setting(attributes[argument], argument, name)
    Primitive.__init__(primitive, name)
    _keep(primitive, attributes)
    primitive._complete()
