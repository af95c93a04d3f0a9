"""The summary of a check: shares of names and files, and the missing names that block the most files."""

import collections
import dataclasses

from ..wording import number
from .standing import DIFFERENT, MISSING

_MOST = 10


@dataclasses.dataclass
class Summary:
    """Counts of a check.

    Attributes:
        files, readable, whole (int): all files; those that use MindSpore and could be read; those of them with every
        name available.
        names (dict): the kind of standing, by MindSpore name.
        unlocking (list of tuple): for the missing names that most files need: the name, in how many files it is
            missing, in how many nothing else is, and the remark.
        gone (dict): for ``"MindSpore"``, ``"NumPy"`` and ``"Python"``, the names they have removed, and whether msgrad
            has them nevertheless.
        unreadable (int): files that are not valid Python.
    """

    files: int
    readable: int
    whole: int
    names: dict[str, str]
    unlocking: list[tuple[str, int, int, str]]
    gone: dict[str, dict[str, bool]]
    unreadable: int

    def is_missing_something(self):
        """Whether a program is expected to fail because a name is missing."""
        return bool(self.unlocking or self.unreadable)

    def as_data(self):
        """The summary as JSON data."""
        counts = collections.Counter(self.names.values())
        return {
            "files": self.files,
            "files_that_use_mindspore": self.readable,
            "files_with_every_name": self.whole,
            "files_unreadable": self.unreadable,
            "names": len(self.names),
            "names_missing": counts[MISSING],
            "names_with_a_difference": counts[DIFFERENT],
            "unlocking": [
                dict(zip(("name", "files", "files_that_need_only_it", "note"), row, strict=True))
                for row in self.unlocking[:_MOST]
            ],
            "gone": self.gone,
        }

    def counts(self):
        """The counts as lines of text."""
        counts = collections.Counter(self.names.values())
        here = len(self.names) - counts[MISSING]
        lines = [f"{number(self.files, 'file')} read, {self.readable} of them with MindSpore."]
        if self.names:
            lines += [
                f"{here} of {number(len(self.names), 'MindSpore name')} here ({_share(here, len(self.names))}), "
                f"{counts[DIFFERENT]} of them with a difference.",
                f"{self.whole} of {number(self.readable, 'file')} with every name "
                f"({_share(self.whole, self.readable)}).",
            ]
        if self.unreadable:
            lines.append(f"{number(self.unreadable, 'file')} that cannot be read as Python.")
        for owner, names in self.gone.items():
            nevertheless = f"{sum(names.values())} of them here nevertheless"
            lines.append(f"{number(len(names), 'name')} gone from {owner}, {nevertheless}.")
        return lines

    def text(self):
        """The counts, and the names that block the most files, as text."""
        lines = self.counts()
        if self.unlocking:
            lines += ["", "Names that would unlock most (files that miss it; that miss nothing else):"]
            lines += [f"{files:6} {alone:6}  {name}" for name, files, alone, _ in self.unlocking[:_MOST]]
        return "\n".join(lines)


def summary(judged):
    """The `Summary` of ``(source, [(use, standing), ...])`` of each file."""
    names, notes, gone = {}, {}, {}
    missing_by_file = []
    readable = whole = unreadable = 0
    for source, uses in judged:
        unreadable += source.error is not None
        ours = [verdict for _, verdict in uses if verdict.name.startswith("mindspore")]
        names.update((verdict.name, verdict.kind) for verdict in ours)
        missing = {
            verdict.name: verdict.note for use, verdict in uses if verdict.kind == MISSING and not use.is_guarded
        }
        notes.update(missing)
        missing_by_file.append(set(missing))
        readable += bool(ours)
        whole += bool(ours) and not missing
        for _, verdict in uses:
            if verdict.gone_from is not None:
                gone.setdefault(verdict.gone_from, {})[verdict.name] = verdict.kind != MISSING
    return Summary(len(judged), readable, whole, names, _unlocking(missing_by_file, notes), gone, unreadable)


def _unlocking(missing_by_file, notes):
    needed = collections.Counter(name for missing in missing_by_file for name in missing)
    alone = collections.Counter(name for missing in missing_by_file if len(missing) == 1 for name in missing)
    rows = [(name, needed[name], alone[name], notes[name]) for name in needed]
    return sorted(rows, key=lambda row: (-row[1], -row[2], row[0]))


def _share(part, whole):
    return f"{part / whole:.1%}"
