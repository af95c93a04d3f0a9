"""``ops.composite.multitype_ops._compile_utils``: indexing of Tensors as functions."""


def _tensor_getitem(self, index):
    """``self[index]``."""
    return self[index]


def _tensor_setitem(self, index, value):
    """Writes ``value`` to ``self[index]``; returns the Tensor."""
    self[index] = value
    return self


_tensor_getitem_origin = _tensor_getitem
_tensor_setitem_origin = _tensor_setitem
