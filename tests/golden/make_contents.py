"""Writes down which file has each operation, layer and public name: run it when one is added, renamed or moved.

    python -m tests.golden.make_contents

`msgrad`, `msgrad.ops` and `msgrad.nn` import a file when one of its names is first asked for, so they must know which
it is. `tests/test_contents.py` fails where what is written is not what the files have.
"""

import collections
import importlib
import pathlib
import pkgutil
import sys
import textwrap
import types

ROOT = pathlib.Path(__file__).resolve().parents[2] / "msgrad"
STARRED = ("_compat.left_out", "_compat.modules.rewrite", "_compat.modules.safeguard", "parallel", "runtime", "train")
PREFIX = "msgrad.ops."
TABLES = ("FUNCTIONS", "PRIMITIVES", "METHODS", "OPERATORS", "COO_METHODS", "CSR_METHODS")
HEAD = '''"""Which names each file of ``{package}`` has, so that it is imported when one is first asked for.

`tests.golden.make_contents` writes it.
"""
'''


def written():
    """What the files define.

    Returns:
        dict of str by pathlib.Path: the text of each table of contents.
    """
    _import_nothing_yet()
    tables = {name: collections.defaultdict(list) for name in TABLES}
    _note_definitions(tables)
    for file in _files("ops"):
        importlib.import_module(PREFIX + file)
    del sys.modules["msgrad.ops"]  # from here on the real one
    layers = {file: _public("nn." + file) for file in _files("nn")}
    for file, names in layers.items():
        members = vars(sys.modules[f"msgrad.nn.{file}"])
        vars(sys.modules["msgrad.nn"]).update({name: members[name] for name in names})
    names = {file: _public(file) for file in STARRED}
    return {
        ROOT / "_names/contents.py": _text("msgrad", {"NAMES": names}),
        ROOT / "ops/_core/contents.py": _text("msgrad.ops", tables),
        ROOT / "nn/_contents.py": _text("msgrad.nn", {"LAYERS": layers}),
    }


def _public(path):
    return getattr(importlib.import_module(f"msgrad.{path}"), "__all__", ())


def _import_nothing_yet():
    """Makes ``msgrad`` and its ``ops`` packages whose files are imported one by one, by empty tables of contents."""
    for name, folder in (("msgrad", ROOT), ("msgrad.ops", ROOT / "ops")):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = [str(folder)]
        sys.modules[name].__file__ = str(folder / "__init__.py")
    for name in ("msgrad._names.contents", "msgrad.ops._core.contents", "msgrad.nn._contents"):
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(dict.fromkeys((*TABLES, "LAYERS", "NAMES"), {}))


def _note_definitions(tables):
    """Makes the tables of operations enter each name that is defined in ``tables`` too, by file."""
    from msgrad.ops._core import faces
    from msgrad.ops._core.tables import Table

    notes = {id(getattr(faces, name)): noted for name, noted in tables.items()}
    define = Table.define

    def define_and_note(table, name, make):
        file = _file_being_run()
        if id(table) in notes and "." not in name and file.startswith(PREFIX):  # a dot: a file's own function
            notes[id(table)][file.removeprefix(PREFIX)].append(name)
        define(table, name, make)

    Table.define = define_and_note


def _file_being_run():
    frame = sys._getframe()
    while frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return frame.f_globals["__name__"]


def _files(package):
    """The modules of a package, and of its rooms, by their names below it."""
    for found in pkgutil.iter_modules([str(ROOT.joinpath(*package.split(".")))]):
        if found.ispkg:
            if found.name not in ("_core", "_cell", "probability"):
                yield from (f"{found.name}.{each}" for each in _files(f"{package}.{found.name}"))
        elif found.name != "_contents":
            yield found.name


def _text(package, tables):
    lines = [HEAD.format(package=package)]
    for table, files in tables.items():
        lines.append(f"{table} = {{")
        for file, names in sorted(files.items()):
            if names:
                lines += _entry(file, sorted(names))
        lines.append("}  # fmt: skip\n")
    return "\n".join(lines).rstrip() + "\n"


def _entry(file, names):
    whole = f'    "{file}": "{" ".join(names)}",'
    if len(whole) <= 120:
        return [whole]
    parts = textwrap.wrap(" ".join(names), 108)
    parts = [f'        "{part} "' for part in parts[:-1]] + [f'        "{parts[-1]}",']
    return [f'    "{file}":', *parts]


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text)
