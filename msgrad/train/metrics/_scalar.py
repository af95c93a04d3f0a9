"""The type of a metric's value."""

import numpy as np


class Scalar(np.float64):
    """A NumPy scalar that prints as a plain number, as in NumPy 1, which MindSpore uses.

    In NumPy 2, ``print(model.eval(dataset))`` would show ``np.float64(0.5)`` inside the dict.

    Example:
        >>> {"accuracy": Scalar(0.5)}
        {'accuracy': 0.5}
    """

    __repr__ = np.float64.__str__

    def __round__(self, ndigits=None):
        rounded = super().__round__(ndigits)
        return rounded if ndigits is None else type(self)(rounded)
