"""A plan as text."""

import re

from .advice import amount

PARTS = {
    "parameter": "Parameters",
    "optimizer": "optimizer",
    "input": "inputs",
    "activations": "activations",
    "temporaries": "temporaries",
    "other": "other arrays",
}
_BOUNDS = {"compute": "operations", "memory": "memory bandwidth", "links": "links between chips"}
_LEAST_SHARE = 5e-4  # of the step, that rounds to 0.1 %
_NUMBER = re.compile(r"(?<=\.)\d+(?=\.|$)")
_OPERATIONS = {"tera-operations": 1e12, "giga-operations": 1e9, "mega-operations": 1e6, "kilo-operations": 1e3}
_BYTES, _SECONDS = {"GB": 1e9, "MB": 1e6, "kB": 1e3, "bytes": 1}, {"ms": 1e-3, "us": 1e-6, "ns": 1e-9}
_MOST_ROWS = 12  # of a table
_MOST_LAYERS, _MOST_BUFFERS = 12, 6
_MSG_ESTIMATED = 'Estimates from the traced program: the compiler for {} is not installed (pip install "msgrad[{}]").'


def text(plan):
    """The report of one plan."""
    lines = ["", *head(plan)]
    if plan["programs"]:
        lines += [*_memory(plan), *_time(plan), *_layers(plan), *_programs(plan), *_exchanges(plan)]
    if plan["findings"]:
        lines += ["", "Worth knowing:", *[f"  - {each}" for each in plan["findings"]]]
    return "\n".join(lines)


def comparison(plans):
    """A table of several plans, as text."""
    return "\n".join(["", *table(comparison_rows(plans), left=(0, 3, 5))])


def choice(plans):
    """Which layout is the best, as a sentence."""
    fitting = [plan for plan in plans if plan["fits"] and plan["programs"]]
    if not fitting:
        least = min(plans, key=lambda plan: plan.get("peak", 0))
        return f"\nNo layout fits; {least['options'].get('layout')} on {least['place']} needs least."
    best = min(fitting, key=lambda plan: plan["step"]["seconds"])
    return f"\nOf those that fit, {best['options']['layout']} on {best['place']} is the fastest."


def comparison_rows(plans):
    """The rows of a table of several plans."""
    rows = [("where", "memory", "of", "fits", "step", "bound by")]
    for plan in plans:
        step = plan.get("step")
        rows.append(
            (
                " ".join([plan["place"], *[f"{k} {v}" for k, v in plan["options"].items() if v]]),
                amount(plan.get("peak", 0)),
                amount(plan["target"]["memory"]),
                "yes" if plan["fits"] else "no",
                duration(step["seconds"]) if step else "-",
                _BOUNDS[step["bound"]] if step else "-",
            )
        )
    return rows


def head(plan):
    """Lines with the target, the options, and the reason why the script was ended."""
    target = plan["target"]
    chips = f"{target['chips']} x {target['title']}" if target["chips"] > 1 else target["title"]
    changed = "".join([f", {name} {value}" for name, value in plan["options"].items() if value])
    yield f"{plan['script']} on {chips}{changed}"
    if plan["error"]:
        where = f" at {plan['error']['line']}" if plan["error"]["line"] else ""
        yield f"The script failed{where}: {plan['error']['type']}: {plan['error']['message']}".rstrip(": ")
        yield "What is known until then:" if plan["programs"] else "It had launched nothing until then."
    elif plan["ended"] and plan["ended"]["line"]:
        yield f"Stopped at {plan['ended']['line']}: {plan['ended']['reason']}. What is known until then:"
    elif plan["ended"]:
        yield f"{plan['ended']['reason'].capitalize()}."
    elif not plan["programs"]:
        yield "The script has ended, and launched no program that is large enough to plan."
    if plan.get("processes", 1) > 1:
        yield f"Planned as rank 0 of {plan['processes']} processes, one on each chip."
    if plan["programs"] and not plan["has_compiler"]:
        yield _MSG_ESTIMATED.format(target["title"], plan["extra"])


