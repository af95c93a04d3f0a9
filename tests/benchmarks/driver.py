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

from . import workloads

ROOT = pathlib.Path(__file__).resolve().parents[2]
OURS = ("jax.jit", "jax eager", "jax forward", "msgrad PYNATIVE", "msgrad GRAPH")
TORCH = ("torch",)
ORACLE = ("mindspore PYNATIVE", "mindspore GRAPH")
ROUND_SECONDS = 0.1  # how long one turn of one version takes, about
WARM_SECONDS = 1.0  # the same before the first turn: by then XLA runs what NumPy has run at first


@dataclasses.dataclass
class Figures:
    """What was measured of one version: times in seconds, memory in MiB; ``error`` instead if it failed.

    ``seconds`` are those of a turn of the workload's loop, if it counts such, or of a step, which takes ``step``.
    """

    first: float = float("nan")
    seconds: list = dataclasses.field(default_factory=list)
    step: float = float("nan")
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
        """Tells whether both computed the same in their first call, to 1e-3 of the largest value.

        A version without gradients has fewer values.
        """
        pairs = list(zip(self.values, other.values, strict=False))
        size = max((abs(value) for _, value in pairs), default=0)
        return all(abs(a - b) <= 1e-3 * size for a, b in pairs)


class Worker:
    """A process that has some versions of a workload and waits for their turns."""

    def __init__(self, python, workload, versions, folder):
        environment = {**os.environ, "GLOG_v": "4", "PYTHONPATH": str(ROOT), "MSGRAD_CACHE": "off"}
        command = [python, "-m", "tests.benchmarks.worker", workload, *versions]
        self.errors = open(pathlib.Path(folder) / f"{workload} {versions[0]}", "w+")  # noqa: SIM115  (see `finish`)
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
        )
        self.figures = {version: Figures() for version in versions}
        self.steps = dict.fromkeys(versions, 1)
        for version in versions:
            self._read(version)
        self.process.send_signal(signal.SIGSTOP)

    def calibrate(self):
        """Warms each version up, and sets how many steps a turn has."""
        for version, figures in self.figures.items():
            for seconds in (WARM_SECONDS, ROUND_SECONDS):
                self.turn(version)
                if figures.seconds:
                    figures.seconds.pop()
                    self.steps[version] = max(1, round(seconds / figures.step))

    def turn(self, version):
        if self.figures[version].error:
            return
        self.process.send_signal(signal.SIGCONT)
        self.process.stdin.write(f"{self.steps[version]} {version}\n")
        self.process.stdin.flush()
        self._read(version)
        self.process.send_signal(signal.SIGSTOP)

    def finish(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.stdin.close()
        for version, figures in self.figures.items():
            if not figures.error:
                self._read(version)
                break  # the memory of the process; of one that has a single version, the version's
        self.process.wait()
        self.errors.close()
        return self.figures

    def _read(self, version):
        """Takes one answer; a line that is not one is something that the library printed."""
        figures = self.figures[version]
        for line in self.process.stdout:
            if line.startswith("{"):
                facts = json.loads(line)
                if "seconds" in facts:
                    figures.seconds.append(facts.pop("seconds"))
                for name, value in facts.items():
                    setattr(figures, name, value)
                return
        self.process.wait()
        self.errors.seek(0)
        errors = [line.strip() for line in self.errors if re.match(r"\w*Error\b", line)]
        figures.error = errors[-1] if errors else f"exit status {self.process.returncode}"


def measure(workload, rounds, processes, oracle=None, torch=None):
    """Returns ``{version: Figures}`` of a workload; ``oracle`` and ``torch`` are interpreters with MindSpore, PyTorch.

    First calls and memory come from a process for each version. Steps are timed in turns of ``rounds`` in one process
    for all that an interpreter has, so that the versions share its luck: the same program may be twice as fast in one
    process as in another, for as long as these live. Both are done with several processes, in sequence.
    """
    groups = [(sys.executable, OURS), (torch, TORCH), (oracle, ORACLE)]
    groups = [(python, tuple(filter(workloads.has(workload), versions))) for python, versions in groups if python]
    groups = [(python, versions) for python, versions in groups if versions]
    with tempfile.TemporaryDirectory() as folder:  # MindSpore leaves files in its working folder
        runs = [_measure_once(workload, rounds, groups, folder) for _ in range(processes)]
    return {version: _merged([run[version] for run in runs]) for version in runs[0]}


def _measure_once(workload, rounds, groups, folder):
    alone = {}
    for python, versions in groups:
        for version in versions:
            alone |= Worker(python, workload, (version,), folder).finish()
    workers = [Worker(python, workload, versions, folder) for python, versions in groups]
    for worker in workers:
        worker.calibrate()
    for _ in range(rounds):
        for worker in workers:
            for version in worker.figures:
                worker.turn(version)
    together = {version: figures for worker in workers for version, figures in worker.finish().items()}
    for version, figures in alone.items():
        figures.seconds = together[version].seconds
        figures.error = figures.error or together[version].error
    return alone


def _merged(runs):
    """The figures of several processes as one: all their turns, the smallest first call, the most memory."""
    failed = [run for run in runs if run.error]
    if failed:
        return failed[0]
    return dataclasses.replace(
        runs[0],
        first=min(run.first for run in runs),
        seconds=[each for run in runs for each in run.seconds],
        memory=max(run.memory for run in runs),
    )
