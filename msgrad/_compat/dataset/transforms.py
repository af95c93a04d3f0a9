"""``mindspore.dataset.transforms.transforms``: base classes of user-defined transforms."""

import enum

from ...dataset.text import NormalizeForm

DE_C_INTER_NORMALIZE_FORM = {each: each for each in NormalizeForm}  # (``dataset.text.transforms``)

_MSG_COMPILED = (
    "'{}' has no '_execute_py', and msgrad does not run MindSpore's compiled transforms: write one that takes the "
    "value and returns the new one, and set self.implementation = Implementation.PY."
)


class Implementation(enum.IntEnum):
    """The implementation of a transform: MindSpore's C++ extension, or Python."""

    C = 0
    PY = 1


class PyTensorOperation:
    """A transform of one value; a subclass defines ``_execute_py``."""

    def __init__(self):
        self.transforms = []
        self.output_type = None

    def __call__(self, img):
        return self._execute_py(img)


class TensorOperation:
    """A transform of values; a subclass defines ``_execute_py``."""

    def __init__(self):
        super().__init__()
        self.implementation = None
        self.device_target = "CPU"

    def __call__(self, *input_tensor_list):
        if not hasattr(self, "_execute_py"):
            raise NotImplementedError(_MSG_COMPILED.format(type(self).__name__))
        return self._execute_py(*input_tensor_list)


class TextTensorOperation(TensorOperation):
    """A transform of text."""


class ImageTensorOperation(TensorOperation):
    """A transform of images."""
