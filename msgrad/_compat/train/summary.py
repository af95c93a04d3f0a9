"""Names of ``train.summary.summary_record`` with which programs read and store values of summary operations."""

import sys

from ...ops.legacy.left_out import leave_out

SUMMARY_TENSOR_CACHE = {}  # what `_cache_summary_tensor_data` was given, by name


def _cache_summary_tensor_data(summary):
    """Stores Tensors, each as ``{"name": ..., "data": ...}``; returns True."""
    SUMMARY_TENSOR_CACHE.update({each["name"]: each["data"] for each in summary})
    return True


leave_out(
    sys.modules[__name__],
    "train.summary.summary_record",
    [
        (
            "_get_summary_tensor_data()",
            ("values are kept only while a SummaryRecord is open, for its files", "Return them from the network."),
        ),
    ],
)
