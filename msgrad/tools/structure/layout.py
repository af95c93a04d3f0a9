"""Layered layout of a graph with nested groups, top-down: where boxes lie, and through which points edges go.

Each group has a layout of its own, the innermost first, and is then one box of the group around it. Its boxes are put
into layers by their longest path; an edge across several layers has a lane in each of them, as a narrow box. Layers are
ordered by barycenters, and boxes lie as near below those before them as their widths allow.
"""

GAP_X, GAP_Y, PADDING, TITLE, LANE = 16, 30, 14, 18, 10
_SWEEPS = 6


class Lane:
    """A lane past a layer, for all edges from one box."""

    children = ()
    width, height = LANE, 0


def placed(root, edges):
    """Sets ``x``, ``y`` (of the upper left corner), ``width`` and ``height`` of all boxes below ``root``, and its own.

    Args:
        root (Group): the outermost group.
        edges (list): pairs of Boxes.
    Returns:
        list: for each edge the points, pairs of numbers, through which it goes from its first Box to its second.
    """
    layouts = {}
    _lay_out(root, edges, layouts)
    root.x = root.y = 0
    _move(root, layouts)
    return [_route(origin, target, layouts) for origin, target in edges]


def _lay_out(group, edges, layouts):
    for each in group.children:
        if each.children:
            _lay_out(each, edges, layouts)
        else:
            each.width, each.height = _size(each)
    layouts[group] = _Layout(group, edges)


def _size(box):
    lines = texts_of(box)
    return max(56, 16 + max([7 * len(line) for line in lines])), 12 + 15 * len(lines)


def texts_of(box):
    """The lines of text in a box: class or operation, the Cell's name, and the shape of what it returns."""
    shape = "×".join(map(str, box.avals[0][0])) or "scalar" if box.avals else ""
    more = f" +{len(box.avals) - 1}" if len(box.avals) > 1 else ""
    return [line for line in (box.title, box.name, shape + more) if line]


def title_of(group):
    """The text in the upper left corner of a group."""
    return f"{group.name}: {group.title}" if group.name else group.title


class _Layout:
    """The layout of one group.

    Attributes:
        layers (list of list): its children and Lanes, from the left to the right.
        lanes (dict): the Lane by the Box from which edges come and the layer.
    """

    def __init__(self, group, edges):
        self.group, self.lanes = group, {}
        inside = {box: child for child in group.children for box in _boxes(child)}
        links = [(inside.get(origin), inside.get(target), origin) for origin, target in edges]
        self.links = [link for link in dict.fromkeys(links) if link[0] is not link[1]]
        self.level = self._levels()
        self.layers = [[] for _ in range(max(self.level.values(), default=0) + 1)]
        for child in group.children:
            self.layers[self.level[child]].append(child)
        self.neighbours = self._linked()
        for sweep in range(_SWEEPS):
            self._order(downwards=sweep % 2 == 0)
        self._place()

    def _levels(self):
        level = dict.fromkeys(self.group.children, 0)
        for child in self.group.children:  # in the order of their calls, so that each comes after what it takes
            above = [level[first] for first, second, _ in self.links if second is child and first is not None]
            level[child] = max(above, default=-1) + 1
        return level

    def _linked(self):
        """Pairs of what lies in one layer and what in the next, for all edges; makes the Lanes between."""
        pairs = []
        for first, second, origin in self.links:
            start = -1 if first is None else self.level[first]
            end = len(self.layers) if second is None else self.level[second]
            chain = [first, *[self._lane(origin, number) for number in range(start + 1, end)], second]
            pairs += [pair for pair in zip(chain, chain[1:], strict=False) if None not in pair]
        return list(dict.fromkeys(pairs))

    def _lane(self, origin, number):
        if (origin, number) not in self.lanes:
            self.lanes[origin, number] = lane = Lane()
            self.layers[number].append(lane)
        return self.lanes[origin, number]

    def _order(self, downwards):
        place = {each: number / len(layer) for layer in self.layers for number, each in enumerate(layer)}
        for layer in self.layers if downwards else self.layers[::-1]:
            layer.sort(key=lambda each: _mean([place[other] for other in self._beside(each, downwards)], place[each]))
            place.update({each: number / len(layer) for number, each in enumerate(layer)})

    def _beside(self, each, above):
        if above:
            return [first for first, second in self.neighbours if second is each]
        return [second for first, second in self.neighbours if first is each]

    def _place(self):
        center = dict.fromkeys([each for layer in self.layers for each in layer], 0.0)
        for sweep in range(_SWEEPS):
            for layer in self.layers if sweep % 2 == 0 else self.layers[::-1]:
                wanted = [
                    _mean([center[other] for other in self._beside(each, sweep % 2 == 0)], center[each])
                    for each in layer
                ]
                center.update(zip(layer, _spread(layer, wanted), strict=True))
        left = min([center[each] - each.width / 2 for each in center], default=0)
        right = max([center[each] + each.width / 2 for each in center], default=0)
        missing = max(0, 7 * len(title_of(self.group)) - PADDING - (right - left)) if self.group.group else 0
        left -= missing / 2
        y = PADDING + (TITLE if self.group.group else 0)
        for layer in self.layers:
            height = max([each.height for each in layer], default=0)
            for each in layer:
                each.x = center[each] - each.width / 2 - left + PADDING
                each.y, each.layer_height = y + (height - each.height) / 2, height
            y += height + GAP_Y
        self.group.width = right - left + missing / 2 + 2 * PADDING
        self.group.height = y - GAP_Y + PADDING


