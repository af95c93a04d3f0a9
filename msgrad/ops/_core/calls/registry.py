"""Functions that programs register for Primitives; ``vm_impl_registry`` has implementations of user-defined ones."""

import collections


class Registry(collections.UserDict):
    """Functions by Primitive, class of Primitives or name."""

    def register(self, prim):
        """A decorator that registers a function for ``prim``, a class of Primitives or a name."""

        def keep(function):
            self[prim] = function
            return function

        return keep

    def get(self, prim_obj, default=None):
        """The function of a Primitive, its class or its name, or ``default``."""
        if isinstance(prim_obj, (str, type)):
            return self.data.get(prim_obj, default)
        return self.data.get(type(prim_obj), self.data.get(prim_obj.name, default))


vm_impl_registry = Registry()
bprop_getters = Registry()  # functions that make the gradient rule of a Primitive
bprops = Registry()  # gradient rules by name


def get_vm_impl_fn(prim):
    """The function registered for a Primitive.

    Args:
        prim (Primitive | str): a Primitive or its name.
    Returns:
        function; None if there is none.
    Example:
        >>> @ops.vm_impl_registry.register("Type")
        ... def _type_of(primitive):
        ...     return type
        >>> ops.get_vm_impl_fn("Type")(1.0)
        <class 'float'>
    Source: mindspore.ops.get_vm_impl_fn
    """
    make = vm_impl_registry.get(prim)
    return None if make is None else make(prim)


def get_bprop_fn(prim, get_closure=False):
    """The gradient rule registered for a Primitive, or None.

    Args:
        prim (Primitive | type | str): the Primitive.
        get_closure (bool): whether to return the function that makes the rule. Default: ``False``.
    """
    getter = bprop_getters.get(prim)
    if getter is None:
        return bprops.get(prim)
    return getter if get_closure else getter(prim)
