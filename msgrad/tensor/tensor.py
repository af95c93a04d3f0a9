"""The Tensor: MindSpore's array object on the engine's handles."""

import jax.numpy as jnp
import numpy as np

from ..engine import dtypes
from ..engine.handle import Handle
from ..engine.trace import set_result_class


class Tensor(Handle):
    """An n-dimensional array."""

    __slots__ = ()

    def __init__(self, input_data=None, dtype=None, shape=None, init=None):
        if isinstance(input_data, Handle):
            self._state = input_data.state()
            return
        array = np.asarray(input_data)
        if dtype is None:
            dtype = np.float32 if array.dtype == np.float64 and not isinstance(input_data, np.ndarray) else array.dtype
        else:
            dtype = dtype.numpy
        self._state = jnp.asarray(array.astype(dtype))

    @property
    def shape(self):
        return self.aval[0]

    @property
    def dtype(self):
        return dtypes.of(self.aval[1])

    @property
    def ndim(self):
        return len(self.aval[0])

    def asnumpy(self):
        return np.asarray(self.value())


set_result_class(Tensor)
