"""The process of one library: ``PYTHON -m tests.benchmarks.operations.worker LIBRARY``.

It answers each name of a row on standard input with the median processor seconds of a call, or with its error.
"""

import json
import statistics
import sys
import time

import numpy as np

from .rows import TABLES

WARM = 30  # calls that are not counted, by the end of which what is worth compiling has been compiled
LONGEST = 3.0  # processor seconds of these
COUNTED = 0.15, 5  # processor seconds and calls that count, at least
IN_A_ROW = 100  # calls of a small operation, timed together


def inputs_of(row, tensor):
    """The inputs by name, as ``tensor`` makes them of NumPy's arrays."""
    random, inputs = np.random.RandomState(0), {}
    for each in row.shapes.split():
        name, _, lengths = each.partition("=")
        lengths = [int(length) for length in lengths.split(",")]
        if name in "ij":
            values = random.randint(0, lengths[0], lengths[1:])
        elif name == "m":
            values = random.randint(0, 2, lengths).astype(bool)
        elif name == "s":
            root = random.uniform(-1, 1, lengths)
            values = (root @ root.swapaxes(-1, -2) / lengths[-1] + np.eye(lengths[-1])).astype(np.float32)
        else:
            low, high = (0.1, 2) if name in "pq" else (-1, 1)
            values = random.uniform(low, high, lengths).astype(np.float32)
        inputs[name] = tensor(values)
    return inputs


def of_torch(row):
    """A call of a row, and how its result is waited for."""
    import torch
    from torch.nn import functional

    inputs = inputs_of(row, torch.tensor)
    program, is_grad = _parsed(row.torch)
    names = {"torch": torch, "functional": functional, **inputs}
    code = compile(program, __file__, "eval")
    if not is_grad:
        return lambda: eval(code, names), lambda result: None
    wanted = next(iter(inputs.values())).requires_grad_()
    return lambda: torch.autograd.grad(eval(code, names).sum(), wanted), lambda result: None


def of_mindspore(row):
    """A call of a row, and how its result is waited for."""
    import mindspore
    from mindspore import mint, ops

    mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    inputs = inputs_of(row, mindspore.Tensor)
    program, is_grad = _parsed(row.program)
    names = {"mindspore": mindspore, "mint": mint, "ops": ops, "__name__": __name__}
    run = eval(compile(f"lambda {', '.join(inputs)}: {program}", __file__, "eval"), names)
    if is_grad:
        run = mindspore.grad(run, 0)
    operands = tuple(inputs.values())

    def wait(result):
        for each in result if isinstance(result, tuple | list) else (result,):
            each.asnumpy()

    return lambda: run(*operands), wait


def _parsed(line):
    """The line without its mark, and whether it is differentiated."""
    program = line.removeprefix("grad:").strip()
    return program, program != line


def timed(run, wait, is_small):
    """Processor seconds of a call."""
    start = time.process_time()
    for _ in range(IN_A_ROW if is_small else 1):
        result = run()
    wait(result)
    return (time.process_time() - start) / (IN_A_ROW if is_small else 1)


def median(run, wait, is_small):
    """The median of as many measurements as `COUNTED` says."""
    shortest, least = COUNTED
    start, times = time.process_time(), []
    while len(times) < least or time.process_time() - start < shortest:
        times.append(timed(run, wait, is_small))
    return statistics.median(times)


def warm_up(run, wait, is_small):
    start = time.process_time()
    for _ in range(WARM):
        timed(run, wait, is_small)
        if time.process_time() - start > LONGEST:
            break


def main(library):
    rows = {row.name: row for table in TABLES.values() for row in table}
    ready = {}
    for line in sys.stdin:
        name = json.loads(line)
        row = rows[name]
        try:
            if name not in ready:
                ready.clear()  # one row's inputs at a time
                ready[name] = of_torch(row) if library == "torch" else of_mindspore(row)
                warm_up(*ready[name], row.is_small)
            answer = median(*ready[name], row.is_small)
        except Exception as error:
            answer = f"{type(error).__name__}: {error}".partition("\n")[0][:100]
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
