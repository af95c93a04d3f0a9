"""Private names of ``mindspore.dataset``."""
