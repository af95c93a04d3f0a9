"""The plan as data: what is known of each program, and of a training step."""

import collections
import json
import os
import re
from typing import Any

import jax

from ...engine.handle import size_of
from ..explaining import difference
from .estimating import Estimate
from .launching import part_of

_MOST_PROGRAMS = 12  # that are compiled: those that take longest
_LEAST_SHARE = 0.005  # of all time by the estimates, below which a program is not compiled
_MOST_LAYERS, _MOST_BUFFERS, _MOST_POINTS = 400, 100, 400
_KINDS = ("parameter", "optimizer", "input")


class Summary:
    """The results of a planning session; `write` writes them as JSON.

    Args:
        request (Request), place (Place): what was asked.
        planner (Planner): what the script would have launched.
        complete (PlanComplete | None): what ended it.
        error (dict | None): the script's exception.
    """

    def __init__(self, request, place, planner, complete, error):
        self.request, self.place, self.planner, self.complete, self.error = request, place, planner, complete, error
        self.programs = [each for each in planner.programs if each.launches and not each.is_real]
        self.step = _step_of(planner.sequence)
        self.details = {id(each): self._estimated(each) for each in self.programs}
        self.compiling = None

    # -- what is compiled -------------------------------------------------------------------------------------------

    def to_compile(self):
        """The programs that are worth compiling, the longest first."""
        seconds = {id(each): self.details[id(each)]["time"]["total"] * each.launches for each in self.programs}
        most = sum(seconds.values())
        worth = [each for each in self.programs if seconds[id(each)] >= _LEAST_SHARE * most]
        return sorted(worth, key=lambda each: -seconds[id(each)])[:_MOST_PROGRAMS]

    def begin(self, planned):
        """Notes that a program is being compiled: if the compiler ends the process, that is the one."""
        self.compiling = planned

    def add(self, planned, compiled):
        """Takes what the compiler says of a program."""
        detail = self.details[id(planned)]
        moved = compiled.schedule.moved
        detail |= self._by_schedule(planned, compiled.schedule, compiled.memory.arguments, compiled.memory)
        detail |= self._timed(planned, moved, compiled.schedule.exchanges)
        detail |= {"compiled": True, "seconds": round(compiled.seconds, 1)}
        self.compiling = None

    def refuse(self, planned, error):
        """Takes the compiler's refusal of a program."""
        text = re.sub(r"\s+", " ", str(error))[:600]
        self.details[id(planned)]["refusal"] = {"type": type(error).__name__, "message": text}
        self.compiling = None

    # -- one program ------------------------------------------------------------------------------------------------

    def _estimated(self, planned):
        jaxpr = planned.jaxpr.jaxpr
        count = len(jax.tree.leaves(planned.specs[0])) if planned.executable.donated else 0
        overwritten = [size_of((v.aval.shape, v.aval.dtype)) for v in jaxpr.invars[:count]]
        arguments = sum(map(part_of, jax.tree.leaves(planned.specs)))
        moved = {origin: each.bytes for origin, each in planned.counting.by_origin.items()}
        of_step = self.step.count(planned)
        return {
            "name": planned.name,
            "line": planned.line,
            "kind": planned.kind,
            "launches": planned.launches,
            "of_step": of_step,
            "compiled": False,
            "refusal": None,
            "again": self._why_again(planned),
            "chips": planned.chips,
            "flops": dict(planned.counting.total().products) | {"other": planned.counting.total().others},
            "emulated": [[*key, n] for key, n in planned.counting.emulated.items()],
            "attention": _attention(planned.counting.weights),
            **self._by_schedule(planned, Estimate(jaxpr, overwritten), arguments, None),
            **self._timed(planned, moved, planned.counting.exchanges),
        }

    def _why_again(self, planned):
        """Why a program of a call that had one before was needed; None if it is the first."""
        if planned.site is None:
            return None
        earlier = [each for each in self.programs if each.site == planned.site and each.kind == planned.kind]
        position = earlier.index(planned)
        return difference(earlier[position - 1], planned) if position else None

    def _by_schedule(self, planned, schedule, arguments, memory):
        """Its memory: by what holds it, at the moment where most is needed."""
        buffers = schedule.buffers
        peak, at_peak = buffers.most, buffers.at_most()
        held = peak if memory is None else memory.temporaries + memory.results - memory.overwritten
        kept = sum([each.bytes for each in at_peak if each.is_kept])
        activations = round(held * kept / peak) if peak else 0
        parts = dict.fromkeys((*_KINDS, "other"), 0)
        for (kind, _), spec in zip(planned.leaves, jax.tree.leaves(planned.specs), strict=True):
            parts[kind] += part_of(spec)
        parts["input"] += max(0, arguments - sum(parts.values()))
        for (kind, _), size in planned.others.items():
            parts[kind if kind != "input" else "other"] += size
        parts |= {"activations": activations, "temporaries": held - activations}
        once = planned.most_others - planned.others.total()
        parts["other"] += once
        others = {line: size for (kind, line), size in planned.others.items() if kind == "input" and line and size}
        others = [(f"results of {line}, which the program refers to", size) for line, size in others.items()]
        others += [("copies that the first launch makes", once)]
        scale = held / peak if peak else 1
        return {
            "memory": parts | {"total": sum(parts.values())},
            "largest": [
                {"bytes": each.bytes, "shape": _short(each.shape), **_of_origin(each.origin), "kept": each.is_kept}
                for each in at_peak[:_MOST_BUFFERS]
            ],
            "others": sorted(others, key=lambda item: -item[1])[:5],
            "timeline": [round(scale * value) for value in _thinned(buffers.timeline)],
            "moment": buffers.moment / max(1, len(buffers.timeline)),
        }

    def _timed(self, planned, moved, exchanges):
        """Its time by the roofline: in all, and of each layer."""
        target, layers = self.place.target, collections.defaultdict(lambda: [0.0, 0.0, 0.0])
        share = 1 / planned.parts  # of the operations of the whole program
        for origin, count in planned.counting.by_origin.items():
            entry = layers[origin[1:]]
            entry[0] += share * sum([n / target.peaks[kind] for kind, n in count.products.items()])
            entry[0] += share * count.others / target.peaks["f32"]
            entry[2] += count.flops
        for origin, size in moved.items():
            layers[tuple(origin)[1:]][1] += size / target.bandwidth
        links = [_seconds_of(each, target.link) for each in exchanges]
        compute, memory = (sum(entry[k] for entry in layers.values()) for k in (0, 1))
        seconds = {"compute": compute, "memory": memory, "links": sum(links)}
        bound = max(seconds, key=seconds.__getitem__)
        rows = sorted(layers.items(), key=lambda item: -max(item[1][:2]))[:_MOST_LAYERS]
        return {
            "bytes": round(memory * target.bandwidth),
            "time": {**seconds, "total": seconds[bound], "bound": bound},
            "layers": [
                {"path": path, "line": line, "backward": backward, "compute": c, "memory": m, "flops": f}
                for (path, line, backward), (c, m, f) in rows
            ],
            "collectives": _collectives(exchanges, links),
        }

    # -- all --------------------------------------------------------------------------------------------------------

    def plan(self):
        """The plan (dict)."""
        details = [self.details[id(each)] for each in self.programs]
        target = self.place.target
        peak = max([each["memory"]["total"] for each in details], default=0)
        needs = [each for each in details if each["memory"]["total"] == peak]
        is_refused = any(each["refusal"] for each in details)
        return {
            "script": self.request.program,
            "place": str(self.place),
            "options": {k: getattr(self.request, k) for k in ("batch", "precision", "layout")},
            "target": {
                **{k: getattr(target, k) for k in ("name", "title", "memory", "bandwidth", "link", "source", "peaks")},
                "chips": self.place.chips,
            },
            "processes": max([each.group.size for each in self.programs if each.group], default=1),
            "has_compiler": target.has_compiler(),
            "extra": target.extra,
            "ended": self.complete and {"reason": self.complete.reason, "line": self.complete.line},
            "error": self.error,
            "steps": max([each.launches for each in self.programs if each.is_update], default=0),
            "programs": details,
            "compiling": self.compiling and self.programs.index(self.compiling),
            "peak": peak,
            "peak_program": details.index(needs[0]) if needs else None,
            "fits": peak <= target.memory and not is_refused,
            "step": self._whole_step(details),
            "reads": [[line, count] for line, count in self.planner.reads.most_common(20)],
            "host": [[text, line, count] for (text, line), count in self.planner.host_calls.most_common(20)],
            "singles": self._singles(),
            "small": sum([each.is_real for each in self.planner.programs]),
        }

    def _whole_step(self, details):
        total = {"flops": collections.Counter(), **dict.fromkeys(("bytes", "seconds", "compute", "memory", "links"), 0)}
        for each in details:
            times = each["of_step"]
            total["flops"].update({kind: times * n for kind, n in each["flops"].items()})
            total["bytes"] += times * each["bytes"]
            total["seconds"] += times * each["time"]["total"]
            for side in ("compute", "memory", "links"):
                total[side] += times * each["time"][side]
        return total | {"bound": max(("compute", "memory", "links"), key=total.__getitem__)}

    def _singles(self):
        """The operations that were launched one by one, by line."""
        lines: dict[Any, list[Any]] = collections.defaultdict(lambda: [0, 0, collections.Counter()])
        for each in self.planner.singles.values():
            entry = lines[each.line]
            entry[0] += each.launches
            entry[1] += each.launches * each.bytes
            entry[2][each.name] += each.launches
        rows = sorted(lines.items(), key=lambda item: -item[1][0])[:20]
        return [[line, n, size, [name for name, _ in names.most_common(3)]] for line, (n, size, names) in rows]

    def write(self, path):
        """Writes the plan to a file, all at once: a reader never sees a part of it."""
        with open(path + ".new", "w") as file:
            json.dump(self.plan(), file, default=float)
        os.replace(path + ".new", path)


