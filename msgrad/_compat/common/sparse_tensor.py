"""The name of sparse Tensors inside MindSpore.  (``common.sparse_tensor``)"""

from ...tensor.sparse import RowTensor

RowTensorInner = RowTensor  # what its gradients are; `RowTensor` is what programs make
