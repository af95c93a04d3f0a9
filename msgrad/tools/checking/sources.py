"""Finds Python files and notebooks under paths, and the names that each uses."""

import concurrent.futures
import dataclasses
import gc
import json
import multiprocessing
import os
import pathlib
import re
import warnings

from . import cache
from .syntax import names_used

_SUFFIXES = (".py", ".ipynb")
_WORTH_A_PROCESS = 400  # files; starting a process takes as long as reading about this many
_PYTHON_MAGICS = re.compile(r"%%(time|timeit|capture|prun)\b.*")
# Lines of a notebook that IPython handles: shell commands, magics, ``?`` help; also on the right of an assignment.
_MAGIC_LINE = re.compile(r"^(\s*)(?:[%!?].*|[\w.*]+\?\??\s*)$", re.MULTILINE)
_MAGIC_VALUE = re.compile(r"^(\s*[\w., ]+=\s*)[%!].*$", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Use:
    """A use of a name, with its location.

    Attributes:
        line (int): in the file, or in the cell.
        cell (int | None): the cell of a notebook, counted from 1.
        name (str): the dotted name, including its module.
        is_guarded (bool): whether the program handles the case that the name is missing.
        when (int): when the line runs: ``syntax.AT_IMPORT``, ``IN_BRANCH`` or ``LATER``.
        instead (tuple of str): names that the program takes instead, or that it takes this one instead of: where all
            of them exist, it does not matter that this one is missing.
    """

    line: int
    cell: int | None
    name: str
    is_guarded: bool
    when: int
    instead: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Import:
    """An import that runs, unguarded, when its file is imported.

    Attributes:
        line (int): in the file, or in the cell.
        level (int): the number of dots before the module.
        module (str): the dotted name; empty in ``from . import a``.
        names (list of str): the names imported from the module.
        when (int): ``syntax.AT_IMPORT`` or ``IN_BRANCH``.
    """

    line: int
    level: int
    module: str
    names: list[str]
    when: int


@dataclasses.dataclass(frozen=True)
class Source:
    """A file: the names it uses and the imports it runs, or the error of reading it."""

    path: str
    uses: list[Use]
    error: str | None = None
    imports: list[Import] = dataclasses.field(default_factory=list)


def files_under(paths):
    """The Python files and notebooks among or below ``paths``, without hidden folders, sorted."""
    files = []
    for path in paths:
        if os.path.isdir(path):
            for folder, folders, names in os.walk(path):
                folders[:] = [name for name in folders if name[0] != "." and name != "__pycache__"]
                files += [os.path.join(folder, name) for name in names if name.endswith(_SUFFIXES)]
        else:
            files.append(path)
    return sorted(dict.fromkeys(files))


def read_all(files, roots, progress):
    """A `Source` for each of the files, in order; those that have not changed since the last check are cached.

    ``progress`` is a `Progress` that is told how many have been read.
    """
    cached_files = cache.Cache(roots)
    contents = {file: cached_files.read(file) for file in files}
    unknown = [file for file, content in contents.items() if content is None]
    sources = {file: _from_data(file, content) for file, content in contents.items() if content is not None}
    for count, (file, source) in enumerate(zip(unknown, _read_anew(unknown, roots), strict=True), 1):
        sources[file] = source
        cached_files.write(file, _as_data(source))
        progress.at(f"{count} of {len(unknown)} files read", count / len(unknown))
    cached_files.save()
    return [sources[file] for file in files]


def _as_data(source):
    return [list(map(dataclasses.astuple, source.uses)), source.error, list(map(dataclasses.astuple, source.imports))]


def _from_data(file, content):
    uses, error, imports = content
    uses = [Use(*use, tuple(instead)) for *use, instead in uses]
    return Source(file, uses, error, [Import(*each) for each in imports])


def _read_anew(files, roots):
    """Yields a `Source` for each of the files, in order; several processes share many files."""
    workers = min(os.cpu_count() or 1, len(files) // _WORTH_A_PROCESS)
    if workers < 2:
        yield from (read(file, roots) for file in files)
        return
    context = multiprocessing.get_context("spawn")  # JAX has threads, which do not survive a fork
    # Syntax trees have no cycles: disabling the cycle collector saves a tenth of the time.
    with concurrent.futures.ProcessPoolExecutor(workers, context, gc.disable) as pool:
        yield from pool.map(read, files, [roots] * len(files), chunksize=50)


def read(file, roots):
    """The `Source` of one file."""
    try:
        text = pathlib.Path(file).read_bytes()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings about invalid escapes in the checked program
            if file.endswith(".ipynb"):
                return Source(file, *_of_notebook(text, roots))
            uses, imports = names_used(text, roots)
            return Source(file, [_use(*use) for use in uses], imports=[Import(*each) for each in imports])
    except SyntaxError as error:
        return Source(file, [], f"{error.msg} (line {error.lineno})" if error.lineno else str(error))
    except (OSError, ValueError) as error:
        return Source(file, [], str(error))


def _use(line, name, is_guarded, when, instead, cell=None):
    return Use(line, cell, name, is_guarded, when, instead)


def _of_notebook(text, roots):
    """The uses and imports in its cells, read as one text, since a cell uses the imports of others."""
    lines, cell_lines = [], []
    for number, cell in enumerate(_code_cells(json.loads(text)), 1):
        code = _without_magics(cell).splitlines()
        lines += code
        cell_lines += [(number, line) for line in range(1, len(code) + 1)]
    try:
        uses, imports = names_used("\n".join(lines), roots)
    except SyntaxError as error:
        if error.lineno:
            number, line = cell_lines[min(error.lineno, len(cell_lines)) - 1]
            raise SyntaxError(f"{error.msg} (cell {number}, line {line})") from None
        raise
    uses = [_use(cell_lines[line - 1][1], *rest, cell=cell_lines[line - 1][0]) for line, *rest in uses]
    return uses, None, [Import(cell_lines[line - 1][1], *rest) for line, *rest in imports]


def _code_cells(notebook):
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError("it is not a notebook of version 4")
    for cell in cells:
        if cell.get("cell_type") == "code":
            yield "".join(cell.get("source", []))


def _without_magics(code):
    if code.startswith("%%"):
        first, newline, rest = code.partition("\n")
        if _PYTHON_MAGICS.fullmatch(first) is None:
            return ""
        code = f"pass{newline}{rest}"
    return _MAGIC_VALUE.sub(r"\1None", _MAGIC_LINE.sub(r"\1pass", code))
