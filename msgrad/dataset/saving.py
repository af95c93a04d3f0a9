"""``save``: writes the rows of a pipeline to MindRecord files."""

import numpy as np

from ..engine.refusal import refuse, require
from ..mindrecord.filewriter import FileWriter
from ._pipeline.failures import broken
from .node import one_epoch, register

_ROWS = 1000  # rows written at once
_WIDER = {"int8": "int32", "int16": "int32", "uint8": "int32", "uint16": "int32", "bool": "int32", "uint32": "int64"}
_FLOATS = {"float16": "float32"}
_KINDS = ("int32", "int64", "float32", "float64")


@register
def save(dataset, file_name, num_files, file_type):
    """Writes the rows of one epoch to MindRecord files: see `Dataset.save`."""
    if file_type != "mindrecord":
        refuse(ValueError, "save", "file_type", "'mindrecord'", file_type)
    names = dataset.get_col_names()
    writer = FileWriter(require(file_name, str, "save", "file_name"), num_files, overwrite=True)
    chunk, schema = [], None
    with one_epoch(dataset) as rows:
        for row in rows:
            if schema is None:
                schema = {name: _described(value, name) for name, value in zip(names, row, strict=True)}
                writer.add_schema(schema)
            chunk.append({name: _to_field(value, schema[name]) for name, value in zip(names, row, strict=True)})
            if len(chunk) == _ROWS:
                writer.write_raw_data(chunk)
                chunk = []
    if schema is None:
        raise broken("save", "there are no rows")
    if chunk:
        writer.write_raw_data(chunk)
    writer.commit()


def _described(value, name):
    """The schema of a column, determined by its first value."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "US" and value.size == 1:
        return {"type": "string" if value.dtype.kind == "U" else "bytes"}
    kind = getattr(value, "dtype", None)
    kind = (_WIDER | _FLOATS).get(str(kind), str(kind))
    if kind not in _KINDS:
        raise broken("save", f"the column '{name}' has values that the files cannot hold: {kind}")
    if not value.shape:
        return {"type": kind}
    return {"type": kind, "shape": [-1, *value.shape[1:]]}


def _to_field(value, described):
    if described["type"] == "string":
        return value.item()
    if described["type"] == "bytes":
        return value.tobytes()
    value = value.astype(described["type"], copy=False)
    return value if "shape" in described else value.item()
