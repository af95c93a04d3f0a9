"""Tables of measurements, for the terminal and for the pages in ``docs/benchmarks``."""

import datetime
import importlib.metadata
import os
import platform

from .driver import ROOT

PAGES = ROOT / "docs" / "benchmarks"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
HEAD = ("version", "best", "ratio", "median", "ratio", "first call", "ratio", "programs", "memory")


def rows(measured):
    """Returns the lines of a table, as tuples of text, for ``{version: Figures}``."""
    base = next(iter(measured.values()))
    for version, figures in measured.items():
        if figures.error:
            yield (version, f"failed: {figures.error[:60]}", *[""] * (len(HEAD) - 2))
            continue
        late = f" +{figures.late} late" if figures.late else ""
        yield (
            version if figures.agrees_with(base) else f"{version} (other numbers)",
            _microseconds(figures.best),
            f"{figures.best / base.best:.2f}",
            _microseconds(figures.median),
            f"{figures.median / base.median:.2f}",
            f"{figures.first * 1e3:.0f} ms",
            f"{figures.first / base.first:.2f}",
            "" if figures.programs is None else f"{figures.programs}{late}",
            f"{figures.memory:.0f} MiB",
        )


def _microseconds(seconds):
    if seconds >= 0.1:
        return f"{seconds * 1e3:.0f} ms"
    return f"{seconds * 1e6:.{0 if seconds > 1e-6 else 2}f} µs"


def text(title, measured):
    """Returns the table of a workload with aligned columns."""
    lines = [HEAD, *rows(measured)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    body = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([title, *body, ""])


def markdown(title, measured):
    """Returns the table of a workload in Markdown."""
    lines = [HEAD, ("---",) * len(HEAD), *rows(measured)]
    return "\n".join([f"## {title}", "", *(f"| {' | '.join(line)} |" for line in lines), "", describe_machine(), ""])


def describe_machine():
    """Returns one line that says where and with what the figures were taken."""
    version = importlib.metadata.version("jax")
    return (
        f"Taken on {datetime.date.today()}, {platform.machine()}, {os.cpu_count()} cores,"
        f" Python {platform.python_version()}, JAX {version}, load average {os.getloadavg()[0]:.1f} at the end."
    )


def write(page, tables):
    """Puts ``tables`` between the marks of a page of `PAGES`, in place of former ones with the same titles."""
    document = PAGES / page
    before, _, rest = document.read_text().partition(BEGIN)
    kept, _, after = rest.partition(END)
    sections = {_title(table): table for table in [f"## {each.strip()}\n" for each in kept.split("## ")[1:]] + tables}
    document.write_text(f"{before}{BEGIN}\n" + "\n".join(sections.values()) + f"{END}{after}")
    return os.path.relpath(document)


def _title(table):
    return table.partition("\n")[0]
