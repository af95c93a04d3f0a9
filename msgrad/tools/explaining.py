"""``msgrad run --explain``: programs launched by each line, their tier, why each was needed; host reads; memory."""

import atexit
import importlib
import sys
from typing import Any

import jax

from ..engine.errors import describe
from ..engine.execution import padded
from ..engine.handle import size_of
from .instrumentation import Watch

_MOST_ROWS = 20
_MOST_RESHAPED = 3  # lines of code named as those where shapes changed
_MSG_TOTAL = "Compiled, or found on disk, in all: programs {} ({:.1f} s), operations {} ({:.1f} s)."
_MSG_RESHAPED = (
    "{} of these operations because shapes changed at {}: put them into a Cell or `jit`, or pad to few shapes."
)
_MSG_PROGRAMS = "Programs. NumPy runs the first launches of a small one; then it is compiled, or found on disk:"


def explain():
    """Starts to watch, and prints the tables to standard error when the process ends."""
    watch = Watch()
    watch.__enter__()
    atexit.register(_print, watch)


def _print(watch):
    watch.__exit__()
    sys.stdout.flush()
    print("\n".join(_report(watch)), file=sys.stderr)


def _report(watch):
    """The lines of the report."""
    launched = [each for each in watch.launched if each.launches]
    return [
        *_programs(launched),
        *_reasons(launched),
        *_sizes(launched),
        *_singles(watch.singles),
        *_looks(watch.looks),
        *totals(launched, watch.singles),
        *_memory(launched),
    ]


def _programs(launched):
    if not launched:
        return ["", "No Cell, gradient or jit was launched."]
    rows: list[Any] = [("programs", "launches", "by NumPy", "compiled", "compiling", "call site", "line")]
    for site in _by_site(launched):
        seconds = sum(each.seconds for each in site)
        counts = [
            len(site),
            sum(each.launches for each in site),
            sum(each.interpreted for each in site),
            sum(each.compiled for each in site),
        ]
        name = site[0].name() or "(part of a step)"
        rows.append((*map(str, counts), f"{seconds:.3f} s", name, site[0].place))
    return ["", _MSG_PROGRAMS, *_table(rows)]


def _by_site(launched):
    """Lists of programs, one per call site, the most expensive site first."""
    sites = {}
    for each in launched:
        sites.setdefault(each.site if each.site is not None else each.place, []).append(each)
    return sorted(sites.values(), key=lambda site: -sum(each.seconds for each in site))


def _reasons(launched):
    """The reason why each program after the first of a site was needed, unless one of other sizes served it."""
    lines = []
    for site in _by_site(launched):
        if site[0].site is not None:
            for before, after in zip(site, site[1:], strict=False):
                member = _member(after)
                if after.compiled or member is None or member.family is None:
                    lines.append(f"  {after.name()} ({after.place}): {difference(before, after)}")
    return ["", "More than one program because:", *_first_rows(lines)] if lines else []


def _sizes(launched):
    """A line for the programs of each site that differ in sizes alone: what they share, or why they share nothing."""
    families = {}
    for each in launched:
        if (member := _member(each)) is not None:
            relatives = member.relatives
            family = next((family for family, _ in relatives.fitting(member.numbers)), None)
            families.setdefault((id(relatives), id(family)), (relatives, family, []))[2].append(each)
    lines = []
    for relatives, family, members in families.values():
        if len(members) > 2 or relatives.is_declared:
            first = members[0]
            share = _shared(family, relatives.is_declared) if family else relatives.reason or "few so far"
            lines.append(f"  {first.name() or 'a part of a step'} ({first.place}), {len(members)} programs: {share}")
    reason = padded.why_not()
    if reason is not None and any([len(site) > 2 for site in _by_site(launched)]):
        lines.append(f"  each is compiled by itself: {reason}")
    return ["", "Programs that differ in sizes alone:", *_first_rows(lines)] if lines else []


def _member(launched) -> Any:
    """The `Member` by which a program belongs to a family of sizes; None if it cannot share programs."""
    member = getattr(launched.fn, "member", None)
    return member if hasattr(member, "relatives") else None


def _shared(family, is_declared):
    if family.refusal is not None:
        return family.refusal
    lengths = [family.lengths_at(bucket.sizes) for bucket in family.compiled()]
    largest = [str(each[0] if len(each) == 1 else each) for each in lengths]
    if not largest:
        return "run by NumPy so far, traced as one"
    since = "" if is_declared else "from the third on "
    return f"{since}they share {len(largest)}, for sizes up to {', '.join(largest)}"


def difference(before, after):
    """The difference between a site's program and its previous one, as a sentence."""
    if before.kind != after.kind:
        return f"a {after.kind} of it is requested, after a {before.kind}"
    reason = _inputs(before.program, after.program) or _operations(before.program, after.program)
    if reason is None and before.detail != after.detail:
        reason = "other results are kept: other Tensors outlive the call, or others are differentiated"
    return reason or "the earlier program was dropped from the cache"


def _inputs(old, new):
    """The difference between the shapes and dtypes of equally many inputs, in words, or None."""
    if len(old.leaves) == len(new.leaves):
        for position, (old_leaf, new_leaf) in enumerate(zip(old.leaves, new.leaves, strict=True)):
            if old_leaf != new_leaf:
                attribute = "shape" if old_leaf[0] != new_leaf[0] else "dtype"
                return (
                    f"the {attribute} of input {position}: {describe([new_leaf])}, where it was {describe([old_leaf])}"
                )
    return None


