"""What a compiled program moves and holds, instruction by instruction."""

import collections
import math
import re
from typing import NamedTuple

from .buffers import Buffer, Buffers
from .calls import origin_of

# Instructions that make no buffer of their own.
_SAME = {"get-tuple-element", "tuple", "bitcast", "opt-barrier", "while", "conditional", "call", "optimization-barrier"}
_NONE = {"parameter", "constant", "after-all", "partition-id", "replica-id", "iota"}
_DONE = ("copy-done", "slice-done", "async-done", "async-update", "send", "recv")
_READS_A_PART = {"gather", "dynamic-slice", "slice"}
_COLLECTIVES = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute", "ragged-all-to-all")
_NUMBER = re.compile(r"parameter\((\d+)\)")
_GROUPS = re.compile(r"replica_groups=(?:\{\{([\d,]*)\}|\[(\d+),(\d+)\]|mesh\[([^]]*)\] \{([^}]*)\})")
_CHANNEL = re.compile(r"channel_id=(\d+)")
_SCATTERED = "all-reduce-scatter"  # the computation of a fusion that takes its part of a sum


class Exchange(NamedTuple):
    """A collective: its kind, the bytes that each chip holds of it, among how many chips, and where it is from."""

    kind: str
    bytes: int
    chips: int
    origin: tuple
    times: int


class Schedule:
    """Bytes, buffers and collectives of a compiled program.

    Args:
        module (Module): the program.
        chips (int): on how many it runs.
    Attributes:
        moved (Counter): bytes by `Origin`.
        buffers (Buffers): the values that it holds; of a loop those of one turn.
        exchanges (list of Exchange): the collectives.
    """

    def __init__(self, module, chips):
        self.module, self.chips = module, chips
        self.moved, self.exchanges = collections.Counter(), []
        self._move(module.entry, 1)
        self.buffers = self._held(module.entry)

    # -- bytes ------------------------------------------------------------------------------------------------------

    def _move(self, instructions, times):
        sizes, origins = {each.name: each.bytes for each in instructions}, _origins(instructions)
        channels = set()
        for each in instructions:
            inner = self.module.body_of(each)
            for body, trips in inner if each.opcode != "conditional" else [max(inner, key=_rank)]:
                self._move(body, times * trips)
            if inner or each.opcode in _SAME or each.opcode in _NONE or each.opcode.startswith(_DONE):
                continue
            self._exchange(each, origins[each.name], times, channels)
            if each.opcode.endswith("-done"):
                continue
            self.moved[origins[each.name]] += times * self._bytes(each, sizes)

    def _exchange(self, instruction, origin, times, channels):
        """Notes the collective that an instruction is, or is fused with.

        On a TPU several fusions may carry one along, from its start to its end: they have its channel.
        """
        fused = self.module.computations.get(instruction.called[0], ()) if instruction.opcode == "fusion" else ()
        for each in fused or (instruction,):
            kind, channel = each.opcode.removesuffix("-start"), fused and _CHANNEL.search(each.rest)
            if kind not in _COLLECTIVES or (channel and channel[1] in channels):
                continue
            channels.update(channel.groups() if channel else ())
            size = each.sent
            if fused and instruction.called[0].startswith(_SCATTERED):
                kind, size = "reduce-scatter", instruction.sent
            self.exchanges.append(Exchange(kind, size, self._members(each), origin, times))

    def _bytes(self, instruction, sizes):
        """Bytes that an instruction reads and writes."""
        body = self.module.computations.get(instruction.called[0]) if instruction.called else None
        if instruction.opcode != "fusion" or not body:
            if instruction.opcode in _READS_A_PART:
                return 2 * instruction.bytes
            if instruction.opcode in ("dynamic-update-slice", "scatter") and len(instruction.operands) > 1:
                return 2 * sum([sizes.get(name, 0) for name in instruction.operands[1:]])
            return instruction.bytes + sum([sizes.get(name, 0) for name in set(instruction.operands)])
        parts = _read_in_part(body)
        total = _written(body, instruction)
        for position, name in enumerate(instruction.operands):
            total += min(parts.get(position, sizes.get(name, 0)), sizes.get(name, 0))
        return total

    def _members(self, instruction):
        found = _GROUPS.search(instruction.rest)
        if found is None:
            return self.chips
        numbers, _, size, mesh, axes = found.groups()
        if mesh is not None:  # ``mesh['a'=4,'b'=2] {'a'}``
            lengths = dict(each.split("=") for each in mesh.split(","))
            own = [lengths.get(axis) for axis in axes.split(",")]
            return self.chips if None in own else math.prod(map(int, own))
        return int(size) if size else numbers.count(",") + 1 if numbers else self.chips

    # -- buffers ----------------------------------------------------------------------------------------------------

    def _held(self, instructions):
        idle = (_SAME | _NONE) - {"while"}
        positions = [k for k, each in enumerate(instructions) if each.opcode not in idle]
        return Buffers(self._buffers(instructions), positions)

    def _buffers(self, instructions):
        users, aliases, results, origins = {}, {}, set(), _origins(instructions)
        for position, each in enumerate(instructions):
            for name in each.operands:
                for origin in aliases.get(name, (name,)):
                    users.setdefault(origin, []).append((position, each))
            if each.opcode in _SAME or each.opcode.startswith(_DONE) or each.opcode.endswith("-done"):
                aliases[each.name] = [o for name in each.operands for o in aliases.get(name, (name,))]
            if each.is_root:
                results = {o for o in aliases.get(each.name, (each.name,))}
        buffers = []
        for position, each in enumerate(instructions):
            if each.opcode == "while":
                body, _ = self.module.body_of(each)[0]
                buffers += self._held(body).within(position)
            if each.name in aliases or each.opcode in _NONE or not each.bytes:
                continue
            uses = users.get(each.name, ())
            last = len(instructions) if each.name in results else max([p for p, _ in uses], default=position)
            origin = origins[each.name]
            is_kept = not origin.is_backward and any(origins[user.name].is_backward for _, user in uses)
            buffers.append(Buffer(each.bytes, each.result, position, last, origin, is_kept))
        return buffers


