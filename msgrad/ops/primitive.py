"""Primitive classes: operations whose attributes are given when they are made."""

import inspect


class Primitive:
    """An operation object: attributes at construction, Tensors at the call.

    Args:
        name (str): the operation's name.

    Example:
        >>> ops.MatMul(transpose_b=True).name
        'MatMul'
    Source: mindspore.ops.Primitive
    """

    def __init__(self, name):
        self.name = name
        self.attrs = {}
        self.instance_name = name

    def add_prim_attr(self, name, value):
        """Remembers an attribute; it has no effect on the result."""
        self.attrs[name] = value
        return self

    def set_prim_instance_name(self, name):
        """Gives the object a name of its own."""
        self.instance_name = name
        return self

    def init_prim_io_names(self, inputs, outputs):
        """Remembers the names of inputs and outputs; they have no effect on the result."""
        self.attrs.update(input_names=inputs, output_names=outputs)

    def shard(self, in_strategy=None, out_strategy=None):
        """A placement hint for several devices; without effect on the result."""
        return self

    def set_stage(self, stage):
        """A placement hint for several devices; without effect on the result."""
        return self

    def recompute(self, mode=True):
        """A memory hint for one operation; without effect on the result."""
        return self

    def set_device(self, device_target):
        """A placement hint; without effect on the result."""
        return self

    def __repr__(self):
        return f"Prim[{self.name}]"


def primitive_class(name, face, attrs, record):
    """The Primitive class ``name`` of an operation's function ``face``."""
    defaults = {
        parameter.name: parameter.default
        for parameter in inspect.signature(face).parameters.values()
        if parameter.name in attrs
    }
    signature = inspect.Signature(
        [inspect.Parameter(each, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=defaults[each]) for each in attrs]
    )

    def __init__(self, *args, **kwargs):
        Primitive.__init__(self, name)
        if attrs:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            self._given = dict(bound.arguments)
            self.__dict__.update(self._given)
        elif args or kwargs:
            raise TypeError(
                f"{name}.__init__() takes 1 positional argument but {1 + len(args) + len(kwargs)} were given"
            )

    if attrs:

        def __call__(self, *args):
            return face(*args, **self._given)
    else:

        def __call__(self, *args):
            return face(*args)

    members = {"__init__": __init__, "__call__": __call__, "__doc__": face.__doc__, "op": record}
    return type(name, (Primitive,), members)
