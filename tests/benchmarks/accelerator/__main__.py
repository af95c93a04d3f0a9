"""``python -m tests.benchmarks.accelerator --markdown``: see the package's docstring."""

import argparse
import contextlib
import json
import os
import pathlib
import re
import sys
import tempfile
import time

from .. import tables
from . import plan, report
from .jobs import Background, run_group

SECONDS = 480


def run(args, write):
    """Runs all parts, and once more, alone, those that lacked memory; ``write`` gets what is known after each group."""
    until = time.monotonic() + args.seconds
    groups, checks = plan.groups(args.torch, args.small), plan.checks(args.small)
    for kept in (checks, *(group.jobs for group in groups)):
        kept[:] = [job for job in kept if re.search(args.only, job.name)]
    groups = [group for group in groups if group.jobs]
    jobs = [*(job for group in groups for job in group.jobs), *checks]
    slots = max(1, (os.cpu_count() - 4) // 2 + 1)
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        background = Background(checks, slots, pathlib.Path(folder), sys.executable)
        stack.callback(background.end)
        for group in groups:
            start = time.monotonic()
            if until - start > 5:
                run_group(group.jobs, background, until, group.is_quiet)
            took = time.monotonic() - start
            sys.stdout.write(f"{until - time.monotonic():5.0f} s left; {group.name}: {took:.0f} s\n")
            sys.stdout.flush()
            write(jobs)
        for job in [job for job in jobs if job.lacked_memory()]:
            if until - time.monotonic() > 5:
                jobs[jobs.index(job)] = again = job.again()
                run_group([again], background, until, is_quiet=False)
                write(jobs)
        background.finish(until)
        write(jobs)


def main():
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.accelerator", description=__doc__.partition(":")[0]
    )
    parser.add_argument(
        "--torch", metavar="PYTHON", default=sys.executable, help="an interpreter with PyTorch (this one)"
    )
    parser.add_argument("--out", metavar="FILE", default="accelerator.json", help="all results (accelerator.json)")
    parser.add_argument("--seconds", type=int, default=SECONDS, help=f"for everything ({SECONDS})")
    parser.add_argument(
        "--only", metavar="REGEX", default="", help="parts whose names match, as in the file of results"
    )
    parser.add_argument("--small", action="store_true", help="small sizes and few checks: tries the command on a CPU")
    parser.add_argument("--read", action="store_true", help="run nothing: take the results from the file")
    parser.add_argument("--markdown", action="store_true", help="write the tables to docs/benchmarks/accelerators.md")
    args = parser.parse_args()
    out = pathlib.Path(args.out)

    def write(jobs):
        results = {job.name: job.result() for job in jobs}
        out.write_text(
            json.dumps({"machine": tables.describe_machine(), "small": args.small, "results": results}, indent=1) + "\n"
        )

    if not args.read:
        run(args, write)
    known = json.loads(out.read_text())
    print(report.text(known["results"]))
    if args.markdown and known["small"]:
        parser.error("figures of --small are not written to docs/benchmarks/accelerators.md")
    if args.markdown:
        print("wrote", tables.write("accelerators.md", [report.markdown(known["results"], known["machine"])]))


if __name__ == "__main__":
    main()
