"""Reads and writes one MindRecord file of a dataset, with its index.

A file begins with a header of fixed size: the length of a JSON text (64 bits, little endian) and the text. Pages of
equal size follow, which hold either blob parts or raw parts of rows. The index, an SQLite database of the same name and
``.db``, has for each row the pages and positions of its parts, and the index fields.
"""

import contextlib
import json
import os
import shutil
import sqlite3
import stat
import struct

from ..train._files.atomic import replacing
from . import config, encryption, rows
from .header import LARGEST, checked
from .index import entries

HEADER_SIZE = 16 << 20
PAGE_SIZE = 32 << 20
_TYPES = {"int32": "INTEGER", "int64": "INTEGER", "float32": "NUMERIC", "float64": "NUMERIC", "string": "TEXT"}
_PLACES = (
    "ROW_ID", "PAGE_ID_RAW", "PAGE_OFFSET_RAW", "PAGE_OFFSET_RAW_END", "ROW_GROUP_ID", "PAGE_ID_BLOB",
    "PAGE_OFFSET_BLOB", "PAGE_OFFSET_BLOB_END",
)  # fmt: skip
_SIX_PLACES = [name for name in _PLACES if name.startswith("PAGE")]


class ShardWriter:
    """Writes the rows of one file.

    Args:
        path (str): the path of the file.
        schema (dict): for each field, ``type`` and perhaps ``shape``.
        index_fields (list[str]): the fields that are also in the index.
        header_size, page_size (int): in bytes.
        before (ShardReader): the existing file, to append to. Default: ``None``, a new file.
    """

    def __init__(self, path, schema, index_fields, header_size=HEADER_SIZE, page_size=PAGE_SIZE, before=None):
        self.path, self.schema, self.index_fields = path, schema, index_fields
        self.header_size, self.page_size = header_size, page_size
        self.blob_fields = sorted(name for name, each in schema.items() if each["type"] == "bytes" or "shape" in each)
        self.pages, self.entries, self.saved = [], [], 0
        self._current = {}  # the page being filled, by type
        try:
            if before is not None:
                before.uncover()
            self._file = open(path, "r+b" if before else "wb")  # noqa: SIM115
        except OSError as error:
            raise RuntimeError(f"For 'FileWriter', the file {path} cannot be opened: {error}.") from error
        if before is not None:
            columns = [*_PLACES, *[f"{name}_0" for name in index_fields]]
            self.pages, self.entries = before.header["page"], before.entries(columns)
            self.saved = before.header["compression_size"]

    def write(self, row):
        """Adds a row (dict by field)."""
        blob, saved = rows.blob(
            [row[name] for name in self.blob_fields], [self.schema[name] for name in self.blob_fields]
        )
        raw = rows.raw({name: row[name] for name in self.schema if name not in self.blob_fields})
        self.saved += saved
        number = len(self.entries)
        blob_page, blob_start = self._place("BLOB_DATA", rows.with_length(blob))
        group = blob_page["row_group_ids"][0]["id"]
        raw_page, raw_start = self._place("RAW_DATA", rows.with_length(raw))
        if all(each["id"] != group for each in raw_page["row_group_ids"]):
            raw_page["row_group_ids"].append({"id": group, "offset": raw_start})
        blob_page["end_row_id"] = number + 1
        entry = (number, raw_page["page_id"], raw_start, raw_page["page_size"], group)
        entry += (blob_page["page_id"], blob_start, blob_page["page_size"])
        self.entries.append((*entry, *[row[name] for name in self.index_fields]))

    def _place(self, kind, data):
        """Writes to the current page of a type, or to a new one; returns the page and the position in it."""
        page = self._current.get(kind)
        if len(data) > self.page_size:
            raise RuntimeError(
                f"For 'FileWriter', a row has {len(data)} bytes, but a page {self.page_size}: use set_page_size."
            )
        if page is None or page["page_size"] + len(data) > self.page_size:
            page = self._new_page(kind)
        start = page["page_size"]
        self._file.seek(self.header_size + page["page_id"] * self.page_size + start)
        self._file.write(data)
        page["page_size"] += len(data)
        return page, start

    def _new_page(self, kind):
        same = sum(page["page_type"] == kind for page in self.pages)
        page = {"page_id": len(self.pages), "page_type": kind, "page_type_id": same, "page_size": 0, "shard_id": 0}
        page |= {"start_row_id": 0, "end_row_id": 0, "row_group_ids": []}
        if kind == "BLOB_DATA":
            page |= {"start_row_id": len(self.entries), "row_group_ids": [{"id": same, "offset": 0}]}
        self._current[kind] = page
        self.pages.append(page)
        return page

    def commit(self, number, addresses, description):
        """Writes the header and the index: the file is shard ``number`` (int) of those named ``addresses``."""
        for page in self.pages:
            page["shard_id"] = number
        index = [{"index_field": name, "schema_id": 0} for name in self.index_fields]
        header = {
            "header_size": self.header_size,
            "index_fields": index or None,
            "page": self.pages,
            "page_size": self.page_size,
            "compression_size": self.saved,
            "schema": [{"blob_fields": self.blob_fields, "desc": description, "schema": self.schema}],
            "shard_addresses": addresses,
            "shard_id": number,
            "statistics": None,
            "version": "3.0",
        }
        text = json.dumps(header, separators=(",", ":")).encode()
        if len(text) + 8 > self.header_size:
            raise RuntimeError("For 'FileWriter', the header is too small: call set_header_size before.")
        self._file.seek(0)
        self._file.write(struct.pack("<Q", len(text)) + text)
        self._file.seek(0, os.SEEK_END)
        self._file.write(bytes(max(0, self.header_size - self._file.tell())))
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._write_index()
        encryption.encrypt(self.path)
        encryption.encrypt(f"{self.path}.db")

    def _write_index(self):
        path = f"{self.path}.db"
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)
        kinds = [(f"{name}_0", _TYPES[self.schema[name]["type"]]) for name in self.index_fields]
        columns = [f"{name} INT NOT NULL" for name in _PLACES]
        columns += [f"INC_{index} INT, {name} {kind}" for index, (name, kind) in enumerate(kinds)]
        keys = ", ".join(["ROW_ID", *[f"INC_{index}" for index in range(len(kinds))]])
        marks = ", ".join(["?"] * len(_PLACES) + ["0, ?"] * len(kinds))
        with contextlib.closing(sqlite3.connect(path)) as database, database:
            database.execute(f"CREATE TABLE INDEXES({', '.join(columns)}, PRIMARY KEY({keys}))")
            database.execute("CREATE TABLE SHARD_NAME(NAME TEXT NOT NULL)")
            database.execute("INSERT INTO SHARD_NAME VALUES(?)", (os.path.basename(self.path),))
            database.executemany(f"INSERT INTO INDEXES VALUES({marks})", self.entries)


