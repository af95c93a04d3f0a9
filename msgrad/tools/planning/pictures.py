"""Pictures of a plan, as SVG: memory over a step, what holds it, and the share of each layer."""

import html

from .advice import amount
from .report import PARTS, duration, shares

_WIDTH = 860
_COLORS = {
    "parameter": "#4269d0",
    "optimizer": "#97bbf5",
    "input": "#9c6b4e",
    "activations": "#efb118",
    "temporaries": "#ff725c",
    "other": "#9498a0",
}
_FORWARD, _BACKWARD, _LIMIT = "#3ca951", "#a463f2", "#d62728"
_STYLE = "font:13px system-ui,sans-serif;fill:currentColor"
_FIXED = ("parameter", "optimizer", "input", "other")  # which a step holds from its beginning to its end
_MOST_LAYERS = 20
_LEAST = 0.002  # of all memory, below which a part is not named


def memory_over_time(plan):
    """What the largest program holds from its first operation to its last, below the chip's limit."""
    program, height, left, top = plan["programs"][plan["peak_program"]], 320, 70, 20
    memory, limit = program["memory"], plan["target"]["memory"]
    fixed, timeline = sum([memory[kind] for kind in _FIXED]), program["timeline"] or [0]
    peak = max(limit if limit < 3 * plan["peak"] else 0, plan["peak"]) * 1.08
    width = _WIDTH - left - 10

    def y(value):
        return top + height * (1 - value / peak)

    shapes = [_axis(left, top, width, height, peak)]
    base = 0
    for kind in _FIXED:
        if memory[kind]:
            shapes.append(_rectangle(left, y(base + memory[kind]), width, y(base) - y(base + memory[kind]), kind))
            base += memory[kind]
    step = width / max(1, len(timeline) - 1)
    edge = " ".join([f"{left + k * step:.1f},{y(fixed + value):.1f}" for k, value in enumerate(timeline)])
    corners = f"{left + width:.1f},{y(fixed):.1f} {left:.1f},{y(fixed):.1f}"
    shapes.append(f'<polygon points="{edge} {corners}" fill="{_COLORS["activations"]}" fill-opacity=".85"/>')
    moment = left + program["moment"] * width
    most = f"{amount(plan['peak'])} at most"
    shapes.append(_line(moment, y(plan["peak"]), moment, top + height, "currentColor", "2 3"))
    anchor = "start" if program["moment"] < 0.7 else "end"
    shapes.append(_text(moment + (6 if anchor == "start" else -6), y(plan["peak"]) - 6, most, anchor))
    if limit <= peak:
        shapes.append(_line(left, y(limit), left + width, y(limit), _LIMIT, "6 4"))
        shapes.append(_text(left + width, y(limit) - 6, f"{plan['target']['title']}: {amount(limit)}", "end", _LIMIT))
    shapes.append(_text(left, top + height + 18, "first operation of the step"))
    shapes.append(_text(left + width, top + height + 18, "last", "end"))
    shown = [kind for kind in _FIXED if memory[kind] >= _LEAST * plan["peak"]]
    names = {kind: PARTS[kind] for kind in shown} | {"activations": "activations and temporaries"}
    shapes.append(_legend(left, top + height + 40, [(_COLORS[kind], name) for kind, name in names.items()]))
    return _svg("\n".join(shapes), top + height + 52)


def memory_by_part(plan):
    """What holds the memory when most is needed, as one bar, with the chip's limit."""
    memory = plan["programs"][plan["peak_program"]]["memory"]
    limit, whole = plan["target"]["memory"], max(plan["target"]["memory"], plan["peak"])
    shapes, x = [], 0.0
    for kind in PARTS:
        length = _WIDTH * memory[kind] / whole
        if length:
            shapes.append(_rectangle(x, 8, length, 30, kind, f"{PARTS[kind]}: {amount(memory[kind])}"))
            x += length
    shapes.append(f'<rect x="0" y="8" width="{_WIDTH * limit / whole:.1f}" height="30" fill="none" stroke="{_LIMIT}"/>')
    shown = [kind for kind in PARTS if memory[kind] >= _LEAST * plan["peak"]]
    rows = [(_COLORS[kind], f"{PARTS[kind]} {amount(memory[kind])}") for kind in shown]
    shapes.append(_legend(0, 60, rows))
    return _svg("\n".join(shapes), 72)


def time_by_layer(plan):
    """The share of the step of each layer, forward and backward."""
    rows, shapes = shares(plan)[:_MOST_LAYERS], []
    most = max([forward + backward for _, _, forward, backward in rows], default=1)
    seconds, left = plan["step"]["seconds"], 330
    for k, (path, line, forward, backward) in enumerate(rows):
        y, scale = 24 * k, (_WIDTH - left - 130) / most
        shapes.append(_text(left - 8, y + 16, f"{_cut(path, 26)}  {_cut(line, 18)}", "end"))
        for x, part, color in ((left, forward, _FORWARD), (left + scale * forward, backward, _BACKWARD)):
            shapes.append(f'<rect x="{x:.1f}" y="{y + 3}" width="{scale * part:.1f}" height="17" fill="{color}"/>')
        part = forward + backward
        label = f"{part:.1%}, {duration(part * seconds)}"
        shapes.append(_text(left + scale * part + 6, y + 16, label))
    shapes.append(_legend(left, 24 * len(rows) + 18, [(_FORWARD, "forward"), (_BACKWARD, "backward")]))
    return _svg("\n".join(shapes), 24 * len(rows) + 30)


def _svg(content, height):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" role="img" '
        f'style="{_STYLE};max-width:100%;height:auto">\n{content}\n</svg>\n'
    )


def _axis(left, top, width, height, peak):
    shapes = []
    for part in range(5):
        y = top + height * (1 - part / 4)
        shapes.append(_line(left, y, left + width, y, "currentColor", "1 4"))
        shapes.append(_text(left - 6, y + 4, amount(peak * part / 4), "end"))
    return "\n".join(shapes)


def _rectangle(x, y, width, height, kind, title=""):
    inner = f"<title>{html.escape(title)}</title>" if title else ""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{max(0.0, height):.1f}" '
        f'fill="{_COLORS[kind]}">{inner}</rect>'
    )


def _line(x1, y1, x2, y2, color, dashes):
    points = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {points} stroke="{color}" stroke-dasharray="{dashes}"/>'


def _text(x, y, text, anchor="start", color="currentColor"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}">{html.escape(text)}</text>'


def _legend(x, y, rows):
    shapes = []
    for color, name in rows:
        shapes.append(f'<rect x="{x:.0f}" y="{y - 10}" width="11" height="11" fill="{color}"/>')
        shapes.append(_text(x + 16, y, name))
        x += 36 + 7 * len(name)
    return "\n".join(shapes)


def _cut(text, most):
    return text if len(text) <= most else "…" + text[1 - most :]
