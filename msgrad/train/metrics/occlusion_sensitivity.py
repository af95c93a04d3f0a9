"""Occlusion sensitivity: which parts of an image a prediction depends on."""

import numpy as np

from ...engine.refusal import refuse, require
from ...nn.cell import Cell
from ...tensor.tensor import Tensor
from .metric import Metric, rearrange_inputs


class OcclusionSensitivity(Metric):
    """Occlusion sensitivity: the decrease of a class's score when part of the image is covered, for the last update.

    Args:
        pad_val (float): the value of covered pixels. Default: ``0.0``.
        margin (int | list[int]): the half width of the covered box, for all axes or each. Default: ``2``.
        n_batch (int): the number of covered images per call of the model. Default: ``128``.
        b_box (list[int]): for each axis but the first the smallest and largest position to cover; a negative largest
            one means the whole axis. Default: ``None``, everywhere.
    Inputs of ``update``: model (Cell): images to scores ``(N, C)``; y_pred: the image, ``(1, ...)``; label: the class,
        one number.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``b_box`` does not fit.  RuntimeError: if there are
            several images or labels, or nothing to evaluate.
    Example:
        >>> flat = nn.Flatten()
        >>> nn.OcclusionSensitivity(margin=1)(flat, Tensor([[1.0, 2.0, 3.0]]), Tensor([1])).tolist()
        [0.0, 2.0, 2.0]
    Source: mindspore.nn.OcclusionSensitivity, mindspore.train.OcclusionSensitivity
    """

    def __init__(self, pad_val=0.0, margin=2, n_batch=128, b_box=None):
        super().__init__()
        self.pad_val = require(pad_val, float, "OcclusionSensitivity", "pad_val")
        self.margin = require(margin, (int, list), "OcclusionSensitivity", "margin")
        self.n_batch = require(n_batch, int, "OcclusionSensitivity", "n_batch")
        self.b_box = require(b_box, (list, type(None)), "OcclusionSensitivity", "b_box")
        self.clear()

    def clear(self):
        """Clears the last update."""
        self._baseline = 0
        self._sensitivity_im = 0
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs):
        """Replaces the last update."""
        model, *arrays = self._taken(inputs, 3)
        image, label = map(self._convert_data, arrays)
        require(model, Cell, "OcclusionSensitivity.update", "model")
        if image.shape[0] != 1:
            refuse(RuntimeError, "OcclusionSensitivity.update", "y_pred", "one image", image.shape)
        if label.size != 1:
            refuse(RuntimeError, "OcclusionSensitivity.update", "label", "one number", label.shape)

        def scores(images):
            return model(Tensor(images)).asnumpy()[:, int(label.item())]

        minimum, maximum = self._bounds(np.array(image.shape[1:]))
        corners = np.stack(np.meshgrid(*map(np.arange, minimum, maximum + 1), indexing="ij"), -1)
        results = []
        for batch in np.array_split(corners.reshape(-1, minimum.size), -(-corners[..., 0].size // self.n_batch)):
            results.append(scores(np.concatenate([self._covered(image, corner) for corner in batch])))
        self._baseline = scores(image).item()
        self._sensitivity_im = np.concatenate(results).reshape(maximum - minimum + 1)
        self._is_update = True

    def _covered(self, image, position):
        image = image.copy()
        box = map(slice, np.maximum(position - self.margin, 0), position + self.margin)
        image[(slice(None), *box)] = self.pad_val
        return image

    def _bounds(self, lengths):
        """The smallest and the largest position along each axis."""
        if self.b_box is None:
            return np.zeros_like(lengths), lengths - 1
        if len(self.b_box) != 2 * lengths.size:
            refuse(ValueError, "OcclusionSensitivity", "b_box", f"of {2 * lengths.size} numbers", self.b_box)
        minimum, maximum = np.maximum(self.b_box[::2], 0), np.array(self.b_box[1::2])
        maximum = np.where(maximum < 0, lengths - 1, maximum)
        if (maximum >= lengths).any() or (minimum > maximum).any():
            refuse(
                ValueError,
                "OcclusionSensitivity",
                "b_box",
                f"pixels within {tuple(lengths)}, in order",
                self.b_box,
            )
        return minimum, maximum

    def eval(self):
        """The sensitivities (numpy.ndarray), in the shape of the covered region without axes of length 1."""
        self._require_update(self._is_update)
        return self._baseline - np.squeeze(self._sensitivity_im)
