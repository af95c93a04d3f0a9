"""Names of ``mindspore.common``."""
