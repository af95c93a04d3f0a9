"""Parts that check values: ``... .checks operations SHARD/SHARDS SECONDS | network NAME | example NAME MODE``.

TF32 is not allowed in them, so that the figures hold that were taken on a CPU.
"""

import contextlib
import io
import itertools
import pathlib
import random
import runpy
import sys
import time

from .precision import set_in_mindspore
from .turns import say

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "compat_examples"
DISPLAYED = 1e-3  # by how much a number that an example prints after its training may differ


def mindspore():
    """MindSpore's name for msgrad, without TF32."""
    import msgrad.alias

    msgrad.alias.install()
    import mindspore

    set_in_mindspore("float32")
    return mindspore


def operations(shard, seconds):
    """Rows of `tests.op_cases` in both modes against MindSpore's figures, as many as there is time for.

    Their derivatives, of both orders in one program, for every third.
    """
    ms = mindspore()
    from ...op_cases import CASES
    from ...ops.rows import check_derivatives, check_values, derivatives_of, values_of

    until = time.monotonic() + float(seconds)
    number, count = map(int, shard.split("/"))
    cases = [case for case in CASES if "cuda" in case.platforms]
    random.Random(0).shuffle(cases)
    checked, failed = 0, []
    for case in cases[number::count]:
        for mode in ("PYNATIVE", "GRAPH"):
            if time.monotonic() > until:
                break
            ms.set_context(mode=getattr(ms, f"{mode}_MODE"))
            try:
                check_values(case, values_of(case))
                if mode == "GRAPH" and case.order and checked % 3 == 0:
                    check_derivatives(case, derivatives_of(case))
            except Exception as error:
                failed.append([f"{case.name} {mode}", f"{type(error).__name__}: {error}".partition("\n")[0][:200]])
        else:
            checked += 1
            say(checked=checked, failed=failed)


def network(name):
    """A network of `tests.networks` against MindSpore's figures: outputs, losses, norms of gradients or training."""
    mindspore()
    from ...networks import TRAINED, comparison, describe, train

    said = train.learnt(name) if name in TRAINED else describe.described(name)
    failed = []
    try:
        comparison.assert_same_figures(name, said, looser=10)
    except AssertionError as error:
        failed = [[name, " ".join(str(error).split())[:200]]]
    say(checked=1, failed=failed)


def example(name, mode):
    """A program of ``compat_examples`` against what MindSpore prints."""
    ms = mindspore()
    ms.set_context(mode=getattr(ms, f"{mode}_MODE"))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    actual, expected = printed.getvalue(), (EXAMPLES / "expected" / f"{name}.txt").read_text()
    differing = _difference(actual, expected)
    say(checked=1, exact=actual == expected, failed=[[f"{name} {mode}", differing]] if differing else [])


def _difference(actual, expected):
    """The first line whose text differs, or its numbers by more than `DISPLAYED`; empty if there is none."""
    from ...helpers import assert_same_display

    for shown, wanted in itertools.zip_longest(actual.splitlines(), expected.splitlines(), fillvalue=""):
        try:
            assert_same_display(shown, wanted, rtol=DISPLAYED)
        except AssertionError as error:
            return str(error)[:200]
    return ""


def main(check, *arguments):
    {"operations": operations, "network": network, "example": example}[check](*arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
