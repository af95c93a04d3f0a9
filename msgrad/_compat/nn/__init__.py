"""Private names of ``mindspore.nn``, and layers of 1.x."""
