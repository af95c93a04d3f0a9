"""What a plan means: whether it fits, what is slow or refused, and what would help."""

import re

GIB = 2**30
_MSG_ENDED = "the compiler ended its process (status {}): the figures of this program are estimates"
_RECOMPUTED = 0.7  # of the activations, which layers compute a second time: what lies between them stays
_LEAST_SAVING = 0.05  # of all memory, below which advice is not worth a line


def is_good(plan):
    """Whether everything compiles and fits, and the script has neither failed nor waited for values."""
    is_whole = plan["error"] is None and not (plan["ended"] and plan["ended"]["line"])
    return bool(plan["fits"] and is_whole and plan["programs"])


def without_plan(program, place, status):
    """The plan of a process that has left none."""
    message = f"the process that plans ended with status {status} before the script launched anything"
    target = {name: getattr(place.target, name) for name in ("name", "title", "memory")} | {"chips": place.chips}
    return {
        **{"script": program, "place": str(place), "target": target, "programs": [], "fits": False, "findings": []},
        **{"error": {"type": "RuntimeError", "message": message, "line": None}, "ended": None, "options": {}},
    }


def complete(plan, status):
    """A plan with its findings and what would help."""
    if plan["compiling"] is not None:
        each = plan["programs"][plan["compiling"]]
        each["refusal"] = {"type": "RuntimeError", "message": _MSG_ENDED.format(status)}
        plan["fits"] = False
    plan["findings"] = list(_findings(plan))
    plan["helps"] = list(_helps(plan)) if plan["programs"] else []
    return plan


def _findings(plan):
    """Sentences about what is slow, imprecise or impossible there."""
    name = plan["target"]["name"]
    programs = plan["programs"]
    if plan["target"]["chips"] > 1 and programs and all(each["chips"] == 1 for each in programs):
        yield "no program is sharded, so each runs on one chip: `--try data,fsdp,tensor` plans three layouts"
    for each in programs:
        if each["refusal"]:
            yield f"{each['name']} ({each['line']}) is refused: {each['refusal']['message']}"
    for each in programs:
        if each["again"]:
            yield f"{each['name']} ({each['line']}) is compiled again: {each['again']}"
    for row in _distinct(programs, "attention"):
        size, shape = _bytes(row), "x".join(map(str, row["shape"]))
        yield (
            f"attention at {_where(row)} holds its weights, {row['dtype']}[{shape}] ({amount(size)}): "
            "`ops.flash_attention_score`, or bfloat16 without dropout, needs no memory for them"
        )
    yield from _of_precision(plan)
    emulated = {}
    for each in programs:
        for operation, line, dtype, count in each["emulated"]:
            emulated[dtype, line, operation] = emulated.get((dtype, line, operation), 0) + count
    for (dtype, line, operation), _ in sorted(emulated.items(), key=lambda item: -item[1])[:5]:
        yield f"{operation} at {line} computes in {dtype}, which a {name} emulates"
    for text, line, count in plan["host"][:5]:
        yield f"{text} ({line}, {_times(count)})"
    for line, count in plan["reads"][:5]:
        yield f"{line} reads values that only a run gives, {_times(count)}: it got zeros, and waits for the device"
    steps = max(1, plan["steps"])
    for line, count, _, names in plan["singles"][:3]:
        if count / steps >= 8:
            yield f"{line} launches {count} operations one by one ({', '.join(names)}): a Cell or `jit` makes them one"


def _of_precision(plan):
    flops = plan["step"]["flops"]
    products = {kind: n for kind, n in flops.items() if kind != "other" and n}
    total = sum(products.values())
    if total and products.get("f32", 0) > 0.2 * total and plan["target"]["name"] != "cpu":
        share, peaks = products["f32"] / total, plan["target"]["peaks"]
        yield (
            f"{share:.0%} of the products are of float32 in full precision; bfloat16 is "
            f"{peaks['bf16'] / peaks['f32']:.0f} times as fast there, and MSGRAD_PRECISION=high "
            f"{peaks['tf32'] / peaks['f32']:.0f} times"
        )
    if total and products.get("f64", 0) > 0.01 * total:
        yield f"{products['f64'] / total:.0%} of the products are of float64"


def _helps(plan):
    """Sentences about what would need less memory, the greatest help first."""
    peak = plan["programs"][plan["peak_program"]]["memory"]
    total, limit = plan["peak"], plan["target"]["memory"]
    if total < limit / 2:
        return
    rows = []
    kept = peak["activations"]
    if kept:
        saved = _RECOMPUTED * kept
        rows.append((saved, f"recomputation (`cell.recompute()`) of the layers: about {amount(saved)} of activations"))
        flops = plan["step"]["flops"]
        if flops.get("bf16", 0) + flops.get("f16", 0) < sum(n for kind, n in flops.items() if kind != "other") / 2:
            rows.append((kept / 2, f"bfloat16 (`--precision bf16` tries it): about {amount(kept / 2)} of activations"))
        if total > limit:
            fixed = total - kept - peak["temporaries"]
            share = (limit - fixed) / (kept + peak["temporaries"])
            if share > 0:
                rows.append((kept * (1 - share), f"a batch of {share:.0%} of the present one would fit"))
            else:
                rows.append((0, "no batch fits: Parameters, slots and inputs alone are too large"))
    chips = plan["target"]["chips"]
    fixed = peak["parameter"] + peak["optimizer"]
    if chips == 1 and total > limit and fixed > limit / 4:
        count = -(-total // limit)
        tried = f"`--on {plan['target']['name']}:{count} --try fsdp`"
        rows.append((fixed, f"sharding of Parameters and slots over {count} chips or more ({tried} tries it)"))
    for saving, sentence in sorted(rows, key=lambda row: -row[0]):
        if saving >= _LEAST_SAVING * total or total > limit:
            yield sentence


def _times(count):
    return "once" if count == 1 else f"{count:,} times"


def _distinct(programs, key):
    """The entries of all programs under a key, once for each line."""
    seen = {}
    for each in programs:
        for row in each[key]:
            seen.setdefault((row["line"], tuple(row["shape"])), row)
    return list(seen.values())


def _where(row):
    return " ".join(filter(None, (row["path"], f"({row['line']})" if row["line"] else "")))


def _bytes(row):
    size = int(re.search(r"\d+", row["dtype"])[0]) // 8 if re.search(r"\d+", row["dtype"]) else 1
    for length in row["shape"]:
        size *= length
    return size


def amount(count):
    """Bytes for people."""
    for unit in ("B", "KiB", "MiB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1024
    return f"{count:,.1f} GiB"
