"""Inputs and files of `export`, for every format."""

import contextlib
import os

from ..engine.refusal import refuse, require
from ..nn.cell import Cell
from ..tensor.placeholder import Placeholder
from ..tensor.tensor import Tensor
from ._files.atomic import replacing


def checked(net, inputs):
    """The inputs to export a network for: those of `Cell.set_inputs` if they have dynamic axes, else ``inputs``.

    Raises:
        RuntimeError: if ``net`` cannot be called.  TypeError: if an input is not a Tensor.
    """
    if not callable(net):
        refuse(RuntimeError, "export", "net", "a Cell or a function", net)
    for each in inputs:
        require(each, Tensor, "export", "inputs")
    declared = net.get_inputs() if isinstance(net, Cell) else None
    if not isinstance(declared, tuple) or len(declared) != len(inputs):
        return inputs
    return declared if any(isinstance(each, Placeholder) for each in declared) else inputs


@contextlib.contextmanager
def opened(file_name, ending):
    """Opens the file of this name and extension with `replacing`; its folder is created."""
    path = os.path.realpath(file_name if file_name.endswith(ending) else file_name + ending)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with replacing(path) as file:
        yield file
