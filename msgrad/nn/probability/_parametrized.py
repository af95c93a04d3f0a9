"""The base class of distributions and bijectors: functions with parameters that broadcast to a batch."""

from ..cell import Cell


class Parametrized(Cell):
    """A function with parameters; a subclass's constructor sets the attributes that the properties return."""

    @property
    def name(self):
        """Its name (str)."""
        return self._name

    @property
    def parameters(self):
        """The arguments of the constructor (dict)."""
        return self._parameters

    @property
    def is_scalar_batch(self):
        """Whether all parameters are numbers (bool)."""
        return self._is_scalar_batch
