"""What a part says to the command that started it, one JSON object a line, and how it waits for its turn.

A part can be run alone, too: ``python -m tests.benchmarks.accelerator.training gpt2 graph bf16 </dev/null``.
"""

import json
import sys
import time


def say(**facts):
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


def wait_for_turn(**facts):
    """Says that everything is compiled, and waits until no other process runs."""
    say(ready=True, **facts)
    sys.stdin.readline()


def best(run, read, count, rounds=3):
    """The least seconds of a call of ``run``: ``rounds`` times it is called ``count`` times, and ``read`` once."""
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(count):
            result = run()
        read(result)
        seconds.append((time.perf_counter() - start) / count)
    return min(seconds)


def device():
    """The name of JAX's device, as its maker writes it."""
    import jax

    return jax.local_devices()[0].device_kind


def peak_of_jax():
    """The most memory of the device that JAX has used, in MiB; None on a CPU."""
    import jax

    statistics = jax.local_devices()[0].memory_stats()
    return statistics and round(statistics["peak_bytes_in_use"] / 2**20)
