"""Tensors, Parameters and ParameterTuples as JAX pytrees: their arrays are the leaves."""

from typing import Any

import jax

from ..engine._jax_private import accept_results
from ..engine.execution.donation import lend
from ..engine.handle import Handle
from .parameter import Parameter, ParameterTuple
from .tensor import Tensor


def leaf(tensor):
    """The ``jax.Array`` of a Tensor."""
    return lend(Handle._array_(tensor))


def static_part(tensor):
    """The static part of a Tensor, without its array (hashable)."""
    parameter: Any = tensor
    return parameter._static_attributes_() if isinstance(tensor, Parameter) else None


def rebuilt(tensor, value):
    """A Tensor like ``tensor`` with the array ``value``, which may be a placeholder of JAX's."""
    return tensor._like(lend(value)) if isinstance(tensor, Parameter) else Tensor._wrap(lend(value))


class _Attributes:
    """The static part of a Parameter, and the Parameter to rebuild it from."""

    __slots__ = ("parameter", "key")

    def __init__(self, parameter):
        self.parameter = parameter
        self.key = parameter._static_attributes_()

    def __eq__(self, other):
        return type(other) is _Attributes and self.key == other.key

    def __hash__(self):
        return hash(self.key)


def _flatten_tuple(parameters):
    # A Parameter that appears twice is one leaf: otherwise its two copies would get separate gradients.
    distinct = list({id(parameter): parameter for parameter in parameters}.values())
    order = tuple([next(k for k, each in enumerate(distinct) if each is parameter) for parameter in parameters])
    return [leaf(each) for each in distinct], (order, tuple([_Attributes(each) for each in distinct]))


def _unflatten_tuple(layout, leaves):
    order, attributes = layout
    distinct = [rebuilt(each.parameter, value) for each, value in zip(attributes, leaves, strict=True)]
    return tuple.__new__(ParameterTuple, [distinct[index] for index in order])


register = jax.tree_util.register_pytree_node
register(Tensor, lambda tensor: ((leaf(tensor),), None), lambda _, leaves: Tensor._wrap(lend(leaves[0])))
register(
    Parameter,
    lambda parameter: ((leaf(parameter),), _Attributes(parameter)),
    lambda attributes, leaves: rebuilt(attributes.parameter, leaves[0]),
)
register(ParameterTuple, _flatten_tuple, _unflatten_tuple)
accept_results(Handle)  # so that ``jax.grad`` of a function whose result is a Tensor works
