"""The line that stops ``import X``: the missing names on the lines that the import of a checked package runs."""

import dataclasses
import os
from typing import Any

from .sources import Source, Use
from .standing import Standing
from .syntax import AT_IMPORT, LATER


@dataclasses.dataclass(frozen=True)
class Stop:
    """A line that stops an import.

    Attributes:
        source (Source): the file; one with an error stops the import itself.
        use, known: the use of the missing name and its standing, or None.
        is_certain (bool): whether the line runs at each import, and not only in a branch.
    """

    source: Source
    use: Use | None
    known: Standing | None
    is_certain: bool


def imports(paths, judged):
    """Finds what stops the imports of the packages and files in ``paths``.

    Args:
        paths (list of str): those of the command.
        judged (list): ``(source, [(use, standing), ...])`` of each file.
    Returns:
        list of (str, list of Stop): the dotted name to import, and the lines that stop it: none, the first line that
        certainly does, or also an earlier line in a branch that may.
    """
    tree = _Tree(judged)
    entries = dict.fromkeys(entry for path in paths for entry in tree.entries(os.path.abspath(path)))
    bases = list(dict.fromkeys(base for base, _ in entries))
    return [(".".join(parts), tree.stops(base, parts, bases)) for base, parts in entries]


class _Tree:
    """The checked files, as modules."""

    def __init__(self, judged):
        self._files = {os.path.abspath(source.path): (source, uses) for source, uses in judged}

    def entries(self, path):
        """``(folder to import from, parts of the dotted name)`` of each module that a user may import from a path."""
        if path in self._files:
            yield from [_split(path.removesuffix(".py"))] if path.endswith(".py") else []
        elif self._is_package(path):
            yield _split(path)
        else:
            for folder in (path, os.path.join(path, "src")):
                names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
                yield from [(folder, (name,)) for name in names if self._is_package(os.path.join(folder, name))]

    def stops(self, base, parts, bases):
        """The `Stop` objects of an import, as ``imports`` describes them."""
        pending: list[Any] = [iter([(path, True) for path in self._modules(base, parts)])]
        reached, stops = {}, []
        while pending:
            event = next(pending[-1], None)
            if event is None:
                pending.pop()
            elif isinstance(event, Stop):
                if event.is_certain or not stops:
                    stops.append(event)
                if event.is_certain:
                    break
            else:
                path, is_certain = event
                if path not in reached or (is_certain and not reached[path]):
                    reached[path] = is_certain
                    pending.append(self._events(path, is_certain, bases))
        return stops

    def _events(self, path, is_certain, bases):
        """The events of a file's import, in order: a `Stop`, or ``(path, is_certain)`` of another file it imports."""
        source, uses = self._files[path]
        if source.error is not None:
            yield Stop(source, None, None, is_certain)
        steps = [(use.line, 0, use, verdict) for use, verdict in uses if stops_import(use, verdict)]
        steps += [(each.line, 1, each, None) for each in source.imports]
        for _, is_import, step, verdict in sorted(steps, key=lambda step: step[:2]):
            is_sure = is_certain and step.when == AT_IMPORT
            if is_import:
                yield from [(file, is_sure) for file in self._imported(path, step, bases)]
            else:
                yield Stop(source, step, verdict, is_sure)

    def _imported(self, path, step, bases):
        """The checked files that an import statement runs."""
        module = step.module.split(".") if step.module else []
        folder = os.path.dirname(path)
        if step.level:
            for _ in range(step.level - 1):
                folder = os.path.dirname(folder)
            candidates = [folder]
        else:
            candidates = [_base(folder), *bases]
        for base in candidates:
            files = self._modules(base, module)
            within = os.path.join(base, *module)
            files += [file for name in step.names for file in self._modules(within, [name])]
            if files:
                return files
        return []

    def _modules(self, base, parts):
        """The files of a dotted name and of the packages that contain it."""
        files = []
        for part in parts:
            base = os.path.join(base, part)
            files += [file for file in (os.path.join(base, "__init__.py"), f"{base}.py") if file in self._files][:1]
        return files

    def _is_package(self, folder):
        return os.path.join(folder, "__init__.py") in self._files


def stops_import(use, verdict):
    """Whether a use runs when its file is imported, and its name is missing and not guarded by the program."""
    return not (verdict.is_importable or use.is_guarded or use.when == LATER)


def _base(folder):
    """The folder that packages are imported from, for a file in ``folder``."""
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder = os.path.dirname(folder)
    return folder


def _split(path):
    """``(folder to import from, parts of the dotted name)`` of a package's folder, or of a file without its suffix."""
    folder, name = os.path.split(path)
    if name == "__init__":
        return _split(folder)
    base = _base(folder)
    return base, tuple([*os.path.relpath(folder, base).split(os.sep), name] if folder != base else [name])
