"""Names of MindSpore 1.x's ``mindspore.dataset.transforms.py_transforms`` that 2.x renamed."""

import numpy as np

from .arrays import OneHot


class OneHotOp(OneHot):
    """As `OneHot`, but the result is float64, even without smoothing.

    Source: mindspore.dataset.transforms.py_transforms.OneHotOp
    """

    def _apply(self, value):
        return super()._apply(value).astype(np.float64)
