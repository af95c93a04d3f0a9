"""One row of the tables of operations that the tests check. It needs numpy alone: MindSpore reads it too."""

import dataclasses
import zlib

import numpy as np

NAMES = ("x", "y", "z")
NO_SECOND = "MindSpore 2.10 has no second derivative of it"


@dataclasses.dataclass(frozen=True)
class OpCase:
    """An expression over Tensors ``x``, ``y``, ``z``, and how its inputs are made.

    Args:
        name (str): of the row; golden figures are found by it.
        expression (str): over the inputs and the names ``ms``, ``ops``, ``nn`` and ``Tensor``.
        shapes (tuple): shapes of the inputs, in order. Default: one input of shape ``(2, 3)``.
        domain (tuple): the inputs' least and greatest value, or one such pair for each input. Default: ``(-2, 2)``.
        order (int): how often it can be differentiated. Default: ``2``.
        golden_order (int): up to which order MindSpore 2.10's derivatives are right, and so figures. Default: ``2``.
        faces (tuple): other expressions that mean the same.
        dtypes (tuple): names of further dtypes that all inputs may have; values alone are checked.
        elementwise (bool): whether each element of the result comes from one element of each input.
        parameters (int): how many inputs, the first ones, are Parameters of a Cell, for operations that write to them.
        reference (str): the value as a NumPy expression over ``np`` and the inputs, where MindSpore 2.10 cannot compute
            it on a CPU.
        exact_slope (bool): whether finite differences tell the derivative. Not where values are rounded on the way: by
            a cast, whose derivative is the identity, or by a loss, which computes in float32. Default: ``True``.
        rtol (float): relative tolerance. Default: ``1e-5``.
        reason (str): why ``rtol`` is not the default, or why the golden figures are less than ``order`` promises.
    """

    name: str
    expression: str
    shapes: tuple = ((2, 3),)
    domain: tuple = (-2.0, 2.0)
    order: int = 2
    golden_order: int = 2
    faces: tuple = ()
    dtypes: tuple = ()
    elementwise: bool = False
    parameters: int = 0
    reference: str = ""
    exact_slope: bool = True
    rtol: float = 1e-5
    reason: str = ""

    def inputs(self, dtype="float32"):
        """Returns the inputs as numpy arrays, always the same ones; those of floating dtypes are the float32 ones."""
        random = np.random.RandomState(zlib.crc32(self.name.encode()))
        domains = self.domain if isinstance(self.domain[0], tuple) else (self.domain,) * len(self.shapes)
        arrays = []
        for shape, (low, high) in zip(self.shapes, domains, strict=True):
            values = np.asarray(random.uniform(low, high, shape), np.float32)
            arrays.append((np.ceil(values) if np.dtype(dtype).kind in "iu" else values).astype(dtype))
        return arrays

    def cotangents(self, like):
        """Returns one fixed direction for each array of ``like``, of its shape and dtype."""
        random = np.random.RandomState(zlib.crc32(self.name.encode()) ^ 1)
        return [np.asarray(random.uniform(0.5, 1.5, array.shape)).astype(array.dtype) for array in like]


def rows(table, **common):
    """Makes rows of ``(name, expression, {fields})`` with fields in ``common``."""
    return [OpCase(name, expression, **{**common, **fields}) for name, expression, fields in table]
