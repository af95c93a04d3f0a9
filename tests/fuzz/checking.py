"""Comparison of a program's results in different modes."""

import concurrent.futures
import contextlib
import dataclasses
import multiprocessing
import os

import numpy as np

from ..helpers import assert_close
from ..tuning import tune
from . import plain, running

TOLERANCES = {"float32": 1e-4, "float64": 1e-7}  # of the largest value
MEANINGLESS = ("NameError", "UnboundLocalError")  # what a program is that lacks a statement
GRADIENT = "call 0: gradient"
DIFFERENCES = 1e-5  # of derivatives by differences, which themselves may stand on such


@dataclasses.dataclass
class Disagreement:
    """``where`` names the mode and the observed value, ``kind`` the fault; two of one kind count as one."""

    where: str
    message: str

    @property
    def kind(self):
        mode, _, observation = self.where.split(": ", 2)
        return mode, observation, self.message.partition("\n")[0].split(" ")[0]


@contextlib.contextmanager
def eager_process():
    """A function that has a program observed operation by operation, in a process of its own; it returns a Future."""
    before = os.environ.get("MSGRAD_EAGER")
    os.environ["MSGRAD_EAGER"] = "1"  # read when the process imports msgrad
    try:
        context = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(1, context, initializer=tune) as pool:
            yield lambda program: pool.submit(running.observe_in, "PYNATIVE_MODE", program)
    finally:
        os.environ.pop("MSGRAD_EAGER")
        if before is not None:
            os.environ["MSGRAD_EAGER"] = before


def check(program, wanted):
    """Returns the first `Disagreement` of a program with what was observed ``wanted`` eagerly, or None."""
    if any(outcome.get("raised") in MEANINGLESS for outcome in wanted.values()):
        return None
    for mode in running.MODES:
        if program.has_views and mode == "GRAPH_MODE":
            continue
        disagreement = compare(mode, running.observe_in(mode, program), wanted, TOLERANCES[program.dtype])
        if disagreement is not None:
            return disagreement
    return compare_with_differences(program, wanted)


def compare(mode, seen, wanted, tolerance):
    for observation, expected in wanted.items():
        disagreement = compare_leaves(f"{mode}: {observation}", seen[observation], expected, tolerance)
        if disagreement is not None:
            return disagreement
    return None


def compare_leaves(where, seen, wanted, tolerance):
    if list(seen) != list(wanted) or seen.get("raised") != wanted.get("raised"):
        return Disagreement(where, f"structure {describe(seen)}, expected {describe(wanted)}")
    for path, expected in wanted.items():
        try:
            if isinstance(expected, np.ndarray):
                size = np.abs(expected[np.isfinite(expected)], dtype=np.float64).max(initial=1.0)
                assert_close(seen[path], expected, rtol=tolerance, atol=tolerance * size)
            else:
                assert seen[path] == expected, f"value {seen[path]!r}, expected {expected!r}"
        except AssertionError as error:
            return Disagreement(where, f"{path}: {error}".strip())
    return None


def describe(outcome):
    return outcome.get("raised") or list(outcome)


def compare_with_differences(program, seen):
    """Compares the first call of what was ``seen`` of a program with differences of values."""
    if not program.is_true or program.has_views or program.dtype != "float64":
        return None
    with running.in_mode("PYNATIVE_MODE"):
        try:
            wanted = plain.observe(program)
        except running.Inconclusive:
            return None
    seen = {**seen, GRADIENT: along_directions(seen[GRADIENT], wanted[GRADIENT])}
    return compare("differences", seen, wanted, DIFFERENCES)


def along_directions(seen, wanted):
    """Returns the gradients that were seen, which come last, as derivatives in the directions of ``wanted``."""
    if "raised" in seen or "raised" in wanted:
        return {"raised": seen["raised"]} if "raised" in seen else {}
    gradients = [each for each in seen.values() if isinstance(each, np.ndarray)][-len(wanted) :]
    derivatives = [np.asarray((gradient * plain.direction(gradient.shape)).sum()) for gradient in gradients]
    return dict(zip(wanted, derivatives, strict=True))
