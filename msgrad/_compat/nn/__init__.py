"""Names of ``mindspore.nn`` from inside of it, and layers of 1.x."""
