"""`DatasetCache`: MindSpore's cache server, which is not there."""


class DatasetCache:
    """Refuses: there is no cache server, and a dataset's ``cache`` is None.

    Raises:
        RuntimeError: always, as MindSpore's without a server.
    Source: mindspore.dataset.DatasetCache
    """

    def __init__(
        self, session_id, size=0, spilling=False, hostname=None, port=None, num_connections=None, prefetch_size=None
    ):
        raise RuntimeError(
            "For 'DatasetCache', there is no cache server: leave the dataset's 'cache' out. dataset.save(...) keeps "
            "rows in a file, which MindDataset reads."
        )
