"""Records the function to differentiate, as every adapter does before it gives the Program to JAX."""

import operator
from typing import Any

import numpy as np

from ..engine.calls import forward_reuse
from ..engine.handle import Handle, Promise, own_state_of
from ..engine.host import to_device
from ..engine.pytrees import mapped, tensors_in
from ..tensor.param_info import has_parameter_info
from ..tensor.parameter import Parameter
from ..tensor.sparse import SparseBase
from ..tensor.tensor import Tensor
from .mode_rules import mode_rules
from .mutable import is_mutable_nest

_PARAMETERS = {Parameter}
_requires_grad = operator.attrgetter("requires_grad")


class _Nest:
    """The leaves of the Tensors in a mutable container, from leaf ``first`` on."""

    def __init__(self, value, first):
        self.value = value
        self.indices = [~(first + k) for k in range(len(tensors_in(value)))]

    def gradient(self, results):
        """The container with each Tensor's gradient, and zero for a Python number."""
        gradients = iter([results[index] for index in self.indices])

        def fill(value):
            if isinstance(value, Handle):
                return next(gradients)
            if isinstance(value, dict):
                return {key: fill(item) for key, item in value.items()}
            if isinstance(value, (tuple, list)):
                return (list if isinstance(value, list) else tuple)([fill(item) for item in value])
            return 0.0 if isinstance(value, float) else 0

        return fill(self.value)


def gradients_of(inputs, results):
    """The gradient at each position, from the gradients by index."""
    gradients = {}
    for position, index in inputs.items():
        gradients[position] = index.gradient(results) if isinstance(index, _Nest) else results[index]
    return gradients


class Recording:
    """A call of ``fn``, recorded so that it can be transformed.

    Attributes:
        trace (Trace): the open recording.
        mode: `mode_rules` of the current mode.
        inputs (dict): for each differentiated position, the index of its leaf (or leaves, of a mutable container).
        frozen (dict): the frozen Parameters among the inputs, by position; PYNATIVE_MODE has zeros for their gradients.
        outs (tuple[int]): the indices of the outputs to differentiate.
        cotangents (list of Handle): one for each of them, or None for ones.
        outputs (list of Handle): copies of these outputs, if the recording is differentiated later.
        takes_over (bool): whether the writes of this call replace those of an earlier call of ``fn``.
    """

    outputs: Any

    def __init__(self, trace):
        self.trace = trace
        self.mode = mode_rules()
        self.inputs = {}
        self.frozen = {}
        self.outs = ()
        self.cotangents = None
        self.outputs = None
        self.takes_over = False

    def stand_in(self, value):
        """A new Tensor for a differentiated argument, so that arguments that are one Tensor have separate gradients.

        A Parameter is passed unchanged, since ``fn`` may test its identity; its gradient as an input is then also its
        gradient as a weight. GRAPH_MODE keeps the two separate.
        """
        if isinstance(value, Parameter) and self.mode.parameter_is_itself:
            if id(value) not in self.trace.rebound:
                self.trace.rebind(value)
            return value
        return self.trace.input(value)

    def call(self, fn, args, kwargs, positions):
        """Calls ``fn`` with stand-ins for the Tensors at ``positions`` (positional arguments first, then keywords)."""
        trace, mode = self.trace, self.mode
        self.takes_over = trace.outer is not None and forward_reuse.take_over(trace, fn, args, kwargs)
        args = list(args)
        count = len(args)
        names = list(kwargs)
        for position in positions:
            if position in self.inputs:
                continue
            is_positional = position < count
            value = args[position] if is_positional else kwargs[names[position - count]]
            if mode.parameter_is_itself and isinstance(value, Parameter) and not value.requires_grad:
                self.frozen[position] = value
            if isinstance(value, Handle):
                stand_in = self.stand_in(value) if isinstance(value, Parameter) else trace.input(value)
                self.inputs[position] = trace.place(stand_in)
            elif is_mutable_nest(value):
                self.inputs[position] = _Nest(value, len(trace.leaf_states))
                stand_in = mapped(self.stand_in, value)
            elif isinstance(value, SparseBase):
                values = self.stand_in(value.values)
                self.inputs[position] = trace.place(values)
                stand_in = value.with_values(values)
            else:
                continue
            if is_positional:
                args[position] = stand_in
            else:
                kwargs = {**kwargs, names[position - count]: stand_in}
        if not mode.parameter_is_itself:
            args = [self.trace.input(value) if isinstance(value, Parameter) else value for value in args]
        return fn(*args, **kwargs)

    def join(self):
        """Makes the recording one Program, however many host reads there were."""
        self.outs = self.trace.join(self.outs)

    def weight_links(self, weights):
        """Pairs of each weight and the links of its values; no links if it has no gradient."""
        trace, is_weight, weight_links = self.trace, self.mode.is_weight, []
        ids = [*map(id, weights)]
        are_as_they_came = trace.versions.keys().isdisjoint(ids) and trace.earlier.keys().isdisjoint(ids)
        # The usual case in C, since it runs for each weight of each step: trainable Parameters that the function used.
        if are_as_they_came and {*map(type, weights)} == _PARAMETERS and all(map(_requires_grad, weights)):
            links = [*map(trace.leaf_index.get, ids)]
            if None not in links and Promise not in map(type, map(own_state_of, weights)):
                return [*zip(weights, zip(links, strict=True), strict=True)]
        for weight in weights:
            link = trace.leaf_index.get(id(weight))
            if not is_weight(weight):
                links = ()
            elif are_as_they_came and link is not None and type(weight._state) is not Promise:
                links = (link,)
            else:
                links = self._links_of(weight, link)
            weight_links.append((weight, links))
        return weight_links

    def _links_of(self, weight, link):
        """The links of the values of ``weight``: its initial one, if the function used it, and each assigned one."""
        trace = self.trace
        all_links = () if link is None else (link, *trace.earlier.get(id(weight), ()))
        if trace.versions or id(weight) in trace.rebound or type(weight._own_state_()) is Promise:
            state = weight._state_()
            links = trace.versions_of(weight)
            if type(state) is Promise and state.trace.owner is trace:
                links = (state.trace.link_of(state.index), *links)
            all_links = tuple(dict.fromkeys((*all_links, *links)))
        return all_links

    def used_parameters(self):
        """The trainable Parameters that the function used, in order of first use."""
        return [h for h in self.trace.leaf_handles if has_parameter_info(h) and h.param_info.requires_grad]

    def input_indices(self):
        """The indices of all inputs to differentiate by."""
        indices = []
        for index in self.inputs.values():
            indices += index.indices if isinstance(index, _Nest) else (index,)
        return indices


def zeros_of(handle):
    """A Tensor of zeros of the shape and dtype of ``handle``."""
    return zeros_like(handle.aval)


def zeros_like(aval):
    """A Tensor of zeros of a ``(shape, dtype)``."""
    return Tensor._wrap(to_device(np.zeros(*aval)))
