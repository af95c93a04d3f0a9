"""The names of methods and properties of Tensor in MindSpore's C++ extension.

A library that replaces ``Tensor.shape`` and ``Tensor.item`` (mindnlp 0.5) calls these.
"""

from ...ops._core.faces import attach
from ...tensor.tensor import Tensor

for _name in "dtype item itemsize nbytes shape size strides tolist".split():
    attach(getattr(Tensor, _name), f"_{_name}")
attach(Tensor.__getitem__, "_getitem")
attach(Tensor.__setitem__, "_setitem")
