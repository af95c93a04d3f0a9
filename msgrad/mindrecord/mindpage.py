"""`MindPage`: the rows of MindRecord files by category, page by page."""

import json
import sqlite3

from .exceptions import MRMDefineCategoryError, ParamValueError
from .filereader import readers

__all__ = ["MindPage"]

_MSG_NATURAL = "For 'MindPage', the '{}' must be an int of at least {}, but got {!r}."
_MSG_FIELD = "For 'MindPage', the category must be one of the index fields {}, but got {!r}."
_MSG_NONE = "For 'MindPage', there is no {} {!r} of the field '{}'."


class MindPage:
    """Reads the rows with one value of an index field, page by page.

    Args:
        file_name (str | list[str]): one of the files of a dataset; or a list of those to read.
        num_consumer (int): without effect here. Default: ``4``.
    Raises:
        ParamValueError: for other arguments.  RuntimeError: if a file is missing or damaged.
    Source: mindspore.mindrecord.MindPage
    """

    def __init__(self, file_name, num_consumer=4):
        if not isinstance(file_name, (str, list)):
            raise ParamValueError(f"For 'MindPage', the 'file_name' must be a path or a list, but got {file_name!r}.")
        _natural(num_consumer, "num_consumer", 1)
        self._readers, self._field, self._rows = readers(file_name), None, {}

    @property
    def candidate_fields(self):
        """The index fields, a list of str.  Source: mindspore.mindrecord.MindPage.candidate_fields"""
        return [each["index_field"] for each in self._readers[0].header.get("index_fields") or []]

    @property
    def category_field(self):
        """The field whose values are the categories, or None; it must be set before reading.

        Raises:
            MRMDefineCategoryError: if it is set to something other than an index field.
        Source: mindspore.mindrecord.MindPage.category_field
        """
        return self._field

    @category_field.setter
    def category_field(self, category_field):
        if category_field not in self.candidate_fields:
            raise MRMDefineCategoryError(_MSG_FIELD.format(self.candidate_fields, category_field))
        self._field, self._rows = category_field, {}
        is_real = self._readers[0].schema[category_field]["type"].startswith("float")  # SQLite converts 1.0 to an int
        for reader in self._readers:
            try:
                for number, (value,) in enumerate(reader.entries([f"{category_field}_0"])):
                    self._rows.setdefault(float(value) if is_real else value, []).append((reader, number))
                self._rows = dict(sorted(self._rows.items()))
            except (sqlite3.Error, TypeError, ValueError) as error:
                raise RuntimeError(f"The index of {reader.path} cannot be read: {error}.") from error

    def read_category_info(self):
        """The categories with their numbers and row counts, as JSON.

        Raises:
            RuntimeError: if no field is set.
        Source: mindspore.mindrecord.MindPage.read_category_info
        """
        categories = [
            {"count": len(values), "id": number, "name": str(name)}
            for number, (name, values) in enumerate(self._chosen().items())
        ]
        return json.dumps({"categories": categories, "key": f"{self._field}_0"}, separators=(",", ":"))

    def read_at_page_by_id(self, category_id, page, num_row):
        """The rows of a page of a category.

        Args:
            category_id (int): the number of the category, starting at 0.
            page (int): the number of the page, starting at 0.
            num_row (int): the number of rows per page.
        Returns:
            list of dict by field.
        Raises:
            ParamValueError: for other arguments.  RuntimeError: if there is no such category or page.
        Source: mindspore.mindrecord.MindPage.read_at_page_by_id
        """
        _natural(category_id, "category_id", 0)
        names = list(self._chosen())
        if category_id >= len(names):
            raise RuntimeError(_MSG_NONE.format("category", category_id, self._field))
        return self._page(names[category_id], page, num_row)

    def read_at_page_by_name(self, category_name, page, num_row):
        """The rows of a page of a category: as `read_at_page_by_id`, by its name (str).

        Source: mindspore.mindrecord.MindPage.read_at_page_by_name
        """
        if not isinstance(category_name, str):
            raise ParamValueError(f"For 'MindPage', the 'category_name' must be a str, but got {category_name!r}.")
        names = {str(name): name for name in self._chosen()}
        if category_name not in names:
            raise RuntimeError(_MSG_NONE.format("category", category_name, self._field))
        return self._page(names[category_name], page, num_row)

    def _chosen(self):
        if self._field is None:
            raise RuntimeError(f"For 'MindPage', set the 'category_field' first, to one of {self.candidate_fields}.")
        return self._rows

    def _page(self, name, page, num_row):
        _natural(page, "page", 0)
        _natural(num_row, "num_row", 1)
        rows = self._rows[name][page * num_row :][:num_row]
        if not rows:
            raise RuntimeError(_MSG_NONE.format("page", page, self._field))
        return [reader.row(number) for reader, number in rows]


def _natural(value, argument, minimum):
    if isinstance(value, bool) or not isinstance(value, int) or value < minimum:
        raise ParamValueError(_MSG_NATURAL.format(argument, minimum, value))