def verdict(plan):
    """Whether it fits, as a sentence."""
    spare = plan["target"]["memory"] - plan["peak"]
    each = " on each chip" if plan["target"]["chips"] > 1 else ""
    if any(program["refusal"] for program in plan["programs"]):
        return "not known: the compiler refuses a program"
    if spare < 0:
        return f"does NOT fit{each}: {amount(-spare)} too much"
    return f"fits{each} with {amount(spare)} to spare"


def memory_line(plan, verdict):
    """How much of the memory is needed, and whether it fits."""
    return f"Memory: {amount(plan['peak'])} of {amount(plan['target']['memory'])}; {verdict}"


def _memory(plan):
    program = plan["programs"][plan["peak_program"]]
    memory = program["memory"]
    yield ""
    yield memory_line(plan, verdict(plan))
    for key, name in PARTS.items():
        if memory.get(key):
            yield f"  {name:13}{amount(memory[key]):>11}  {_bar(memory[key], plan['peak'])}"
    for what, size in program["others"]:
        if size > plan["peak"] / 50:
            yield f"    of the other arrays {amount(size)} are {what}"
    if program["largest"]:
        yield "  Largest buffers when most is needed:"
        for size, shape, where, what in buffer_rows(plan)[:_MOST_BUFFERS]:
            yield f"    {size:>13}  {shape:28} {where}, {what}"
    if plan["helps"]:
        yield "  What would help:"
        yield from [f"    - {each}" for each in plan["helps"]]


def buffer_rows(plan):
    """The largest buffers of the largest program: bytes, shape, Cell and line, and what they are.

    Those of layers that differ in their number alone are one row.
    """
    groups = {}
    for each in plan["programs"][plan["peak_program"]]["largest"]:
        what = "kept for the backward pass" if each["kept"] else "gradient" if each["backward"] else "temporary"
        pattern, numbers = _numbered(each["path"] or each["operation"])
        group = groups.setdefault((pattern, each["line"], each["shape"], each["bytes"], what), [])
        group.append(numbers)
    rows = []
    for (pattern, line, shape, size, what), numbers in sorted(groups.items(), key=lambda i: -i[0][3] * len(i[1])):
        count = f"{len(numbers)} x " if len(numbers) > 1 else ""
        where = " ".join(filter(None, (_ranged(pattern, numbers), line)))
        rows.append((f"{count}{amount(size)}", shape, where, what))
    return rows[:_MOST_ROWS]


def step_line(plan):
    """The least time of a step, and which side bounds it."""
    step = plan["step"]
    sides = [f"operations {duration(step['compute'])}", f"memory {duration(step['memory'])}"]
    sides += [f"links {duration(step['links'])}"] if step["links"] else []
    what = "Step" if plan["steps"] else "All launches"
    return f"{what}: at least {duration(step['seconds'])}, bound by {_BOUNDS[step['bound']]} ({', '.join(sides)})"


def _time(plan):
    step = plan["step"]
    flops = sum(step["flops"].values())
    kinds = {kind: n for kind, n in step["flops"].items() if n and kind != "other"}
    yield ""
    yield step_line(plan)
    unit, moved = _unit_of(flops, _OPERATIONS), _unit_of(step["bytes"], _BYTES)
    size = _OPERATIONS[unit]
    products = ", ".join([f"{n / size:.3g} in {kind}" for kind, n in sorted(kinds.items(), key=lambda i: -i[1])])
    total = f"{step['bytes'] / _BYTES[moved]:.3g} {moved}"
    yield f"  {flops / size:.3g} {unit} ({products or 'no products'}), {total} moved"


