"""The lists of a check: what stops the import, what is missing, and then the rest, one entry per name."""

import textwrap

from .differences import PAGE
from .importing import stops_import
from .standing import DIFFERENT, MISSING

_WIDTH = 120
_STOPS = "`import {}` stops at {}"
_MAY_STOP = "`import {}` may stop, in a branch, at {}"
_DOES_NOT_STOP = "`import {}`: no missing name stops it"
_AT_IMPORT = "Missing, on lines that run at import:"
_LATER = "Missing, on lines that run later, or raising only when called:"
_GUARDED = "Missing, in code that handles their absence:"
_DIFFERENT = f"Supported with a difference (lines of {PAGE}):"
_GONE = "Supported, though removed elsewhere:"
_HERE = "Supported:"


def print_report(imports, judged, missing_only):
    """Prints what stops the imports, and then the names, grouped by what the user must do.

    Args:
        imports (list): what ``importing.imports`` returns.
        judged (list): ``(source, [(use, standing), ...])`` of each file.
        missing_only (bool): whether to omit names that exist or are guarded.
    """
    for source, _ in judged:
        if source.error is not None:
            print(f"{source.path}: cannot be read: {source.error}")
    for name, stops in imports:
        for stop in stops:
            print((_STOPS if stop.is_certain else _MAY_STOP).format(name, _stop(stop)))
        if not stops:
            print(_DOES_NOT_STOP.format(name))
    sections = {title: {} for title in (_AT_IMPORT, _LATER, _GUARDED, _DIFFERENT, _GONE, _HERE)}
    for name, uses_of_name in _by_name(judged).items():
        sections[_section(uses_of_name)][name] = uses_of_name
    for title in list(sections)[: 2 if missing_only else None]:
        if sections[title]:
            print(f"\n{title}")
            for name, uses_of_name in sorted(sections[title].items()):
                print("\n".join(_entry(name, uses_of_name)))


def _stop(stop):
    if stop.use is None:
        return f"{stop.source.path}: {stop.source.error}"
    return f"{stop.source.path}:{stop.use.line}: {stop.known.name}: {stop.known.note}"


def _by_name(judged):
    """``[(source, use, standing), ...]`` of each name."""
    names = {}
    for source, uses in judged:
        for use, verdict in uses:
            names.setdefault(verdict.name, []).append((source, use, verdict))
    return names


def _section(uses_of_name):
    verdict = uses_of_name[0][2]
    uses = [use for _, use, _ in uses_of_name]
    if verdict.kind != MISSING:
        return _DIFFERENT if verdict.kind == DIFFERENT else _GONE if verdict.note else _HERE
    if all(use.is_guarded for use in uses):
        return _GUARDED
    return _AT_IMPORT if any(stops_import(use, verdict) for use in uses) else _LATER


def _entry(name, uses_of_name):
    verdict = uses_of_name[0][2]
    if verdict.kind == DIFFERENT:
        yield name
        for entry in verdict.differences:
            yield f"    {entry.sentence} ({PAGE.name}:{entry.line})"
    else:
        yield f"{name}: {verdict.note}" if verdict.note else name
    lines = {}
    for source, use, _ in uses_of_name:
        location = source.path if use.cell is None else f"{source.path}: cell {use.cell}, line "
        is_noted = use.is_guarded and verdict.kind == MISSING
        lines.setdefault(location, []).append(f"{use.line} (provided for)" if is_noted else str(use.line))
    text = "; ".join(f"{location}{'' if location[-1] == ' ' else ':'}{', '.join(at)}" for location, at in lines.items())
    yield textwrap.fill(
        text, _WIDTH, initial_indent="    ", subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
