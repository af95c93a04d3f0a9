"""What the arrays of a program are: Parameters, the slots of optimizers, or other values."""

import gc
import weakref

from ...engine.handle import Promise
from ...engine.host import Hosted
from ...nn.optim.optimizer import Optimizer
from ...tensor.parameter import Parameter


class Holders:
    """The Parameters of the process, and which of them are slots of an optimizer."""

    def __init__(self):
        self._parameters, self._slots = [], set()
        self._kinds = {}

    def look(self):
        """Looks for Parameters among all objects: a program may have come with new ones."""
        objects = gc.get_objects()
        parameters = [each for each in objects if isinstance(each, Parameter)]
        optimizers = [each for each in objects if isinstance(each, Optimizer)]
        trained = {id(parameter) for each in optimizers for parameter in each.parameters}
        own = {id(parameter) for each in optimizers for parameter in each.get_parameters()}
        self._slots = own - trained
        self._parameters = [weakref.ref(each) for each in parameters]

    def refresh(self):
        """Notes which arrays the Parameters have now."""
        self._kinds = {}
        for reference in self._parameters:
            parameter = reference()
            if parameter is None:
                continue
            kind = "optimizer" if id(parameter) in self._slots else "parameter"
            self._kinds[id(_array_of(parameter))] = kind, parameter.name

    def of(self, array):
        """``(kind, name)`` of an array: ``"parameter"``, ``"optimizer"`` or ``"input"``."""
        return self._kinds.get(id(array), ("input", ""))


def _array_of(parameter):
    state = parameter._own_state_()
    # While a launch overwrites it, the launch has its array (`donation`).
    if type(state) is Promise:
        leaves = getattr(state.trace, "leaves", None)
        return state.value if leaves is None else leaves[state.index]
    return parameter._state_() if type(state) is Hosted else state
