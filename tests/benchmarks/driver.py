"""Runs all versions of a workload side by side, in turns, so that what disturbs the machine disturbs all of them.

Between its turns a version's process is stopped: threads that wait busily would disturb the others.
"""

import dataclasses
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
OURS = ("jax.jit", "jax eager", "msgrad PYNATIVE", "msgrad GRAPH")
ORACLE = ("mindspore PYNATIVE", "mindspore GRAPH")
BASE = OURS[0]
PROCESSES = 3  # of each version, one after the other
ROUND_SECONDS = 0.1  # how long one turn of one version takes, about


@dataclasses.dataclass
class Figures:
    """What was measured of one version: times in seconds, memory in MiB; ``error`` instead if it failed."""

    first: float = float("nan")
    seconds: list = dataclasses.field(default_factory=list)
    programs: int | None = None
    late: int | None = None
    memory: float = float("nan")
    values: list = dataclasses.field(default_factory=list)
    error: str = ""

    @property
    def best(self):
        return min(self.seconds, default=float("nan"))

    @property
    def median(self):
        return statistics.median(self.seconds) if self.seconds else float("nan")

    def agrees_with(self, other):
        """Tells whether both computed the same in their first call, to 1e-3 of the largest value."""
        size = max((abs(value) for value in other.values), default=0)
        pairs = zip(self.values, other.values, strict=False)
        return len(self.values) == len(other.values) and all(abs(a - b) <= 1e-3 * size for a, b in pairs)


class Worker:
    """A process that runs one version and waits for its turns."""

    def __init__(self, python, workload, version, folder):
        environment = {**os.environ, "GLOG_v": "4", "PYTHONPATH": str(ROOT), "MSGRAD_CACHE": "off"}
        command = [python, "-m", "tests.benchmarks.worker", workload, version]
        self.errors = open(pathlib.Path(folder) / f"{workload} {version}", "w+")  # noqa: SIM115  (closed in `finish`)
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
        )
        self.figures = Figures()
        self.steps = 1
        self._read()
        self.process.send_signal(signal.SIGSTOP)

    def turn(self):
        if not self.figures.error:
            self._ask(self.steps)

    def calibrate(self):
        self.turn()
        if self.figures.seconds:
            self.steps = max(1, round(ROUND_SECONDS / self.figures.seconds.pop()))

    def finish(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.stdin.close()
        if not self.figures.error:
            self._read()
        self.process.wait()
        self.errors.close()
        return self.figures

    def _ask(self, steps):
        self.process.send_signal(signal.SIGCONT)
        self.process.stdin.write(f"{steps}\n")
        self.process.stdin.flush()
        self._read()
        self.process.send_signal(signal.SIGSTOP)

    def _read(self):
        """Takes one answer; a line that is not one is something that the library printed."""
        for line in self.process.stdout:
            if line.startswith("{"):
                facts = json.loads(line)
                if "seconds" in facts:
                    self.figures.seconds.append(facts.pop("seconds"))
                for name, value in facts.items():
                    setattr(self.figures, name, value)
                return
        self.process.wait()
        self.errors.seek(0)
        errors = [line.strip() for line in self.errors if re.match(r"\w*Error\b", line)]
        self.figures.error = errors[-1] if errors else f"exit status {self.process.returncode}"


def measure(workload, rounds, oracle=None):
    """Returns ``{version: Figures}`` of a workload; ``oracle`` is MindSpore's interpreter.

    Each version has ``rounds`` turns in each of several processes, since one process may be slower than its like for as
    long as it lives (where its memory lies, which core it is on).
    """
    pythons = dict.fromkeys(OURS, sys.executable)
    if oracle:
        pythons.update(dict.fromkeys(ORACLE, oracle))
    with tempfile.TemporaryDirectory() as folder:  # MindSpore leaves files in its working folder
        runs = [_measure_once(workload, rounds, pythons, folder) for _ in range(PROCESSES)]
    return {version: _merged([run[version] for run in runs]) for version in pythons}


def _measure_once(workload, rounds, pythons, folder):
    workers = {version: Worker(python, workload, version, folder) for version, python in pythons.items()}
    for worker in workers.values():
        worker.calibrate()
    for _ in range(rounds):
        for worker in workers.values():
            worker.turn()
    return {version: worker.finish() for version, worker in workers.items()}


def _merged(runs):
    """The figures of several processes as one: all their turns, the least first call, the most memory."""
    failed = [run for run in runs if run.error]
    if failed:
        return failed[0]
    return dataclasses.replace(
        runs[0],
        first=min(run.first for run in runs),
        seconds=[each for run in runs for each in run.seconds],
        memory=max(run.memory for run in runs),
    )
