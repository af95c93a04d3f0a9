"""Names of ``mindspore.parallel`` and ``mindspore.communication``: settings of distributed runs."""
