"""Similarity of sets, vectors and sentences: Dice, cosine, BLEU."""

import collections
from typing import Any

import numpy as np

from ..._contracts import check
from ...engine.refusal import refuse, require
from ._scalar import Scalar
from .metric import Metric, rearrange_inputs


class Dice(Metric):
    """Dice coefficient: ``2 sum(x * y) / (sum(x * x) + sum(y * y) + smooth)``, divided by the number of samples.

    Args:
        smooth (float): keeps the divisor above 0. Default: ``1e-5``.
    Inputs of ``update``: y_pred and y, of the same shape; the first axis is that of samples.
    Raises:
        TypeError, ValueError: if ``smooth`` is not a positive float, or shapes differ. RuntimeError: if there is
            nothing to evaluate.
    Example:
        >>> round(nn.Dice()(Tensor([[0.0, 1.0]]), Tensor([[0.0, 1.0]])), 3)
        1.0
    Source: mindspore.nn.Dice, mindspore.train.Dice
    """

    def __init__(self, smooth=1e-05):
        super().__init__()
        self.smooth = check.positive_float(smooth, "smooth", "Dice")
        self.clear()

    def clear(self):
        """Clears all updates."""
        self._dice_coeff_sum = 0
        self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Adds a batch."""
        y_pred, y = self._arrays(inputs)
        if y_pred.shape != y.shape:
            refuse(ValueError, "Dice.update", "y", f"of the shape of the predictions, {y_pred.shape}", y.shape)
        x, y = y_pred.ravel(), y.ravel()
        self._dice_coeff_sum += 2 * float(x @ y) / (float(x @ x + y @ y) + self.smooth)
        self._samples_num += y_pred.shape[0]

    def eval(self):
        """The coefficient (float)."""
        self._require_update(self._samples_num)
        return self._dice_coeff_sum / float(self._samples_num)


class CosineSimilarity(Metric):
    """Cosine similarity, or dot product, of all pairs of rows, for the last update.

    Args:
        similarity (str): ``'cosine'`` or ``'dot'``. Default: ``'cosine'``.
        reduction (str): ``'none'``, or the ``'sum'`` or ``'mean'`` of each row. Default: ``'none'``.
        zero_diagonal (bool): whether that of a row with itself is 0. Default: ``True``.
    Inputs of ``update``: rows ``(N, D)``.
    Raises:
        TypeError, ValueError: for arguments of other types and values.  RuntimeError: if there is nothing to evaluate.
    Example:
        >>> nn.CosineSimilarity()(Tensor([[1.0, 0.0], [2.0, 0.0]])).tolist()
        [[0.0, 1.0], [1.0, 0.0]]
    Source: mindspore.nn.CosineSimilarity, mindspore.train.CosineSimilarity
    """

    sqr_mtx_res: Any

    def __init__(self, similarity="cosine", reduction="none", zero_diagonal=True):
        super().__init__()
        owner = "CosineSimilarity"
        self.similarity = check.one_of(check.text(similarity, "similarity", owner), _SIMILARITIES, "similarity", owner)
        self.reduction = check.one_of(check.text(reduction, "reduction", owner), _REDUCTIONS, "reduction", owner)
        self.zero_diagonal = require(zero_diagonal, bool, owner, "zero_diagonal")
        self.clear()

    def clear(self):
        """Clears the last update."""
        self.sqr_mtx_res = 0
        self._is_update = False

    @rearrange_inputs
    def update(self, inputs):
        """Replaces the last update."""
        rows = self._convert_data(inputs)
        if self.similarity == "cosine":
            rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        self.sqr_mtx_res = rows @ rows.T
        self._is_update = True

    def eval(self):
        """The similarities (numpy.ndarray)."""
        self._require_update(self._is_update)
        result = self.sqr_mtx_res.copy()
        if self.zero_diagonal:
            np.fill_diagonal(result, 0)
        return result if self.reduction == "none" else getattr(result, self.reduction)(axis=-1)


_SIMILARITIES = ("dot", "cosine")
_REDUCTIONS = ("none", "sum", "mean")


class BleuScore(Metric):
    """BLEU score of translations: the geometric mean of the n-gram precisions for up to ``n_gram`` words.

    Translations shorter than their references are penalized.

    Args:
        n_gram (int): from 1 to 4. Default: ``4``.
        smooth (bool): whether 1 is added to all counts. Default: ``False``.
    Inputs of ``update``: candidates, a list of lists of words; references, a list of lists of such lists.
    Raises:
        TypeError, ValueError: for arguments of other types and values, or lists of different lengths.
        RuntimeError: if there is nothing to evaluate.
    Example:
        >>> float(nn.BleuScore(2)([["a", "b", "c"]], [[["a", "b", "c"]]]))
        1.0
    Source: mindspore.nn.BleuScore, mindspore.train.BleuScore
    """

    def __init__(self, n_gram=4, smooth=False):
        super().__init__()
        self.n_gram = require(n_gram, int, "BleuScore", "n_gram")
        if not 1 <= n_gram <= 4:
            refuse(ValueError, "BleuScore", "n_gram", "from 1 to 4", n_gram)
        self.smooth = require(smooth, bool, "BleuScore", "smooth")
        self.clear()

    def clear(self):
        """Clears all updates."""
        self._numerator = np.zeros(self.n_gram)
        self._denominator = np.zeros(self.n_gram)
        self._c = 0.0
        self._r = 0.0
        self._is_update = False

    def _runs(self, words):
        starts = [(start, n) for n in range(1, self.n_gram + 1) for start in range(len(words) - n + 1)]
        return collections.Counter([tuple(words[start : start + n]) for start, n in starts])

    @rearrange_inputs
    def update(self, *inputs):
        """Adds sentences."""
        candidates, references = self._taken(inputs, 2)
        if len(candidates) != len(references):
            refuse(ValueError, "BleuScore.update", "references", f"of length {len(candidates)}", len(references))
        for candidate, theirs in zip(candidates, references, strict=True):
            self._c += len(candidate)
            self._r += min((len(each) for each in theirs), key=lambda length: abs(length - len(candidate)))
            ours, expected = self._runs(candidate), collections.Counter()
            for each in theirs:
                expected |= self._runs(each)
            for run, count in (ours & expected).items():
                self._numerator[len(run) - 1] += count
            for run, count in ours.items():
                self._denominator[len(run) - 1] += count
        self._is_update = True

    def eval(self):
        """The score (numpy.ndarray, 0-d)."""
        self._require_update(self._is_update)
        if self._numerator.min() == 0:
            return Scalar(0.0)
        precisions = (self._numerator + self.smooth) / (self._denominator + self.smooth)
        brevity = 1.0 if self._c > self._r else np.exp(1 - self._r / self._c)
        return Scalar(brevity * np.exp(np.log(precisions).mean()))
