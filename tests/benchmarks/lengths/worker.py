"""One row in one process: ``PYTHON -m tests.benchmarks.lengths.worker ROW LIBRARY``.

It says on standard output, one JSON object a line, what each turn took and computed; when it is terminated, what the
unfinished turn has taken so far.
"""

import importlib
import os
import resource
import signal
import sys
import time

from ..accelerator.turns import say
from .rows import ROWS, order, text, weights

LIBRARIES = {"msgrad": "mindspore_model", "torch": "torch_model"}  # and the models that they run


def turns_of(row, model):
    """A function of the number of a turn, from 0, that runs it and gives numbers that all libraries agree on."""
    net = model.Transformer(row.sizes, weights(row.sizes))
    if row.work == "epoch":
        training = model.Training(net)
        texts = {length: text(row.sizes, length) for length in row.lengths}
        return lambda turn: [training.step(texts[length]) for length in order(row.lengths, turn)]
    prompt, count = row.lengths
    return lambda turn: net.generate(text(row.sizes, prompt)[:, :-1].copy(), count, row.work)


def _counts():
    """What msgrad has compiled."""
    from msgrad.engine.execution.execute import report

    counts = report()
    return {"programs": counts["programs compiled"], "operations": counts["operations compiled"]}


def main(name, library):
    row = ROWS[name]
    if library == "msgrad":
        import msgrad.alias

        msgrad.alias.install()
    run = turns_of(row, importlib.import_module(f".{LIBRARIES[library]}", __package__))
    start = time.process_time()

    def say_turn(**facts):
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # Linux reports kilobytes
        counts = _counts() if library == "msgrad" else {}
        say(seconds=time.process_time() - start, memory=memory, **counts, **facts)

    def end(*_):
        say_turn()
        os._exit(1)

    signal.signal(signal.SIGTERM, end)
    for turn in range(row.turns):
        start = time.process_time()
        say_turn(values=run(turn))


if __name__ == "__main__":
    main(*sys.argv[1:])
