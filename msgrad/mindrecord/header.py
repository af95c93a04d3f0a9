"""Checks the header of a MindRecord file, untrusted JSON: everything the reader relies on is checked once."""

LARGEST = 128 << 20  # bytes, the most that `set_header_size` takes
_MOST_FILES = 1000  # of one dataset, the most that `FileWriter` takes
_LARGEST_SIZE = 1 << 40
_PAGE_TYPES = ("RAW_DATA", "BLOB_DATA")
_TYPES = ("bytes", "string", "int32", "int64", "float32", "float64")


def checked(header):
    """Checks a header and returns it in the form that `ShardWriter` writes.

    Args:
        header (object): the decoded JSON text of the file.
    Raises:
        ValueError: if it is none.
    """
    _require(isinstance(header, dict), "the header is not an object")
    for name in ("header_size", "page_size"):
        _require(_is_natural(header.get(name)) and header[name] <= _LARGEST_SIZE, f"its {name!r} is not a size")
    described = header.get("schema")
    _require(isinstance(described, list) and described and isinstance(described[0], dict), "its 'schema' is not a list")
    schema, blobs = described[0].get("schema"), described[0].get("blob_fields")
    _require(isinstance(schema, dict) and all(map(_is_field, schema.values())), "its 'schema' has other types")
    _require(_are_names(blobs), "its 'blob_fields' are no names")
    _require(set(blobs) == {name for name, each in schema.items() if _is_blob(each)}, "its 'blob_fields' are others")
    files = header.get("shard_addresses")
    _require(_are_names(files) and 0 < len(files) <= _MOST_FILES, "its 'shard_addresses' are no names of files")
    index = header.get("index_fields") or []
    _require(
        isinstance(index, list) and all(isinstance(each, dict) for each in index), "its 'index_fields' are not a list"
    )
    names = [each.get("index_field") for each in index]
    _require(_are_names(names) and set(names) <= set(schema), "its 'index_fields' are no fields")
    return header


def check_appended(header):
    """Checks a header, already accepted by `checked`, for appending rows.

    Raises:
        ValueError: if it has no pages, no description, or not the number of bytes saved by compression.
    """
    pages = header.get("page")
    _require(isinstance(pages, list) and all(isinstance(each, dict) for each in pages), "its 'page' is not a list")
    _require(all(each.get("page_type") in _PAGE_TYPES for each in pages), "its 'page' has other types")
    _require(type(header.get("compression_size")) is int, "its 'compression_size' is not a number")
    _require(isinstance(header["schema"][0].get("desc"), str), "its 'schema' has no description")


def _require(is_right, sentence):
    if not is_right:
        raise ValueError(sentence)


def _is_natural(value):
    return type(value) is int and value > 0


def _are_names(value):
    return isinstance(value, list) and all(isinstance(each, str) for each in value) and len(set(value)) == len(value)


def _is_blob(field):
    return field["type"] == "bytes" or "shape" in field


def _is_field(field):
    if not isinstance(field, dict) or field.get("type") not in _TYPES:
        return False
    lengths = field.get("shape", [])
    is_shape = isinstance(lengths, list) and all(type(each) is int and each >= -1 for each in lengths)
    return is_shape and not ("shape" in field and field["type"] in ("bytes", "string"))
