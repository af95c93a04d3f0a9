"""Reports of ``msgrad compare``: text, JSON, and a page with a plot."""

import html
import math

from .recordings import gradient_of, inputs_of
from .wording import number

_MSG_SAME = "No difference in {}."
_MSG_NOTHING = "Nothing was recorded: the program called no Cell, and functions are compared only inside Cells."
_MSG_ORDER = (
    "The program itself passed rows in another order: both sides have some of the same, in other calls or places. They "
    "shuffle or sample differently; set shuffle=False to compare the rest."
)
_MSG_DRAWN = (
    "The program itself passed different data, and the states of NumPy's or Python's random numbers differ at this "
    "call: the sides have drawn from them differently."
)
_MSG_DATA = (
    "The program itself passed different data, although NumPy's and Python's random numbers agree: it was computed "
    "otherwise before this call."
)
_MSG_FEW = (
    "The program itself passed different data, but only {:.1%} of the elements differ: the random draws agree, and the "
    "data was computed otherwise from them, as a decoder of images does at some pixels (docs/differences.md)."
)
_FEW = 0.1  # of the elements; other draws change most of them
_MSG_SUNK = "Sink mode: `msgrad run` makes one call of {} steps; here each step was a call, as in MindSpore on a CPU."
_MSG_CALLS = "The program was ended after its first {} outermost calls; `--calls` compares more."
_MSG_MADE_HERE = "Its inputs agree, so it arises inside this call."
_MSG_ROUNDING = (
    "Its gradient is only rounding error on both sides, {:.1g} at most, as for a bias before BatchNorm; optimizers "
    "such as Adam scale it up."
)
_MSG_BETWEEN = "All calls before it agree, so it arises in the code between them and this line."
_MSG_BACKWARD = "All values of the forward pass agree, so it arises in the backward pass after this output."
_SERIES = {  # of the plot: kinds, colour
    "inputs and outputs": (("input", "output"), "#2563eb"),
    "gradients": (("gradient", "parameter gradient"), "#d97706"),
    "Parameters": (("initial", "update"), "#059669"),
}
_WIDTH, _HEIGHT, _LEFT, _TOP = 900, 260, 60, 12
_LEAST, _MOST = -9.0, 1.0  # decades of the relative error in the plot


