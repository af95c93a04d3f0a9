"""`Schema`: the names, types and shapes of columns."""

import json

import numpy as np

from .. import dtype as mstype
from ..engine.dtypes import DType
from ..engine.refusal import refuse, require

_MSG_FILE = "For 'Schema', the file {} cannot be read: {}."
_TYPES = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
)


class Schema:
    """The columns of a dataset.

    Args:
        schema_file (str): a JSON file in MindSpore's format. Default: ``None``, no columns.
    Attributes:
        columns (list[dict]): ``name``, ``type`` and, if known, ``rank`` and ``shape``.
    Raises:
        RuntimeError: if the file cannot be read.
    Example:
        >>> schema = mindspore.dataset.Schema()
        >>> schema.add_column("label", mindspore.int32, shape=[1])
        >>> schema.columns
        [{'name': 'label', 'type': 'int32', 'rank': 1, 'shape': [1]}]
    Source: mindspore.dataset.Schema
    """

    def __init__(self, schema_file=None):
        self.columns, self.num_rows, self.dataset_type = [], None, None
        if schema_file is not None:
            require(schema_file, str, "Schema", "schema_file")
            try:
                with open(schema_file, encoding="utf-8") as file:
                    self.from_json(json.load(file))
            except (OSError, json.JSONDecodeError) as error:
                raise RuntimeError(_MSG_FILE.format(schema_file, error)) from error

    def add_column(self, name, de_type, shape=None):
        """Adds a column.

        Args:
            name (str): the name.
            de_type (mindspore.dtype | str): the dtype of its values.
            shape (list[int]): of its values, -1 for a length that varies. Default: ``None``, unknown.
        Raises:
            TypeError: if the type is not a dtype.
        Source: mindspore.dataset.Schema.add_column
        """
        self._add("add_column", TypeError, name, de_type, shape)

    def _add(self, owner, error, name, de_type, shape):
        column = {"name": require(name, str, owner, "name"), "type": _type_name(de_type, owner, error)}
        if shape is None:
            column["rank"] = 1
        else:
            column |= {"rank": len(require(shape, (list, tuple), owner, "shape")), "shape": list(shape)}
        self.columns.append(column)

    def parse_columns(self, columns):
        """Replaces the columns by those of parsed JSON: a list of dicts with ``name``, or a dict by name, sorted.

        Columns without a ``shape`` hold single values, whatever their ``rank``.

        Raises:
            RuntimeError: if it is something else, or a column has no name or no type.
        Source: mindspore.dataset.Schema.parse_columns
        """
        if not isinstance(columns, (list, dict)):
            refuse(RuntimeError, "parse_columns", "columns", "a list or a dict", columns)
        if isinstance(columns, dict):
            columns = [{"name": name, **column} for name, column in sorted(columns.items())]
        self.columns = []
        for column in columns:
            if "name" not in column or "type" not in column:
                raise RuntimeError(f"For 'Schema', a column needs a 'name' and a 'type', but got {column}.")
            self._add("parse_columns", RuntimeError, column["name"], column["type"], column.get("shape", []))

    def to_json(self):
        """The schema as JSON (str).  Source: mindspore.dataset.Schema.to_json"""
        facts = {name: getattr(self, key) for name, key in (("datasetType", "dataset_type"), ("numRows", "num_rows"))}
        schema = {name: value for name, value in facts.items() if value is not None} | {"columns": self.columns}
        return json.dumps(schema, indent=2, sort_keys=True)

    def from_json(self, json_obj):
        """Reads the parsed JSON (dict) of `to_json`.

        Raises:
            RuntimeError: if there are other keys, or no columns.
        Source: mindspore.dataset.Schema.from_json
        """
        for name, value in require(json_obj, dict, "from_json", "json_obj").items():
            if name == "datasetType":
                self.dataset_type = value
            elif name == "numRows":
                self.num_rows = value
            elif name == "columns":
                self.parse_columns(value)
            else:
                raise RuntimeError(f"For 'Schema', there is no field '{name}'.")
        if not json_obj.get("columns"):
            raise RuntimeError("For 'Schema', there are no columns.")

    def __str__(self):
        return self.to_json()

    @staticmethod
    def get_num_rows(schema):
        """The number of rows in the schema (int)."""
        return schema.num_rows


def _type_name(kind, owner, error):
    name = mstype.dtype_to_nptype(kind).__name__ if isinstance(kind, DType) and kind != mstype.string else kind
    if isinstance(name, DType):
        return "string"
    if isinstance(name, type):
        name = np.dtype(name).name
    if name not in (*_TYPES, "string"):
        refuse(error, owner, "de_type", "a mindspore dtype or the name of one", kind)
    return name
