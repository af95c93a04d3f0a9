"""Draws and checks programs until the time is over: ``python -m tests.fuzz --minutes N [--seed S]``."""

import argparse
import re
import sys
import time
import warnings

from .checking import check, eager_process
from .shrink import shrink
from .writer import draw


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def still_fails(kind, eager):
    def fails(program):
        try:
            disagreement = check(program, eager(program).result())
        except SyntaxError:  # a block has lost its last statement
            return False
        return disagreement is not None and disagreement.kind == kind

    return fails


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.partition(": `")[0])
    parser.add_argument("--minutes", type=float, default=1, help="how long to go on (default: 1)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the next ones follow (default: 0)")
    parser.add_argument("--programs", type=int, help="how many programs at most")
    parser.add_argument("--without", metavar="REGEX", help="leave out programs with such text: known faults")
    args = parser.parse_args()
    warnings.simplefilter("ignore", RuntimeWarning)  # programs are not steady, and need not be
    end, seed, run, kinds = time.monotonic() + 60 * args.minutes, args.seed, 0, {}
    with eager_process() as eager:
        while time.monotonic() < end and seed - args.seed != args.programs:
            program = draw(seed)
            is_left_out = args.without and re.search(args.without, program.text)
            disagreement = None if is_left_out else check(program, eager(program).result())
            run += not is_left_out
            if disagreement is not None:
                kinds.setdefault(disagreement.kind, []).append(seed)
                say(f"seed {seed}: {disagreement.where}: {disagreement.message}")
                if len(kinds[disagreement.kind]) == 1:
                    smallest = shrink(program, still_fails(disagreement.kind, eager))
                    say(f"the smallest program ({smallest.dtype}, has_aux={smallest.has_aux}):\n{smallest.text}")
            seed += 1
    say(f"{run} programs, seeds {args.seed} to {seed - 1}; {len(kinds)} kinds of disagreement")
    for kind, seeds in kinds.items():
        say(f"{len(seeds):4} {kind}: seeds {', '.join(map(str, seeds[:8]))}")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