def _boxes(child):
    return [box for each in child.children for box in _boxes(each)] if child.children else [child]


def _mean(values, otherwise):
    return sum(values) / len(values) if values else otherwise


def _spread(layer, wanted):
    """Centers as near to those ``wanted`` as widths allow, by least squares; Lanes count less than boxes.

    Distances from the first are fixed where boxes touch, so this is the isotonic regression of what is wanted: groups
    that would overlap are merged, and lie at their weighted mean.
    """
    offsets, groups = [0.0], []
    for left, right in zip(layer, layer[1:], strict=False):
        offsets.append(offsets[-1] + (left.width + right.width) / 2 + GAP_X)
    for each, want, offset in zip(layer, wanted, offsets, strict=True):
        groups.append([want - offset, 1 if isinstance(each, Lane) else 8, 1])
        while len(groups) > 1 and groups[-2][0] > groups[-1][0]:
            value, weight, count = groups.pop()
            before = groups[-1]
            before[0] = (before[0] * before[1] + value * weight) / (before[1] + weight)
            before[1], before[2] = before[1] + weight, before[2] + count
    positions = [value for value, _, count in groups for _ in range(count)]
    return [position + offset for position, offset in zip(positions, offsets, strict=True)]


def _move(group, layouts):
    """Makes the places of what lies in a group, which are relative to it, absolute."""
    for layer in layouts[group].layers:
        for each in layer:
            each.x, each.y = each.x + group.x, each.y + group.y
            if each.children:
                _move(each, layouts)


def _route(origin, target, layouts):
    """The points of an edge: out of the groups around its first box, past those between, into those of its second."""
    out, into = origin.path(), target.path()
    common = max([level for level, (a, b) in enumerate(zip(out, into, strict=False)) if a is b])
    lanes = []
    for group, child in zip(out[-2:common:-1], out[: common + 1 : -1], strict=True):
        layout = layouts[group]
        lanes += _lanes(layout, origin, layout.level[child] + 1, len(layout.layers))
    layout = layouts[out[common]]
    lanes += _lanes(layout, origin, layout.level[out[common + 1]] + 1, layout.level[into[common + 1]])
    for group, child in zip(into[common + 1 : -1], into[common + 2 :], strict=True):
        lanes += _lanes(layouts[group], origin, 0, layouts[group].level[child])
    points = [(origin.x + origin.width / 2, origin.y + origin.height)]
    for lane in lanes:
        x, half = lane.x + LANE / 2, lane.layer_height / 2
        points += [(x, lane.y - half), (x, lane.y + half)]
    return [*points, (target.x + target.width / 2, target.y)]


def _lanes(layout, origin, start, end):
    return [layout.lanes[origin, number] for number in range(start, end)]
