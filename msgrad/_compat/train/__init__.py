"""Names of ``mindspore.train`` from inside of it."""
