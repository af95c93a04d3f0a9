"""Names of ``mindspore.dataset`` from inside of it."""