def _layers(plan):
    rows = shares(plan)
    if not rows:
        return
    yield ""
    yield "Share of the step by layer (forward, backward):"
    shown = [row for row in rows[:_MOST_LAYERS] if row[2] + row[3] >= _LEAST_SHARE]
    for path, line, forward, backward in shown:
        yield f"  {forward + backward:6.1%}  ({forward:5.1%}, {backward:5.1%})  {path}  {line}"
    rest = sum([forward + backward for _, _, forward, backward in rows[len(shown) :]])
    if rest >= _LEAST_SHARE:
        yield f"  {rest:6.1%}  {len(rows) - len(shown)} others"


def shares(plan):
    """The share of the step that each layer takes, the largest first: path, line, forward, backward.

    Layers that differ in their number alone are one: ``blocks.0-11.attn``.
    """
    layers = {}
    for program in plan["programs"]:
        for row in program["layers"]:
            pattern, numbers = _numbered(row["path"])
            seconds, seen = layers.setdefault((pattern, row["line"]), ([0.0, 0.0], []))
            seconds[row["backward"]] += program["of_step"] * max(row["compute"], row["memory"])
            seen.append(numbers)
    total = sum([sum(seconds) for seconds, _ in layers.values()])
    rows = []
    for (pattern, line), (seconds, seen) in layers.items():
        forward, backward = [each / total for each in seconds] if total else (0, 0)
        rows.append((_ranged(pattern, seen) or "(outside of Cells)", line, forward, backward))
    return sorted([row for row in rows if row[2] + row[3]], key=lambda row: -row[2] - row[3])


def _numbered(path):
    """A path with a hole for each number in it, and the numbers."""
    return _NUMBER.sub("{}", path), [int(number) for number in _NUMBER.findall(path)]


def _ranged(pattern, numbers):
    """The pattern of some paths with the ranges of their numbers."""
    ranges = [f"{min(each)}-{max(each)}" if min(each) < max(each) else each[0] for each in zip(*numbers, strict=True)]
    return pattern.format(*ranges)


def program_rows(plan):
    """The rows of a table of the programs that take longest."""
    rows = [("programs", "launches", "memory", "time", "compiled in", "line")]
    for each in sorted(plan["programs"], key=lambda each: -each["time"]["total"] * each["launches"])[:12]:
        compiled = f"{each['seconds']:.0f} s" if each["compiled"] else "refused" if each["refusal"] else "estimate"
        figures = str(each["launches"]), amount(each["memory"]["total"]), duration(each["time"]["total"]), compiled
        rows.append((f"{each['name']} ({each['kind']})", *figures, each["line"] or ""))
    return rows


def _programs(plan):
    yield ""
    yield from table(program_rows(plan), left=(0, 5))
    if plan["small"]:
        yield f"  and {plan['small']} small ones, run here"


def exchange_rows(plan):
    """The rows of a table of collectives."""
    rows = [("collectives", "chips", "count", "bytes", "time")]
    for program in plan["programs"]:
        for each in program["collectives"]:
            sizes = str(each["chips"]), str(each["count"]), amount(each["bytes"])
            rows.append((each["kind"], *sizes, duration(each["seconds"])))
    return rows


def _exchanges(plan):
    rows = exchange_rows(plan)
    if len(rows) > 1:
        yield ""
        yield from table(rows, left=(0,))


def _bar(part, whole, width=30):
    return "#" * max(1, round(width * part / whole)) if whole else ""


def duration(seconds):
    """Seconds for people."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    unit = _unit_of(seconds, _SECONDS)
    return f"{seconds / _SECONDS[unit]:.3g} {unit}"


def _unit_of(number, units):
    """The largest of ``units`` of which a number has a tenth at least; else the smallest."""
    return next((unit for unit, size in units.items() if number >= 0.1 * size), list(units)[-1])


def table(rows, left):
    """Rows as lines; the columns ``left`` are aligned to the left, the others to the right."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = []
    for row in rows:
        columns = enumerate(zip(row, widths, strict=True))
        cells = [cell.ljust(width) if k in left else cell.rjust(width) for k, (cell, width) in columns]
        lines.append("  " + "  ".join(cells).rstrip())
    return lines
