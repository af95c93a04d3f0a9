"""`FileReader`: reads MindRecord files, row by row."""

from .exceptions import ParamTypeError, ParamValueError
from .shards import ShardReader, shards_of

__all__ = ["FileReader"]


def readers(file_name):
    """The readers of the files: all files of the dataset of one file, or those listed.

    Raises:
        RuntimeError: if a file is missing or damaged.
    """
    return [ShardReader(path) for path in file_name] if isinstance(file_name, list) else shards_of(file_name)


class FileReader:
    """Reads rows.

    Args:
        file_name (str | list[str]): one of the files of a dataset; or a list of those to read.
        num_consumer (int): without effect here. Default: ``4``.
        columns (list[str]): the fields to read. Default: ``None``, all.
        operator (None): a MindSpore hint. Default: ``None``.
    Raises:
        ParamValueError: for other arguments.  RuntimeError: if a file is missing or damaged.
    Source: mindspore.mindrecord.FileReader
    """

    def __init__(self, file_name, num_consumer=4, columns=None, operator=None):
        if not isinstance(file_name, (str, list)):
            raise ParamValueError(f"For 'FileReader', the 'file_name' must be a path or a list, but got {file_name!r}.")
        if isinstance(num_consumer, bool) or not isinstance(num_consumer, int) or num_consumer < 1:
            raise ParamValueError(
                f"For 'FileReader', the 'num_consumer' must be a positive int, but got {num_consumer!r}."
            )
        if columns is not None and not isinstance(columns, list):
            raise ParamTypeError("columns", "list")
        self._readers = readers(file_name)
        self._columns = columns or None
        for name in columns or ():
            if name not in self._readers[0].schema:
                raise RuntimeError(
                    f"For 'FileReader', there is no field '{name}' among {list(self._readers[0].schema)}."
                )

    def get_next(self):
        """Yields the rows, dicts by field.  Source: mindspore.mindrecord.FileReader.get_next"""
        for reader in self._readers:
            for number in range(len(reader)):
                row = reader.row(number, self._columns)
                yield row if self._columns is None else {name: row[name] for name in self._columns}

    def close(self):
        """Closes the files.  Source: mindspore.mindrecord.FileReader.close"""
        self._readers = []

    def schema(self):
        """The schema passed to `FileWriter.add_schema`.  Source: mindspore.mindrecord.FileReader.schema"""
        return self._readers[0].schema

    def len(self):
        """The number of rows.  Source: mindspore.mindrecord.FileReader.len"""
        return sum(map(len, self._readers))
