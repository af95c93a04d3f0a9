"""Draws a graph of known layout as SVG."""

import html

from .layout import PADDING, TITLE, texts_of, title_of

_COLORS = {  # fill and border, by the kind of box
    "input": ("#e8f3e8", "#5b8f5b"),
    "output": ("#e8f3e8", "#5b8f5b"),
    "layer": ("#dfe9f7", "#4a74ad"),
    "cell": ("#f3eefb", "#8468b5"),
    "operation": ("#ffffff", "#9a9a9a"),
}
_STYLE = (
    "text{font-family:Helvetica,Arial,sans-serif;font-size:12px;text-anchor:middle;fill:#222}"
    ".title{font-weight:bold}.name{fill:#555}.frame{text-anchor:start;fill:#555;stroke:#f6f6f6;stroke-width:3px;paint-order:stroke}.edge{fill:none;stroke:#666}"
)
_ARROW = (
    '<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0 0L8 4L0 8z" fill="#666"/></marker>'
)


def drawn(root, edges, routes):
    """The SVG of a graph, a str: frames, edges, boxes, of which later ones lie above."""
    groups = [each for each in _below(root) if each.children]
    frames = [_rectangle(each, "#77777712", "#bbbbbb", 6) for each in groups]
    boxes = [_box(each) for each in _below(root) if not each.children]
    lines = [f'<path class="edge" marker-end="url(#arrow)" d="{_curve(route)}"/>' for route in routes]
    width, height = round(root.width), round(root.height)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    background = f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    return "\n".join(
        [
            head,
            f"<style>{_STYLE}</style><defs>{_ARROW}</defs>",
            background,
            *frames,
            *lines,
            *map(_label, groups),
            *boxes,
            "</svg>",
        ]
    )


def _below(group):
    for each in group.children:
        yield each
        yield from _below(each)


def _rectangle(box, fill, border, radius):
    place = " ".join([f'{name}="{getattr(box, name):.1f}"' for name in ("x", "y", "width", "height")])
    return f'<rect {place} rx="{radius}" fill="{fill}" stroke="{border}"/>'


def _label(group):
    x, y = group.x + PADDING / 2, group.y + TITLE - 3
    return f'<text class="frame" x="{x:.1f}" y="{y:.1f}">{html.escape(title_of(group))}</text>'


def _box(box):
    lines, x = texts_of(box), box.x + box.width / 2
    top = box.y + 18
    classes = ["title", *["name"] * (len(lines) - 1)]
    texts = [
        f'<text class="{kind}" x="{x:.1f}" y="{top + 15 * number:.1f}">{html.escape(line)}</text>'
        for number, (kind, line) in enumerate(zip(classes, lines, strict=True))
    ]
    return _rectangle(box, *_COLORS[box.kind], 5) + "".join(texts)


def _curve(points):
    """A path through points that leaves and reaches each of them vertically."""
    parts, (x, y) = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"], points[0]
    for next_x, next_y in points[1:]:
        middle = (y + next_y) / 2
        parts.append(f"C{x:.1f} {middle:.1f} {next_x:.1f} {middle:.1f} {next_x:.1f} {next_y:.1f}")
        x, y = next_x, next_y
    return "".join(parts)