class ShardReader:
    """Reads the rows of one file; it may be used by several threads.

    Args:
        path (str): of the file.
    Raises:
        RuntimeError: if there is no such file, or it is not a MindRecord file, or its index is missing.
    Attributes:
        header (dict): as `ShardWriter` writes it.
        schema (dict): by field.
        shards (list[str]): the names of the files of the dataset.
    """

    def __init__(self, path):
        self.path = path
        if not os.path.isfile(path):
            raise RuntimeError(f"The input: {path} is not exists, or is no file that can be read.")
        self._file = encryption.opened(path)
        self.size = os.fstat(self._file.fileno()).st_size
        try:
            self._index = self._read_index()
            self.header = checked(self._read_header())
            described = self.header["schema"][0]
            self.schema, self.blob_fields = described["schema"], described["blob_fields"]
            self._base, self._page_size = self.header["header_size"], self.header["page_size"]
            self._described = [self.schema[name] for name in self.blob_fields]
            self.shards = [os.path.basename(each) for each in self.header["shard_addresses"]]
            self._places = self.entries(_SIX_PLACES)
        except (KeyError, TypeError, IndexError, ValueError, RecursionError, sqlite3.Error) as error:
            self._file.close()
            raise self._damaged(error) from error

    def __del__(self):
        # AttributeError: the constructor raised before the file was open.
        with contextlib.suppress(AttributeError, OSError):
            self._file.close()

    def __len__(self):
        return len(self._places)

    def _damaged(self, reason):
        return RuntimeError(
            f"The file {self.path} is not a MindRecord file, or damaged, or without its index: {reason}."
        )

    def _read_header(self):
        length = struct.unpack("<Q", os.pread(self._file.fileno(), 8, 0).ljust(8, b"\0"))[0]
        if not 0 < length <= min(self.size - 8, LARGEST):
            raise ValueError("there is no header")
        return json.loads(os.pread(self._file.fileno(), length, 8))

    def _read_index(self):
        """The decrypted index (bytes) if it is encrypted, else None: the index is read from its file."""
        if not os.path.isfile(f"{self.path}.db"):
            raise ValueError(f"there is no {self.path}.db")
        with encryption.opened(f"{self.path}.db") as file:
            return None if config.key() is None else file.read()

    def uncover(self):
        """Replaces an encrypted file by its plain form, to append to."""
        if self._index is None:
            return
        self._file.seek(0)
        with replacing(self.path, stat.S_IRUSR | stat.S_IWUSR) as file:
            shutil.copyfileobj(self._file, file)

    def entries(self, columns):
        """The rows of the index, as tuples of the given columns."""
        return entries(f"{self.path}.db", self._index, columns)

    def row(self, number, wanted=None):
        """A row as a dict by field.

        Args:
            number (int): the number of the row.
            wanted (collection): the fields to read. Default: ``None``, all.
        Raises:
            RuntimeError: if the file is damaged.
        """
        raw_page, raw_start, raw_end, blob_page, blob_start, blob_end = self._places[number]
        try:
            values = rows.read_raw(self._part(raw_page, raw_start, raw_end))
            if self.blob_fields and (wanted is None or not set(self.blob_fields).isdisjoint(wanted)):
                part = self._part(blob_page, blob_start, blob_end)
                values |= dict(zip(self.blob_fields, rows.read_blob(part, self._described), strict=True))
        except (KeyError, TypeError, ValueError) as error:
            raise self._damaged(f"row {number}") from error
        for name in self.schema if wanted is None else wanted:
            if name not in values or not rows.fits(values[name], self.schema[name]):
                raise self._damaged(f"row {number} has no '{name}' of the type {self.schema[name]['type']}")
        return {name: values[name] for name in self.schema if name in values}

    def _part(self, page, start, end):
        offset, length = self._base + page * self._page_size + start + 8, end - start - 8
        if not 0 <= length <= self.size - offset or offset < 0:
            raise rows.DamagedError
        return os.pread(self._file.fileno(), length, offset)


def shards_of(path):
    """Readers of all files of the dataset of ``path``, as listed in its header."""
    first, folder = ShardReader(path), os.path.dirname(path)
    return [
        first if name == os.path.basename(path) else ShardReader(os.path.join(folder, name)) for name in first.shards
    ]
