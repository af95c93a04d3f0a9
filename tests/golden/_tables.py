"""Writes the figures of tables of rows, one JSON file for each table: what `make_ops` and `make_layers` share."""

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
            rows = [f"{json.dumps(name)}: {json.dumps(golden[name])}" for name in kept]
            path.write_text("{\n" + ",\n".join(rows) + "\n}\n")


def _reporter(name):
    return lambda text: sys.stderr.write(f"{name}: {text}\n")
