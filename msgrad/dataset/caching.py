"""`DatasetCache`: MindSpore's cache server, which is not supported."""


class DatasetCache:
    """Not supported: there is no cache server, and a dataset's ``cache`` must be None.

    Raises:
        RuntimeError: always, as in MindSpore without a server.
    Source: mindspore.dataset.DatasetCache
    """

    def __init__(
        self, session_id, size=0, spilling=False, hostname=None, port=None, num_connections=None, prefetch_size=None
    ):
        raise RuntimeError(
            "For 'DatasetCache', there is no cache server: leave the dataset's 'cache' out. dataset.save(...) keeps "
            "rows in a file, which MindDataset reads."
        )
