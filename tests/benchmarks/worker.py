"""One version of one workload in a process of its own; it needs neither JAX nor MindSpore but the one it measures.

    PYTHON -m tests.benchmarks.worker WORKLOAD VERSION

It says on standard output, one JSON object a line, what the first call took and computed. Then it reads numbers of
steps from standard input, one a line, and answers with the seconds per step; at the end of input, with its peak memory.
"""

import importlib
import json
import resource
import sys
import time

FIRST_VALUES = 64  # of each result, for the comparison of versions
SETTLE = 3  # steps after which nothing more should be compiled


def prepare(version):
    """Loads what ``version`` needs, and returns how to make the step and how to count compiled programs."""
    if version.startswith("jax"):
        count = _count_compilations()
        return lambda workload: workload.jax_step(compiled=version == "jax.jit"), count
    library, mode = version.split()
    count = None
    if library == "msgrad":
        import msgrad.alias

        msgrad.alias.install()
        count = _count_compilations()
    import mindspore

    mindspore.set_context(mode=getattr(mindspore, f"{mode}_MODE"))
    return lambda workload: workload.mindspore_step(), count


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
    """Runs ``count`` steps, waits for the first result of each and for all results of the last; seconds per step."""
    start = time.perf_counter()
    for _ in range(count):
        results = step()
        numpy_of(results[0])
    for result in results:
        numpy_of(result)
    return (time.perf_counter() - start) / count


def say(**facts):
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


def peak_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # Linux counts in kB


def main(name, version):
    make_step, count = prepare(version)
    step = make_step(importlib.import_module(f"tests.benchmarks.workloads.{name}"))
    before = count() if count else 0
    start = time.perf_counter()
    results = step()
    values = [numpy_of(result) for result in results]
    first = time.perf_counter() - start
    timed(step, SETTLE)
    programs = count() - before if count else None
    say(first=first, programs=programs, values=[float(v) for value in values for v in value.ravel()[:FIRST_VALUES]])
    for line in sys.stdin:
        say(seconds=timed(step, int(line)))
    say(memory=peak_memory(), late=count() - before - programs if count else None)


if __name__ == "__main__":
    main(*sys.argv[1:])
