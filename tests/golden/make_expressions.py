"""Writes ``expressions.json``: what MindSpore makes of ``tests/expressions``.

    GLOG_v=4 ORACLE_PYTHON tests/golden/make_expressions.py [TABLE ...]

Each expression runs in a process of its own, since MindSpore reports some errors late, at the next operation.
The other tables keep their outcomes, if some are named.
"""

import json
import multiprocessing
import pathlib
import sys

import mindspore as ms
from _tables import write_nested

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from expressions import CASES, namespace, outcome  # noqa: E402  (found beside this folder)


def _send(expression, pipe):
    pipe.send(outcome(expression, namespace(ms)))


def run(expression):
    """The outcome of ``expression`` in a forked process; a crash is an outcome, too."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_send, args=(expression, there))
    process.start()
    process.join(60)
    return here.recv() if here.poll() else {"raises": "crash"}


def main():
    chosen = sys.argv[1:] or CASES
    kept = json.loads((HERE / "expressions.json").read_text()) if sys.argv[1:] else {}
    table = {
        name: {each: run(each) for each in items} if name in chosen else kept[name] for name, items in CASES.items()
    }
    write_nested(HERE / "expressions.json", table)


if __name__ == "__main__":
    main()
