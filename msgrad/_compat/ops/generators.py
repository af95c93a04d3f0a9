"""``ops.operations._inner_ops.Generator``: the Primitive with which MindSpore's generators store seed and offset."""

import secrets
from typing import Any

import numpy as np

from ..._contracts.check import refuse
from ...ops._core.primitive import Primitive
from ...tensor.tensor import Tensor

STEP, SEED, GET_STATE, SET_STATE, MANUAL_SEED, INITIAL_SEED = range(6)


class Generator(Primitive):
    """Reads and writes the state of a generator, two int64 Tensors.

    Args:
        seed, offset (Tensor): as MindSpore 2.10 is given them; those of each call count. Default: ``None``.
    """

    def __init__(self, seed=None, offset=None):
        super().__init__("Generator")

    def __call__(self, cmd, inputs):
        """Carries out a command.

        Args:
            cmd (int): 0 advances the offset by a third input and gives the numbers before; 1 draws a new seed; 2 reads
                the state, 3 sets it to a third input; 4 sets the seed to a third input; 5 reads the seed.
            inputs (tuple): the Tensors of seed and offset, and what the command takes.
        Returns:
            tuple of Tensor: seed, offset and state, 16 bytes.
        Raises:
            ValueError: if there is no such command.
        """
        seed, offset = (int(np.asarray(each).reshape(())) for each in inputs[:2])
        argument: Any = np.asarray(inputs[2]) if len(inputs) > 2 else None
        if cmd == SET_STATE:
            after = np.ascontiguousarray(argument).view(np.int64).tolist()
        elif cmd in (SEED, MANUAL_SEED):
            after = [secrets.randbits(32) if cmd == SEED else int(argument), 0]
        elif cmd in (STEP, GET_STATE, INITIAL_SEED):
            after = [seed, offset + int(argument)] if cmd == STEP else [seed, offset]
        else:
            refuse(ValueError, "Generator", "cmd", "one of the ints 0 to 5", cmd)
        for tensor, number in zip(inputs[:2], after, strict=True):
            tensor.assign_value(Tensor(np.int64(number)))
        numbers = [seed, offset] if cmd == STEP else after
        return *[Tensor(np.int64(each)) for each in numbers], Tensor(np.array(after, np.int64).view(np.uint8))
