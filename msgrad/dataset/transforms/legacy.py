"""Names of ``mindspore.dataset.transforms.py_transforms`` of MindSpore 1.x that 2.x has under another name."""

import numpy as np

from .arrays import OneHot


class OneHotOp(OneHot):
    """As `OneHot`, but of float64, also without smoothing.

    Source: mindspore.dataset.transforms.py_transforms.OneHotOp
    """

    def apply(self, value):
        return super().apply(value).astype(np.float64)
