"""Random test inputs of given shapes and dtypes."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from ..engine.host import to_device
from ..engine.pytrees import mapped
from ..nn.cell import Cell
from ..tensor.parameter import Parameter
from ..tensor.tensor import Tensor
from .comparison import as_array


def random_like(like, seed=0):
    """Random Tensors like given ones: floats between -1 and 1, integers in the range of the given ones.

    Positive values stay positive, so that variances stay variances.

    Args:
        like (Cell | Tensor | tuple | list | dict): a Cell, a Tensor, or a pytree of Tensors.
        seed (int): equal seeds give equal values. Default: ``0``.
    Returns:
        A Tensor or pytree like it; for a Cell a dict of Parameters by name, for ``load_param_into_net``.
    Example:
        >>> net = nn.Dense(2, 3)
        >>> mindspore.load_param_into_net(net, msgrad.testing.random_like(net, seed=1))
        ([], [])
        >>> msgrad.testing.random_like({"x": Tensor([2, 7])}, seed=1)["x"].dtype
        mindspore.int64
    """
    random = np.random.RandomState(seed)
    if isinstance(like, Cell):
        return {each.name: Parameter(_drawn(random, each), name=each.name) for each in like.get_parameters()}
    return mapped(lambda tensor: _drawn(random, tensor), like)


def _drawn(random, tensor):
    values: Any = as_array(tensor)
    if values.dtype == np.bool_:
        return Tensor(random.rand(*values.shape) < 0.5)
    if not jnp.issubdtype(values.dtype, jnp.inexact):
        minimum, maximum = (values.min(), values.max()) if values.size else (0, 0)
        return Tensor(random.randint(minimum, maximum + 1, values.shape).astype(values.dtype))
    has_sign = not values.any() or values.real.min() < 0
    drawn = random.uniform(-1.0 if has_sign else 0.0, 1.0, values.shape)
    if jnp.issubdtype(values.dtype, jnp.complexfloating):
        drawn = drawn + 1j * random.uniform(-1.0, 1.0, values.shape)
    return Tensor(to_device(np.asarray(drawn, values.dtype)))
