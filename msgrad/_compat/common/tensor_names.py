"""The names of methods and properties of Tensor in MindSpore's C++ extension.

A library that replaces ``Tensor.shape`` and ``Tensor.item`` (mindnlp 0.5) calls these.
"""

from ...tensor.tensor import Tensor

for _name in "dtype item itemsize nbytes shape size strides tolist".split():
    setattr(Tensor, f"_{_name}", getattr(Tensor, _name))
Tensor._getitem, Tensor._setitem = Tensor.__getitem__, Tensor.__setitem__
