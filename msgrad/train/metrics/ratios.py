"""Ratios of true and false positives and negatives (sensitivity, specificity, ...), by name."""

import numpy as np


def _divided(numerator, denominator):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominator != 0, numerator / denominator, np.nan)


def _prevalence_threshold(tp, fp, tn, fn):
    sensitivity, specificity = _divided(tp, tp + fn), _divided(tn, tn + fp)
    return _divided(np.sqrt(sensitivity * (1 - specificity)) + specificity - 1, sensitivity + specificity - 1)


# Each ratio as a function of the counts tp, fp, tn, fn, with its aliases.
_RATIOS = [
    ("tpr sensitivity recall hit_rate true_positive_rate", lambda tp, fp, tn, fn: _divided(tp, tp + fn)),
    ("tnr specificity selectivity true_negative_rate", lambda tp, fp, tn, fn: _divided(tn, tn + fp)),
    ("ppv precision positive_predictive_value", lambda tp, fp, tn, fn: _divided(tp, tp + fp)),
    ("npv negative_predictive_value", lambda tp, fp, tn, fn: _divided(tn, tn + fn)),
    ("fnr miss_rate false_negative_rate", lambda tp, fp, tn, fn: _divided(fn, tp + fn)),
    ("fpr fall_out false_positive_rate", lambda tp, fp, tn, fn: _divided(fp, fp + tn)),
    ("fdr false_discovery_rate", lambda tp, fp, tn, fn: _divided(fp, fp + tp)),
    ("for false_omission_rate", lambda tp, fp, tn, fn: _divided(fn, fn + tn)),
    ("pt prevalence_threshold", _prevalence_threshold),
    ("ts threat_score critical_success_index csi", lambda tp, fp, tn, fn: _divided(tp, tp + fn + fp)),
    ("acc accuracy", lambda tp, fp, tn, fn: _divided(tp + tn, tp + fp + tn + fn)),
    ("ba balanced_accuracy", lambda tp, fp, tn, fn: (_divided(tp, tp + fn) + _divided(tn, tn + fp)) / 2),
    ("f1 f1_score", lambda tp, fp, tn, fn: _divided(2 * tp, 2 * tp + fn + fp)),
    (
        "mcc matthews_correlation_coefficient",
        lambda tp, fp, tn, fn: _divided(tp * tn - fp * fn, np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))),
    ),
    ("fm fowlkes_mallows_index", lambda tp, fp, tn, fn: np.sqrt(_divided(tp, tp + fp) * _divided(tp, tp + fn))),
    (
        "bm informedness bookmaker_informedness",
        lambda tp, fp, tn, fn: _divided(tp, tp + fn) + _divided(tn, tn + fp) - 1,
    ),
    ("mk markedness deltap", lambda tp, fp, tn, fn: _divided(tp, tp + fp) + _divided(tn, tn + fn) - 1),
]
_BY_NAME = {name: function for names, function in _RATIOS for name in names.split()}


def ratio(name, counts):
    """A ratio of counts, by name.

    Args:
        name (str): a name in the table, in any case, with spaces or underscores.
        counts (numpy.ndarray): of true and false positives and true and false negatives along the last axis.
    Returns:
        numpy.ndarray without that axis; NaN where the divisor is 0.
    Raises:
        NotImplementedError: for another name.
    Example:
        >>> import numpy as np
        >>> ratio("hit rate", np.array([[1.0, 0.0, 0.0, 3.0]])).tolist()
        [0.25]
    """
    function = _BY_NAME.get(name.replace(" ", "_").lower())
    if function is None:
        raise NotImplementedError(f"There is no ratio '{name}'; the ratios are {', '.join(sorted(_BY_NAME))}.")
    return function(*np.moveaxis(counts, -1, 0))


def _mean(values, axis):
    """The mean of the values that are not NaN (0 if there are none), and their count."""
    counts = (~np.isnan(values)).sum(axis).astype(float)
    return np.where(counts > 0, np.nansum(values, axis) / np.maximum(counts, 1), 0.0), counts


def _sum(values, axis):
    return np.nansum(values, axis), (~np.isnan(values)).sum(axis).astype(float)


def _mean_of_means(values):
    means, counts = _mean(values, 1)
    return _mean(np.where(counts > 0, means, np.nan), 0)


# Reductions of values ``(N, C)``: the result, and the count of values that are not NaN.
DECREASES = {
    "mean": _mean_of_means,
    "sum": lambda values: _sum(values, (0, 1)),
    "mean_batch": lambda values: _mean(values, 0),
    "sum_batch": lambda values: _sum(values, 0),
    "mean_channel": lambda values: _mean(values, 1),
    "sum_channel": lambda values: _sum(values, 1),
    "none": lambda values: (np.nan_to_num(values), (~np.isnan(values)).astype(float)),
}
