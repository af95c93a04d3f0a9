"""Stand-ins for other libraries' arrays, where those are not installed."""


class ForeignArray:
    """As a ``torch.Tensor`` on the CPU: it exports its memory by DLPack, unless it requires a gradient."""

    def __init__(self, array, requires_grad=False):
        self.array, self.requires_grad = array, requires_grad

    def detach(self):
        return ForeignArray(self.array)

    def __dlpack__(self, **options):
        if self.requires_grad:
            raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()
