"""How long initial values take: ``python -m tests.benchmarks.initial_values --oracle PYTHON``.

Each initializer fills Tensors of 1e7 and 1e8 values, in turns with MindSpore, whose interpreter ``--oracle`` names.
The least of the turns counts: wall time, and that of the processor, which other work disturbs less.
"""

import argparse
import os
import subprocess
import sys

from .driver import ROOT

INITIALIZERS = "XavierUniform()", "Normal()", "TruncatedNormal()"
COUNTS = {10**7: 5, 10**8: 1}  # of values: turns
WORKER = """
import sys, time
if sys.argv[1] == "msgrad":
    import msgrad.alias
    msgrad.alias.install()
from mindspore.common import initializer
for line in sys.stdin:
    source, count = line.split()
    wall, processor = time.perf_counter(), time.process_time()
    initializer.initializer(eval("initializer." + source), (int(count) // 1000, 1000)).init_data()
    print("took", time.perf_counter() - wall, time.process_time() - processor, flush=True)
"""


def started(python, library):
    command = [python, "-c", WORKER, library]
    environment = {**os.environ, "GLOG_v": "4", "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, text=True, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def took(process, source, count):
    """Seconds of the wall and of the processor."""
    process.stdin.write(f"{source} {count}\n")
    process.stdin.flush()
    for line in process.stdout:
        if line.startswith("took"):
            return [float(word) for word in line.split()[1:]]
    raise RuntimeError(f"the process ended with {process.wait()}")


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.initial_values", description=__doc__)
    parser.add_argument("--oracle", metavar="PYTHON", help="an interpreter that has MindSpore 2.10")
    oracle = parser.parse_args().oracle
    workers = {"msgrad": started(sys.executable, "msgrad")}
    if oracle:
        workers["MindSpore"] = started(oracle, "mindspore")
    sys.stdout.write("| values | " + " | ".join(f"{name}, wall | processor" for name in workers) + " |\n")
    sys.stdout.write("|---|" + "---:|---:|" * len(workers) + "\n")
    for source in INITIALIZERS:
        for count, turns in COUNTS.items():
            figures = {name: [] for name in workers}
            for _ in range(turns):
                for name, worker in workers.items():
                    figures[name].append(took(worker, source, count))
            cells = [f"{min(part):.2f} s" for turns in figures.values() for part in zip(*turns, strict=True)]
            sys.stdout.write(f"| `{source}`, {count:.0e} | " + " | ".join(cells) + " |\n")
            sys.stdout.flush()
    for worker in workers.values():
        worker.stdin.close()


if __name__ == "__main__":
    main()
