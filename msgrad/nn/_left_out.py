"""Names of ``mindspore.nn`` that msgrad leaves out on purpose, and what to use instead."""

_THOR = (
    "it belongs to THOR, a second-order optimizer for clusters, whose layers keep statistics for it alone. "
    "Use {} and a first-order optimizer of mindspore.nn."
)
_REASONS = {
    "Conv2dThor": _THOR.format("nn.Conv2d"),
    "DenseThor": _THOR.format("nn.Dense"),
    "EmbeddingLookupThor": _THOR.format("nn.EmbeddingLookup"),
    "EmbeddingThor": _THOR.format("nn.Embedding"),
    "thor": _THOR.format("the layers of mindspore.nn"),
}


def missing(name):
    """The AttributeError for a name that ``mindspore.nn`` has not here; it says why."""
    reason = _REASONS.get(name)
    return AttributeError(f"mindspore.nn has no '{name}' in msgrad" + (f": {reason}" if reason else "."))
