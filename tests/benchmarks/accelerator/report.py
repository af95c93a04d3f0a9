"""Tables of the results, for the terminal and for ``docs/benchmarks/accelerators.md``."""

from .cold import PROGRAMS
from .plan import WORKS
from .precision import NAMES as PRECISIONS

TITLES = {"gpt2": "GPT-2 124M, batch 8 x 1024", "resnet50": "ResNet-50, batch 128 x 224"}
VERSIONS = {"graph": "GRAPH", "pynative": "PYNATIVE", "jax": "JAX by hand", "torch": "PyTorch"}
ATTENTION = {
    "ops": "by hand in `ops`",
    "flash": "`ops.flash_attention_score`",
    "jax": "JAX with cuDNN",
    "torch": "PyTorch",
}
CHECKS = {
    "operations": "rows of operations, both modes",
    "network": "networks",
    "example": "example programs, both modes",
}


def _cell(results, job, key, digits=1, scale=1):
    """A figure, or ``failed``, or nothing where there was no such job."""
    result = results.get(job)
    if result is None:
        return ""
    figure = result.get(key)
    return "failed" if figure is None and "failed_because" in result else _number(figure, digits, scale)


def _number(figure, digits, scale=1):
    return "" if figure is None else f"{figure * scale:.{digits}f}"


def _table(head, rows):
    """A table of the rows that have a figure; empty if none has."""
    rows = [row for row in rows if any(row[1:])]
    if not rows:
        return ""
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ["---", *["---:"] * (len(head) - 1)], *rows))


def _steps(results, key, digits):
    for work in WORKS:
        for precision in PRECISIONS:
            row = [_cell(results, f"{work} {version} {precision}", key, digits) for version in VERSIONS]
            yield [f"{TITLES[work]}, {precision}", *row]


def _checks(results):
    """How many of each kind of check have passed."""
    for kind, title in CHECKS.items():
        found = [result for name, result in results.items() if name.startswith(f"{kind} ")]
        checked = sum(result.get("checked", 0) for result in found)
        wrong = sum(len({name.split()[0] for name, _ in result.get("failed", ())}) for result in found)
        unfinished = sum("failed_because" in result and kind != "operations" for result in found)
        if found:
            yield [title, str(checked), str(wrong), str(unfinished)]


def problems(results):
    """A line for each part that failed or ran out of time, and for each wrong value."""
    for name, result in results.items():
        if "failed_because" in result:
            yield f"{name}: {result['failed_because']}"
        for what, why in result.get("failed", ()):
            yield f"{name}: wrong: {what}: {why}"


def card(results):
    """The name of the device that the parts ran on."""
    return next((result["device"] for result in results.values() if "device" in result), "no device")


def tables(results):
    """The tables that have figures as Markdown, by what they show."""
    versions = list(VERSIONS.values())
    small, torch = results.get("small msgrad", {}), results.get("small torch", {})
    products = results.get("products", {})
    settings = ("default", "tf32", "float32")
    cold = [
        [
            title,
            *[
                _cell(results, f"cold {name} {end}", key, 1)
                for key in ("program", "wall")
                for end in ("first", "later")
            ],
        ]
        for name, title in PROGRAMS.items()
    ]
    rows = [("a small operation", "msgrad operation", "jax operation", "torch operation")]
    rows += [("a turn of a loop on values", "msgrad loop", "", "torch loop")]
    rows += [("the same with its gradient", "msgrad loop with gradient", "", "")]
    rows += [(f"MLP, batch 64, width 128, {m}", f"MLP msgrad {m}", "MLP jax.jit", "") for m in ("GRAPH", "PYNATIVE")]
    small_rows = [[title, *[_number({**small, **torch}.get(name), 0) for name in names]] for title, *names in rows]
    shown = {
        "Milliseconds of a training step": _table(["", *versions], _steps(results, "ms", 1)),
        "Seconds of the first step, compiled beside the others": _table(["", *versions], _steps(results, "first", 1)),
        "Peak memory, MiB": _table(["", *versions], _steps(results, "peak", 0)),
        "Attention, forward and gradient, 4 x 16 heads of 64, bf16: milliseconds, and peak memory of both": _table(
            ["", "T = 1024", "T = 4096", "MiB"],
            [
                [title, *[_cell(results, f"attention {name}", key, digits) for key, digits in _ATTENTION_FIGURES]]
                for name, title in ATTENTION.items()
            ],
        ),
        "Cold, seconds: the program alone in a first and a later process, and the whole processes": _table(
            ["", "program, first", "later", "process, first", "later"], cold
        ),
        "Microseconds": _table(["", "msgrad", "JAX", "PyTorch"], small_rows),
        "Relative errors": _table(
            ["", *settings],
            [
                [kind, *[_error(products.get(f"{kind}, {each}")) for each in settings]]
                for kind in ("product", "convolution")
            ],
        ),
        "Checks": _table(["", "checked", "wrong", "unfinished"], _checks(results)),
    }
    return {title: table for title, table in shown.items() if table}


_ATTENTION_FIGURES = (("1024", 2), ("4096", 2), ("peak", 0))


def _error(figure):
    return "" if figure is None else f"{figure:.1e}"


def text(results):
    """All tables, and what went wrong before them, so that the tables are the end of the output."""
    wrong = "".join(f"{line}\n" for line in problems(results))
    return wrong + "\n" + "\n\n".join(f"{title}:\n{table}" for title, table in tables(results).items())


def markdown(results, machine):
    """The section of ``docs/benchmarks/accelerators.md``."""
    parts = [f"## On an accelerator: {card(results)}"]
    parts += [f"{title}:\n\n{table}" for title, table in tables(results).items()]
    wrong = [f"- {line}" for line in problems(results)]
    parts += ["What failed:\n\n" + "\n".join(wrong)] if wrong else []
    return "\n\n".join([*parts, machine]) + "\n"