def _rank(branch):
    """Which branch of a condition counts: one with a kernel of attention, else the longest."""
    body, _ = branch
    return any("fmha" in each.rest or "tpu_custom_call" in each.rest for each in body), len(body)


def _origins(instructions):
    """The `Origin` of each instruction, by name; a copy that the compiler makes belongs to what uses it."""
    origins = {each.name: origin_of(each.op_name) for each in instructions}
    for each in reversed(instructions):
        for name in each.operands:
            if name in origins and not (origins[name].line or origins[name].path):
                origins[name] = origins[each.name]
    return origins


def _read_in_part(body):
    """Bytes that a fusion reads of those operands of which it takes a part alone (`gather`), by position."""
    positions, users = {}, collections.defaultdict(list)
    for each in body:
        if each.opcode == "parameter":
            positions[each.name] = int(_NUMBER.match(each.rest)[1])
        for place, name in enumerate(each.operands):
            users[name].append((place, each))
    parts = {}
    for name, position in positions.items():
        if users[name] and all(place == 0 and each.opcode in _READS_A_PART for place, each in users[name]):
            parts[position] = sum([each.bytes for _, each in users[name]])
    return parts


def _written(body, instruction):
    """Bytes that a fusion writes: of an array that it updates in place, the new part."""
    root = next((each for each in body if each.is_root), None)
    if root is not None and root.opcode in ("dynamic-update-slice", "scatter") and len(root.operands) > 1:
        sizes = {each.name: each.bytes for each in body}
        return sum([sizes.get(name, 0) for name in root.operands[1:]])
    return instruction.bytes
