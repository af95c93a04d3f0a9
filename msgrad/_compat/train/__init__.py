"""Private names of ``mindspore.train``."""