def _operations(old, new):
    """The first operation that differs, or None."""
    for position, (old_node, new_node) in enumerate(zip(old.nodes, new.nodes, strict=False)):
        if old_node.op is not new_node.op:
            inner = _transforms(old_node.op, new_node.op)
            return inner or f"structure: operation {position} is {_named(new_node)}, where it was {_named(old_node)}"
        if old_node.static != new_node.static:
            return f"a constant: {_named(new_node)} has {_text(new_node.static)}, where it was {_text(old_node.static)}"
        if old_node.inputs != new_node.inputs:
            return f"structure: operation {position}, {_named(new_node)}, has other operands"
    added = len(new.nodes) - len(old.nodes)
    if added:
        word, longer = ("more", new) if added > 0 else ("fewer", old)
        extra = longer.nodes[min(len(old.nodes), len(new.nodes))]
        return f"structure: {abs(added)} operations {word}, from {_named(extra)} on"
    return None


def _transforms(old_transform, new_transform):
    """The difference between two transforms (derivatives, ...), in words; None if the programs are not transforms."""
    if type(old_transform) is not type(new_transform) or not hasattr(old_transform, "program"):
        return None
    reason = _inputs(old_transform.program, new_transform.program) or _operations(
        old_transform.program, new_transform.program
    )
    return reason or f"structure: a {new_transform.name} by other inputs, or of other results"


def _named(node):
    return f"{node.op.name} ({node.origin})" if node.origin else node.op.name


def _text(static):
    text = repr(static)
    return text if len(text) <= 60 else text[:57] + "..."


def _singles(singles):
    rows: list[Any] = [("runs", "by NumPy", "compiled", "compiling", "operations", "line")]
    slowest = sorted(singles.items(), key=lambda item: -item[1].seconds)
    for location, each in slowest[:_MOST_ROWS]:
        names = ", ".join(name for name, _ in each.names.most_common(3))
        names += ", ..." if len(each.names) > 3 else ""
        counts = each.names.total(), each.interpreted, len(each.compiled)
        rows.append((*map(str, counts), f"{each.seconds:.3f} s", names, location))
    if len(rows) == 1:
        return []
    return [
        "",
        "Operations run one by one, outside of Cells, gradients and jit:",
        *_table(rows),
        *_more_rows(len(slowest)),
    ]


def _looks(looks):
    if not looks:
        return []
    rows: list[Any] = [
        ("reads", "line"),
        *[(str(count), location) for location, count in looks.most_common(_MOST_ROWS)],
    ]
    return ["", "Host reads while a step was recorded:", *_table(rows), *_more_rows(len(looks))]


def totals(launched, singles):
    """The total of what was compiled, and the lines where changing shapes compiled most."""
    compiled = sum(each.compiled for each in launched)
    count = sum(len(each.compiled) for each in singles.values())
    if not compiled and not count:
        return []
    slowest = sorted(singles.items(), key=lambda item: -item[1].seconds)
    times = sum(each.seconds for each in launched), sum(each.seconds for each in singles.values())
    lines = ["", _MSG_TOTAL.format(compiled, times[0], count, times[1])]
    reshaped = [(location, each.reshaped) for location, each in slowest if each.reshaped][:_MOST_RESHAPED]
    if reshaped:
        code_lines = ", ".join([code_line or "other code" for code_line, _ in reshaped])
        lines.append(_MSG_RESHAPED.format(sum([compilations for _, compilations in reshaped]), code_lines))
    return lines


def _memory(launched):
    lines = ["", "Memory:", f"  {_size(sum(a.nbytes for a in jax.live_arrays()))} in arrays at the end"]
    stats = jax.local_devices()[0].memory_stats() or {}
    if "peak_bytes_in_use" in stats:
        lines.append(f"  {_size(stats['peak_bytes_in_use'])} at most on {jax.local_devices()[0]}")
    if sys.platform == "linux":
        usage = importlib.import_module("resource")  # not available on every system
        lines.append(f"  {_size(usage.getrusage(usage.RUSAGE_SELF).ru_maxrss * 1024)} at most in the process")
    if launched:
        largest = max(launched, key=_bytes_of)
        program_name = f"{largest.name() or 'a part of a step'} ({largest.place})"
        lines.append(f"  {_size(_bytes_of(largest))} in the inputs and values of the largest program, {program_name}")
    return lines


def _bytes_of(compiled):
    return sum(map(size_of, (*compiled.program.leaves, *compiled.program.avals)))


def _size(count):
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.2f} GB"


def _table(rows):
    """Rows as lines: the last two columns are text, left-aligned; those before are numbers, right-aligned."""
    widths = [max(len(row[k] or "") for row in rows) for k in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            (cell or "").rjust(width) if k < len(row) - 2 else (cell or "").ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  " + "  ".join(cells).rstrip())
    return lines


def _first_rows(lines):
    return [*lines[:_MOST_ROWS], *_more_rows(len(lines))]


def _more_rows(count):
    return [f"  ... and {count - _MOST_ROWS} more"] if count > _MOST_ROWS else []
