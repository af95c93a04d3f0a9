"""Results of padded programs on an accelerator, which keep their padding until their values are needed by themselves.

A program that serves many sizes returns arrays of its largest size (`execution.padded`). Cropping one on the device
takes another program for each size. So a result stays as it is: the next padded program takes it so, and a host read
crops it on the host.
"""

import jax
import numpy as np


class Uncropped:
    """A value of which the elements are the first ones, along each axis, of a larger array; the others are 0.

    It is a state of a handle (`handle.INDIRECT`), and the value of a Promise.

    Args:
        padded (jax.Array): the larger array.
        shape (tuple of int): the value's.
        cropping (Cropping): gives the value, as a ``jax.Array`` and as a NumPy array (`execution.resizing`).
    Attributes:
        exist (bool): whether this process has ever made one: on a CPU nothing needs to look for them.
        aval (tuple): the shape and dtype, as of a `Promise`.
    """

    __slots__ = ("padded", "aval", "_cropping", "_array", "_values")
    exist = False

    shape = property(lambda self: self.aval[0])
    dtype = property(lambda self: self.aval[1])

    def __init__(self, padded, shape, cropping):
        self.padded, self.aval, self._cropping = padded, (shape, np.dtype(padded.dtype)), cropping
        self._array = self._values = None
        Uncropped.exist = True

    def array(self):
        """The value as a ``jax.Array``, the same one each time."""
        array = self._array
        if array is None:
            array = self._array = self._cropping.array(self.padded, self.shape)
            # This object may be the state of several handles, so no launch may write over the array (`donation`).
            array.is_lent = True
        return array

    def values(self):
        """The value as a read-only NumPy array; waits for it."""
        if self._values is None:
            self._values = np.ascontiguousarray(self._cropping.values(self.padded, self.shape))
            self._values.flags.writeable = False
        return self._values


def cropped(value):
    """The ``jax.Array`` of a value that may be `Uncropped`; any other value as it is."""
    return value.array() if type(value) is Uncropped else value


def cropped_in(operands):
    """A pytree of operands with arrays for what is `Uncropped` among them."""
    if not Uncropped.exist or Uncropped not in map(type, jax.tree.leaves(operands)):
        return operands
    return jax.tree.map(cropped, operands)
