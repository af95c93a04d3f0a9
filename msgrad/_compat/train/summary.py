"""Names of ``train.summary.summary_record`` with which programs read and store values of summary operations."""

from ...ops.control import summaries

SUMMARY_TENSOR_CACHE = {}  # what `_cache_summary_tensor_data` was given, by name

# Importing a name of this module makes a reader: networks run before `_get_summary_tensor_data` is called.
summaries.begin()


def _cache_summary_tensor_data(summary):
    """Stores Tensors, each as ``{"name": ..., "data": ...}``; returns True."""
    SUMMARY_TENSOR_CACHE.update({each["name"]: each["data"] for each in summary})
    return True


def _get_summary_tensor_data():
    """What summary operations stored since the last call: Tensors by ``name[:Kind]`` (dict)."""
    stored = {f"{name}[:{kind.capitalize()}]": value for (kind, name), value in summaries.take().items()}
    stored = SUMMARY_TENSOR_CACHE | stored
    SUMMARY_TENSOR_CACHE.clear()
    return stored