def _step_of(sequence):
    """The launches of the last whole training step: between the last two of the program that ends a step."""
    sequence = [each for each in sequence if not each.is_real]
    updates = [each for each in sequence if each.is_update]
    if not updates:
        return sequence
    last = max(dict.fromkeys(updates), key=lambda each: (each.launches, len(sequence) - sequence[::-1].index(each)))
    places = [k for k, each in enumerate(sequence) if each is last]
    begin = places[-2] + 1 if len(places) > 1 else 0
    return sequence[begin : places[-1] + 1]


def _of_origin(origin):
    return {"operation": origin.operation, "path": origin.path, "line": origin.line, "backward": origin.is_backward}


def _short(shape):
    """``f32[8,1024]`` of the compiler's ``f32[8,1024]{1,0:T(8,128)}``."""
    return re.sub(r"\{[^}]*\}", "", shape).replace(" ", "")


def _thinned(values):
    """At most `_MOST_POINTS` of the values, the largest of each part."""
    size = -(-len(values) // _MOST_POINTS)
    return [max(values[k : k + size]) for k in range(0, len(values), size)] if size else []


def _attention(weights):
    """Those of each line, where they are computed first."""
    rows = {}
    for each in sorted(weights, key=lambda each: (each.origin.is_backward, each.origin.path)):
        rows.setdefault((each.origin.line, each.shape), each)
    return [{"shape": each.shape, "dtype": each.dtype, **_of_origin(each.origin)} for each in rows.values()]


def _seconds_of(exchange, link):
    """Seconds of a collective on the links of a chip, each byte sent once or twice around a ring."""
    turns = {"all-reduce": 2, "collective-permute": exchange.chips / max(1, exchange.chips - 1)}.get(exchange.kind, 1)
    size = exchange.bytes * (exchange.chips if exchange.kind == "reduce-scatter" else 1)
    return exchange.times * turns * size * (exchange.chips - 1) / exchange.chips / link


def _collectives(exchanges, seconds):
    rows = collections.defaultdict(lambda: [0, 0, 0.0])
    for exchange, time in zip(exchanges, seconds, strict=True):
        row = rows[exchange.kind, exchange.chips]
        row[0] += exchange.times
        row[1] += exchange.times * exchange.bytes
        row[2] += time
    names = "kind", "chips", "count", "bytes", "seconds"
    return [dict(zip(names, (*key, *row), strict=True)) for key, row in rows.items()]