class Report:
    """The values of a program on two sides.

    Args:
        script (str): the program.
        ours, theirs (Recording): the two sides.
        values (list of ComparedValue): the result of `recordings.compared`.
        calls (int): how many outermost calls were recorded at most.
    """

    def __init__(self, script, ours, theirs, values, calls):
        self.script, self.ours, self.theirs, self.values, self.calls = script, ours, theirs, values, calls
        self.different = [value for value in values if value.problem]

    @property
    def is_same(self):
        return bool(self.values) and not self.different and len({_kind_of_error(side) for side in self._sides()}) == 1

    def _sides(self):
        return self.ours, self.theirs

    def as_json(self):
        """A dict of plain values."""
        return {
            "script": self.script,
            "ours": {key: self.ours.report[key] for key in ("version", "error", "calls")},
            "theirs": {key: self.theirs.report[key] for key in ("version", "error", "calls")},
            "copied": self.ours.report["copied"],
            "same": self.is_same,
            "first": self.different[0].as_json() if self.different else None,
            "values": [value.as_json() for value in self.values],
        }

    def text(self, has_all=False):
        """The report as text; with ``has_all``, preceded by a table of all values."""
        lines = self._table() if has_all else []
        lines += self._first() if self.different else [_MSG_SAME.format(number(len(self.values), "value"))]
        return "\n".join([*lines, *self._notes()])

    def _first(self):
        value = self.different[0]
        lines = [f"First difference: {value}", f"  {value.problem}"]
        for side, item in (("here ", value.ours), ("there", value.theirs)):
            if item is not None:
                lines.append(f"  {side}  {_described(item)}")
        hint = self._hint(value)
        rest = len(self.different) - 1
        return [
            *lines,
            *([f"  {hint}"] if hint else []),
            f"{rest} of the {len(self.values) - 1} other values differ, too.",
        ]

    def _hint(self, value):
        """A guess at the origin of the first difference, from the values around it."""
        kind = value.item["kind"]
        if kind == "input" and value.item["outermost"]:
            return self._hint_on_data(value)
        if kind == "input":
            return _MSG_BETWEEN
        if kind == "output" and not any(each.problem for each in inputs_of(value, self.values)):
            return _MSG_MADE_HERE
        if kind == "update":
            gradient = gradient_of(value, self.values)
            if gradient is not None and not gradient.problem and gradient.relative > 0.01:
                return _MSG_ROUNDING.format(gradient.error)
        return _MSG_BACKWARD if kind == "gradient" else ""

    def _hint_on_data(self, value):
        """A guess at why the data differ that the program itself passes: shuffles are named only with evidence."""
        if value.ours is not None and value.theirs is not None:
            ours, theirs = (_rows_of(side, value.item) for side in self._sides())
            if _is_reordered(ours, theirs, value.ours.get("rows"), value.theirs.get("rows")):
                return _MSG_ORDER
            if len({value.ours.get("drawn"), value.theirs.get("drawn")} - {None}) > 1:  # older recordings have None
                return _MSG_DRAWN
        if value.item["call"] > 1:
            return _MSG_BETWEEN
        return _MSG_FEW.format(value.share) if 0 < value.share < _FEW else _MSG_DATA

    def _notes(self):
        notes = [] if self.values else [_MSG_NOTHING]
        sunk = max(side.report.get("sunk", 0) for side in self._sides())
        if sunk > 1:
            notes.append(_MSG_SUNK.format(sunk))
        if max(side.report["calls"] for side in self._sides()) > self.calls:
            notes.append(_MSG_CALLS.format(self.calls))
        notes += self._errors()
        copied = self.ours.report["copied"]
        if copied:
            notes.append(f"{len(copied)} Parameters were initialised at random, and copied from there.")
        return [*notes, f"here: {self.ours.report['version']}; there: {self.theirs.report['version']}"]

    def _errors(self):
        """Lines about the exceptions that ended one side or both."""
        named = [(name, side) for name, side in (("here", self.ours), ("there", self.theirs)) if side.report["error"]]
        if len(named) == 2 and _kind_of_error(self.ours) == _kind_of_error(self.theirs):
            at = _at(self.ours)
            messages = dict.fromkeys([_first_line(side.report["error"]) for _, side in named])
            if len(messages) == 1:
                return [f"Both sides ended{at} with {next(iter(messages))}"]
            return [
                f"Both sides ended{at} with a {_kind_of_error(self.ours)}.",
                *map("  {0:5}  {1}".format, ("here", "there"), messages),
            ]
        return [
            f"The program ended with an error {name}{_at(side)}: {_first_line(side.report['error'])}"
            for name, side in named
        ]

    def _table(self):
        rows = [("", "error", "relative", "value")]
        for value in self.values:
            rows.append(("*" if value.problem else "", f"{value.error:.2g}", f"{value.relative:.2g}", str(value)))
        return [f"{mark:1} {error:>8} {relative:>8}  {name}" for mark, error, relative, name in rows] + [""]

    # -- the page ----------------------------------------------------------------------------------------------------

    def html(self):
        """The report as a self-contained HTML page: the first difference, the plot, and all values."""
        rows = []
        for value in self.values:
            cells = [str(value), f"{value.error:.2g}", f"{value.relative:.2g}", value.problem]
            style = ' class="differs"' if value.problem else ""
            rows.append(f"<tr{style}>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
        return _PAGE.format(
            title=html.escape(f"msgrad compare {self.script}"),
            text=html.escape(self.text()),
            plot=self._plot(),
            rows="\n".join(rows),
        )

    def _plot(self):
        """The relative error at each value, in the order of the program, as SVG."""
        step = (_WIDTH - _LEFT - 10) / max(1, len(self.values) - 1)
        marks = []
        for decade in range(int(_LEAST), int(_MOST) + 1, 2):
            y = _y(10.0**decade)
            marks.append(f'<line x1="{_LEFT}" x2="{_WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
            marks.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">1e{decade}</text>')
        for place_number, (name, (kinds, colour)) in enumerate(_SERIES.items()):
            points = [(k, each) for k, each in enumerate(self.values) if each.item["kind"] in kinds]
            xy = [(_LEFT + k * step, _y(each.relative)) for k, each in points]
            line = " ".join(f"{x:.1f},{y:.1f}" for x, y in xy)
            marks.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-opacity="0.4"/>')
            for (x, y), (_, each) in zip(xy, points, strict=True):
                radius, fill = (4, "#dc2626") if each.problem else (2, colour)
                label = html.escape(f"{each}: {each.relative:.2g}")
                marks.append(
                    f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}"><title>{label}</title></circle>'
                )
            x = _LEFT + place_number * 180
            marks.append(f'<text x="{x}" y="{_HEIGHT + 20}" fill="{colour}">{name}</text>')
        return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT + 30}" role="img">{"".join(marks)}</svg>'


