"""The options of the fuzzers of jaxprs: which families, and how many of each."""

import argparse

from .jaxprs import FAMILIES


def chosen(module, description, each):
    """The families and the seeds (range) that the command line names; ``each`` is the default number of jaxprs."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument("--each", type=int, default=each, help=f"jaxprs of each family (default: {each})")
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the next ones follow (default: 0)")
    parser.add_argument("--family", choices=FAMILIES, action="append", help="only this family; may be given again")
    args = parser.parse_args()
    return args.family or FAMILIES, range(args.seed, args.seed + args.each)
