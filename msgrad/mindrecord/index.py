"""Reads the index of a MindRecord file, an untrusted SQLite database, in bounded time and memory.

``INDEXES`` must be a table, since a view may have infinitely many rows; SQLite may read nothing else and call no
function; and the number of steps of its program is bounded by the size of the file.
"""

import contextlib
import os
import sqlite3
import urllib.parse

_STEPS = 1000  # steps between two calls of the progress handler
_FREE_STEPS, _STEPS_OF_A_BYTE = 100_000, 20  # a row takes about 20 steps and at least ten bytes


def entries(path, content, columns):
    """The rows of the index in the order of ``ROW_ID``, a list of tuples.

    Args:
        path (str): the path of the database.
        content (bytes | None): the database itself, if the file is encrypted.
        columns (sequence of str): the columns to read.
    Raises:
        sqlite3.Error: if it is not a database, has no such table or columns, or takes longer than a table of its size
            can.
    """
    size = os.path.getsize(path) if content is None else len(content)
    with contextlib.closing(_opened(path, content)) as database:
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(size, _FREE_STEPS))
        database.set_authorizer(_allowed)
        looks = iter(range((_FREE_STEPS + size * _STEPS_OF_A_BYTE) // _STEPS))
        database.set_progress_handler(lambda: next(looks, None) is None, _STEPS)
        if not _is_table(database):
            raise sqlite3.DatabaseError("INDEXES is not a table")
        names = ", ".join(f"`{name.replace('`', '``')}`" for name in columns)
        return database.execute(f"SELECT {names} FROM INDEXES ORDER BY ROW_ID").fetchall()


def _opened(path, content):
    if content is None:
        return sqlite3.connect(f"file:{urllib.parse.quote(path)}?mode=ro", uri=True)
    database = sqlite3.connect(":memory:")
    database.deserialize(content)
    return database


def _is_table(database):
    """Whether ``INDEXES`` is a table, not a view or a virtual table, which have no root page."""
    pages = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'INDEXES'").fetchall()
    return len(pages) == 1 and bool(pages[0][0])


def _allowed(action, table, column, database, source):
    is_read = action == sqlite3.SQLITE_READ and table in ("INDEXES", "sqlite_master") and source is None
    return sqlite3.SQLITE_OK if is_read or action == sqlite3.SQLITE_SELECT else sqlite3.SQLITE_DENY