def _kind_of_error(side):
    """The name of the exception that ended a side, or None."""
    error = side.report["error"]
    return error and error.partition(":")[0]


def _first_line(error):
    """An error without what follows in its text, as MindSpore's C++ frames do."""
    return error.partition("\n")[0]


def _at(side):
    place = side.report.get("place")
    return f" at {place}" if place else ""


def _rows_of(side, item):
    """The checksums of all rows of one input of a Cell, over all recorded calls."""
    same = [
        each
        for each in side.items
        if (each["kind"], each["path"], each["label"]) == ("input", item["path"], item["label"])
    ]
    return {row for each in same for row in each.get("rows", ())}


def _is_reordered(ours, theirs, mine, yours):
    """Whether two sides have rows in common, over all calls, that this call does not have at the same places."""
    moved = [row for row, other in zip(mine or (), yours or (), strict=False) if row != other]
    return bool(moved) and len(ours) > 1 and any(row in theirs for row in moved)


def _y(relative):
    """The y coordinate of a relative error on a logarithmic scale; 0 at the bottom, infinity at the top."""
    decade = _MOST if math.isinf(relative) else math.log10(relative) if relative > 0 else _LEAST
    share = (min(_MOST, max(_LEAST, decade)) - _LEAST) / (_MOST - _LEAST)
    return _TOP + (1.0 - share) * (_HEIGHT - 2 * _TOP)


def _described(item):
    statistics = item.get("statistics", {})
    names = [name for name in ("min", "max", "mean", "std") if name in statistics]
    numbers = "".join([f", {name} {statistics[name]:.6g}" for name in names])
    odd = f", {statistics['not finite']} not finite" if statistics.get("not finite") else ""
    return f"{item['dtype']}{tuple(item['shape'])}{numbers}{odd}"


_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1f2937 }}
pre {{ background: #f3f4f6; padding: 1rem; white-space: pre-wrap }}
svg {{ width: 100% }} svg text {{ font-size: 11px }}
table {{ border-collapse: collapse; width: 100% }}
td, th {{ text-align: left; padding: 0.2rem 0.6rem; border-top: 1px solid #e5e7eb }}
.differs {{ background: #fee2e2 }}
</style>
<h1>{title}</h1>
<pre>{text}</pre>
<h2>The error along the network</h2>
{plot}
<p>The largest relative error of each value, in the order of the program; red where it
differs. Point at a mark for its name.</p>
<h2>All values</h2>
<table>
<tr><th>value</th><th>error</th><th>relative</th><th>what differs</th></tr>
{rows}
</table>
"""
