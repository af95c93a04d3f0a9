"""Versions of one workload in a process; it needs neither JAX nor MindSpore but what it measures.

    PYTHON -m tests.benchmarks.worker WORKLOAD VERSION [VERSION ...]

It says on standard output, one JSON object a line, what the first call of each version took and computed, or its error.
Then it reads numbers of steps and a version from standard input, one pair a line, and answers with the seconds per
step and per turn of the step's loop; at the end of input, with its peak memory.
"""

import json
import resource
import signal
import sys
import time

from . import workloads

FIRST_VALUES = 64  # of each result, for the comparison of versions
LONGEST = 30  # seconds that a first call may take; a version that is slower is left out
SETTLE = 3  # steps after which nothing more should be compiled
LATER = 20  # steps in which nothing was, then


def prepare(version):
    """Loads what ``version`` needs, and returns how to count compiled programs, if it has such."""
    library = version.split()[0]
    if library == "msgrad":
        import msgrad.alias

        msgrad.alias.install()
    if library not in ("jax.jit", "jax", "msgrad"):
        return None
    _warm_up()
    return _count_compilations()


def _warm_up():
    """Compiles something: what JAX imports and XLA sets up then is no version's own, and JAX's make their inputs so."""
    import jax

    jax.jit(lambda x: x + 1)(0.0)


def choose_mode(version):
    """Sets MindSpore's or msgrad's mode to that of ``version``."""
    library, *mode = version.split()
    if library in ("msgrad", "mindspore"):
        import mindspore

        mindspore.set_context(mode=getattr(mindspore, f"{mode[0]}_MODE"))


def _count_compilations():
    """Returns a function that says how many programs XLA has compiled since."""
    import jax

    compiled = []

    def listen(event, duration, **details):
        if event == "/jax/core/compile/backend_compile_duration":
            compiled.append(duration)

    jax.monitoring.register_event_duration_secs_listener(listen)
    return lambda: len(compiled)


def numpy_of(result):
    import numpy

    return result.asnumpy() if hasattr(result, "asnumpy") else numpy.asarray(result)


def timed(step, count):
    """Runs ``count`` steps, waits for the first result of each and for all results of the last; the seconds of all."""
    start = time.perf_counter()
    for _ in range(count):
        results = step()
        numpy_of(results[0])
    for result in results:
        numpy_of(result)
    return time.perf_counter() - start


def turn(step, count):
    """Runs ``count`` steps; the seconds of each, and of each turn of the step's loop, if it counts such."""
    before = getattr(step, "turns", 0)
    seconds = timed(step, count)
    return {"step": seconds / count, "seconds": seconds / (getattr(step, "turns", count) - before)}


def say(**facts):
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


def peak_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # Linux counts in kB


def begin(workload, version, count):
    """Makes the step of a version, runs it for the first times, and says what that took; the step."""
    choose_mode(version)
    step = workloads.maker(version)(workload)
    before = count() if count else 0
    signal.alarm(LONGEST)
    start = time.perf_counter()
    results = step()
    values = [numpy_of(result) for result in results]
    signal.alarm(0)
    first = time.perf_counter() - start
    facts = {"first": first, "values": [float(v) for value in values for v in value.ravel()[:FIRST_VALUES]]}
    if count:
        timed(step, SETTLE)
        facts["programs"] = count() - before
        timed(step, LATER)
        facts["late"] = count() - before - facts["programs"]
    say(**facts)
    return step


def give_up(*_):
    raise TimeoutError(f"no first step in {LONGEST} s")


def main(name, *versions):
    signal.signal(signal.SIGALRM, give_up)
    workload = workloads.load(name)
    prepared = {version: prepare(version) for version in versions}  # all, since libraries set each other's up on import
    steps = {}
    for version in versions:
        try:
            steps[version] = begin(workload, version, prepared[version])
        except Exception as error:  # the other versions go on
            say(error=f"{type(error).__name__}: {error}".strip().splitlines()[0])
    for line in sys.stdin:
        count, version = line.strip().split(maxsplit=1)
        choose_mode(version)
        say(**turn(steps[version], int(count)))
    say(memory=peak_memory())


if __name__ == "__main__":
    main(*sys.argv[1:])
