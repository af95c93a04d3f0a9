"""The default report of a check, one screen: the verdict, what stops imports, what is missing most, packages."""

import textwrap

from ..wording import number
from .importing import stops_import
from .packages import distribution
from .standing import MISSING
from .syntax import AT_IMPORT

_MOST, _FEW = 10, 5  # entries of a section
_WIDTH = 120

_MSG_NO_FILES = "There is no Python file or notebook."
_MSG_FINE = "No name is missing"
_MSG_FAIL = "{} of {} fail{}"
_MSG_STOP = "{} stop{} at a missing name"
_MSG_LATER = "No import fails, but {} use{} a missing name on a line that runs later"
_MSG_UNREADABLE = "{} cannot be read as Python"
_MSG_PACKAGES = "{} {} not installed"
_PACKAGES = "Packages that are not installed, and how many files import them:"
_MSG_MORE = "    ... and {} more"
_MSG_LISTS = "`--missing-only` lists what is missing with its lines, `--all` every name, `--json` is for programs."


def overview(imports, judged, totals, packages):
    """The report, as text.

    Args:
        imports (list): what ``importing.imports`` returns.
        judged (list): ``(source, [(use, standing), ...])`` of each file.
        totals (Summary): the counts.
        packages (dict): what ``packages.not_installed`` returns.
    """
    if not judged:
        return _MSG_NO_FILES
    unreadable = [f"{source.path}: {source.error}" for source, _ in judged if source.error is not None]
    stopped = [_stopped(name, stops[-1]) for name, stops in imports if stops]
    width = max([len(str(row[1])) for row in totals.unlocking], default=0)
    missing = [f"{files:{width}}  {name}: {note}" for name, files, _, note in totals.unlocking]
    parts = [
        [_verdict(imports, judged, packages), *totals.counts()],
        _section("Files that cannot be read:", unreadable, _FEW),
        _section("What stops an import:", stopped, _FEW),
        _section("Missing names, and in how many files:", missing, _MOST),
        _packages(packages),
        [_MSG_LISTS],
    ]
    return "\n\n".join(["\n".join(part) for part in parts if part])


def _verdict(imports, judged, packages):
    failing = [name for name, stops in imports if any(stop.is_certain for stop in stops)]
    missing = [[use for use, verdict in uses if verdict.kind == MISSING and not use.is_guarded] for _, uses in judged]
    stopped = [uses for _, uses in judged if any(stops_import(*use) and use[0].when == AT_IMPORT for use in uses)]
    unreadable = [source for source, _ in judged if source.error is not None]
    sentences = []
    if failing:
        sentences.append(_MSG_FAIL.format(len(failing), number(len(imports), "import"), _s(failing)))
    elif stopped:
        sentences.append(_MSG_STOP.format(number(len(stopped), "file"), _s(stopped)))
    elif any(missing):
        later = list(filter(None, missing))
        sentences.append(_MSG_LATER.format(number(len(later), "file"), _s(later)))
    elif not unreadable:
        sentences.append(_MSG_FINE)
    if unreadable:
        sentences.append(_MSG_UNREADABLE.format(number(len(unreadable), "file")))
    if packages:
        sentences.append(_MSG_PACKAGES.format(number(len(packages), "package"), "is" if len(packages) == 1 else "are"))
    return f"{'; '.join(sentences)}."


def _s(subjects):
    """The ending of the verb of these subjects."""
    return "s" if len(subjects) == 1 else ""


def _section(title, entries, most):
    if not entries:
        return []
    more = [_MSG_MORE.format(len(entries) - most)] if len(entries) > most else []
    return [title, *[f"    {_shortened(entry)}" for entry in entries[:most]], *more]


def _packages(packages):
    if not packages:
        return []
    entries = [f"{_installable(name)} {len(files)}" for name, files in packages.items()]
    more = [f"and {len(entries) - _MOST} more"] if len(entries) > _MOST else []
    text = ", ".join(entries[:_MOST] + more)
    lines = textwrap.wrap(text, _WIDTH - 4, break_long_words=False, break_on_hyphens=False)
    return [_PACKAGES, *[f"    {line}" for line in lines]]


def _shortened(line):
    return line if len(line) <= _WIDTH - 4 else f"{line[: _WIDTH - 8].rpartition(' ')[0]} ..."


def _stopped(name, stop):
    if stop.use is None:
        return f"{name}: {stop.source.path}: {stop.source.error}"
    may = "" if stop.is_certain else "perhaps, in a branch, "
    return f"{name}: {may}{stop.source.path}:{stop.use.line}: {stop.known.name}: {stop.known.note}"


def _installable(name):
    return name if distribution(name) == name else f"{name} (pip install {distribution(name)})"
