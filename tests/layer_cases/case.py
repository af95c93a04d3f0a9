"""One row of the tables of layers that the tests check. It needs numpy alone: MindSpore reads it too."""

import dataclasses
import zlib

import numpy as np

from ..op_cases.case import NAMES, array_of, parsed

NO_KERNEL = "MindSpore 2.10 has no kernel of it for CPUs"
NO_GRADIENT = "MindSpore 2.10 has no derivatives of it on a CPU"


@dataclasses.dataclass(frozen=True)
class LayerCase:
    """A layer, how it is called, and how its inputs are made.

    Args:
        name (str): of the row; golden figures are found by it.
        constructor (str): an expression over the names ``ms``, ``ops``, ``nn`` and ``Tensor`` that makes the layer.
        spec (str): the inputs in order, as in `op_cases`: ``"f[2,3](0.1,2) i32[4]<3 b[2]"``. Without one, only the
            layer itself is checked: its text, Parameters, sub-cells, attributes and initial values.
        call (str): an expression over ``layer`` and the inputs ``x``, ``y``, ... for its results: a Tensor, or a flat
            tuple of them. Default: the layer called with the inputs.
        phases (tuple of bool): the values of ``set_train`` that it is checked with. Default: both, which differ for
            few layers; ``(False,)`` for what draws random numbers in training.
        parameters (tuple): the smallest and largest value that its Parameters are set to. Default: ``(0.2, 1)``.
        gradients (bool): whether MindSpore 2.10's are figures: by the inputs of float dtypes and by the trainable
            Parameters. Default: ``True``.
        reference (str): the value as a NumPy expression over ``np``, the inputs and the Parameters by name (dots
            replaced by ``_``), where MindSpore 2.10 cannot compute it on a CPU.
        without (tuple): what MindSpore itself has not as it should be, and so is not compared: ``"text"``,
            ``"attributes"``, ``"cells"``.
        rtol (float): relative tolerance. Default: ``1e-5``.
        reason (str): why one of the last four is not the default.
    """

    name: str
    constructor: str
    spec: str = ""
    call: str = ""
    phases: tuple = (False, True)
    parameters: tuple = (0.2, 1.0)
    gradients: bool = True
    reference: str = ""
    without: tuple = ()
    rtol: float = 1e-5
    reason: str = ""

    def inputs(self):
        """The inputs by name as numpy arrays, always the same ones."""
        random = self._random(0)
        arrays = [array_of(random, *parsed(text)) for text in self.spec.split()]
        return dict(zip(NAMES, arrays, strict=False))

    def expression(self):
        """What the row computes, over ``layer`` and the inputs."""
        return self.call or f"layer({', '.join(self.inputs())})"

    def values_of(self, shapes):
        """Values for Parameters (dtype and shape by name), always the same ones; integers stay what they are."""
        random = self._random(1)
        low, high = self.parameters
        return {
            name: np.asarray(random.uniform(low, high, shape)).astype(dtype)
            for name, (dtype, shape) in shapes.items()
            if dtype.startswith("float")
        }

    def cotangent(self, index, shape):
        """A fixed direction for the result of this index."""
        return np.asarray(self._random(2 + index).uniform(0.5, 1.5, shape), np.float32)

    def _random(self, purpose):
        return np.random.RandomState((zlib.crc32(self.name.encode()) + purpose) % 2**32)


def rows(table, **common):
    """Makes rows of ``(name, constructor, spec, {fields})``, and fields in ``common``; the fields may be left out."""
    return [LayerCase(*row[:3], **common, **(row[3] if len(row) > 3 else {})) for row in table]
