"""Writes the figures of tables as JSON, a line for each row."""

import json
import os
import sys
import tempfile


def write_tables(names, tables, target, figures_of):
    """Writes ``target/TABLE.json`` for each table, in the order of its rows.

    Args:
        names (list[str]): rows or tables to compute anew; the figures of the others are kept. Empty: all.
        tables (dict): the rows of each table, which have a ``name``.
        target (pathlib.Path): an absolute path.
        figures_of (callable): of a row, a folder for temporary files, and a function that reports a text.
    """
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # MindSpore leaves files in its working folder
        sys.path.insert(0, folder)
        for table, cases in tables.items():
            path = target / f"{table}.json"
            golden = json.loads(path.read_text()) if names and path.exists() else {}
            for case in cases:
                if not names or case.name in names or table in names:
                    golden[case.name] = figures_of(case, folder, _reporter(case.name))
            kept = [case.name for case in cases if case.name in golden]
            path.write_text(_lines({name: golden[name] for name in kept}) + "\n")


def write_nested(path, tables):
    """Writes one file of several tables, dicts of rows by name."""
    parts = [f"{json.dumps(name)}: {_lines(rows)}" for name, rows in tables.items()]
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n")


def _lines(rows):
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()) + "\n}"


def _reporter(name):
    return lambda text: sys.stderr.write(f"{name}: {text}\n")
