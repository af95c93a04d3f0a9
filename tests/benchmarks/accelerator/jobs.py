"""Processes of the parts: side by side, with time limits, stopped while another is timed."""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
_ERROR = re.compile(r"[\w.]*(Error|Exception|Interrupt)\b")


class Job:
    """A part in a process of its own.

    Args:
        name (str): of the part.
        arguments (list): of Python.
        limit (float): seconds that it may take until it is ready or has ended.
        cache (str): a name for its folder of compiled programs; jobs with the same one share it. Default: its name.
        python (str): the interpreter. Default: this one.
        environment (dict): further variables.
    """

    def __init__(self, name, arguments, limit, cache=None, python=None, environment=None):
        self.name, self.arguments, self.limit = name, arguments, limit
        self.cache, self.python, self.environment = cache or name, python, environment or {}
        self.process, self.facts, self.why = None, {}, "not started: no time was left"
        self.is_ready = self.has_ended = False
        self.started = self.stopped = self.waited = 0.0

    def start(self, folder, python):
        """Starts the process; what it writes and caches goes to ``folder``."""
        name = self.name.replace(" ", "_").replace("/", "_")
        places = {"MSGRAD_CACHE": "cache", "CUDA_CACHE_PATH": "cuda"}
        places = {key: str(folder / f"{self.cache.replace(' ', '_')}.{end}") for key, end in places.items()}
        fixed = {"PYTHONPATH": str(ROOT), "MSGRAD_QUIET": "1", "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
        self.errors = folder / f"{name}.err"
        with open(self.errors, "w") as errors:
            self.process = subprocess.Popen(
                [self.python or python, *self.arguments],
                cwd=ROOT,
                env={**os.environ, **fixed, **places, **self.environment},
                text=True,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                process_group=0,
            )
        self.started, self.why = time.monotonic(), ""
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            if line.startswith("{"):
                facts = json.loads(line)
                self.is_ready = facts.pop("ready", False) or self.is_ready
                self.facts.update(facts)
        status = self.process.wait()
        self.process.stdout.close()
        self.process.stdin.close()
        self.facts["wall"] = self.seconds()
        self.facts.setdefault("ready_after", self.facts["wall"])
        if status and not self.why:
            self.why = self._reason(status)
        self.has_ended = True

    def _reason(self, status):
        errors = self.errors.read_text(errors="replace").splitlines()
        named = [line.strip() for line in errors if _ERROR.match(line)]
        by_signal = f"signal {-status}" if status < 0 else f"exit status {status}"
        return f"{named[-1] if named else by_signal}"[:300]

    def seconds(self):
        """How long it has run, without the time in which it was stopped."""
        return time.monotonic() - self.started - self.stopped

    def is_settled(self):
        """Whether it is ready, has ended, or has run too long: then it is ended."""
        if not (self.is_ready or self.has_ended) and self.seconds() > self.limit:
            self.end(f"no result in {self.limit:.0f} s")
        return self.is_ready or self.has_ended

    def take_turn(self, limit):
        """Lets a job that is ready go on, and waits until it has ended."""
        self.facts["ready_after"] = self.seconds()
        with contextlib.suppress(BrokenPipeError, ValueError):  # it has ended since
            self.process.stdin.write("go\n")
            self.process.stdin.flush()
        self.reader.join(limit)
        if not self.has_ended:
            self.end(f"compiled, but not timed in {limit:.0f} s")

    def pause(self):
        self._signal(signal.SIGSTOP)
        self.waited = time.monotonic()

    def resume(self):
        self.stopped += time.monotonic() - self.waited
        self._signal(signal.SIGCONT)

    def end(self, why):
        """Ends the process, if it is running still, and says why."""
        if self.process is not None and not self.has_ended:
            self.why = why
            self._signal(signal.SIGKILL)
            self.reader.join()

    def _signal(self, number):
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass  # it has ended

    def lacked_memory(self):
        """Whether it failed because others beside it held the device's memory."""
        return any(text in self.why for text in ("RESOURCE_EXHAUSTED", "out of memory", "OutOfMemory", "MemoryError"))

    def again(self):
        """The same job, not started yet."""
        return Job(self.name, self.arguments, self.limit, self.cache, self.python, self.environment)

    def result(self):
        """What it said, and why it failed, if it did."""
        return {**self.facts, **({"failed_because": self.why} if self.why else {})}


class Background:
    """Jobs that are not timed: some at a time, all stopped while another is timed."""

    def __init__(self, jobs, slots, folder, python):
        self.waiting, self.running, self.slots = list(jobs), [], slots
        self.folder, self.python, self.is_paused = folder, python, False

    def poll(self):
        """Takes note of jobs that have ended or run too long, and starts others."""
        if self.is_paused:
            return
        self.running = [job for job in self.running if not job.is_settled()]
        while self.waiting and len(self.running) < self.slots:
            job = self.waiting.pop(0)
            job.start(self.folder, self.python)
            self.running.append(job)

    def pause(self):
        if not self.is_paused:
            self.is_paused = True
            for job in self.running:
                job.pause()

    def resume(self):
        if self.is_paused:
            self.is_paused = False
            for job in self.running:
                job.resume()

    def finish(self, until):
        """Waits for all jobs, until the time ``until``, and ends the others."""
        self.resume()
        while (self.waiting or self.running) and time.monotonic() < until:
            self.poll()
            time.sleep(0.1)
        self.end()

    def end(self):
        for job in self.running:
            job.end("ended with the benchmark, whose time was over")


TURN = 40  # seconds that a job may be timed
SETTLE = 0.3  # seconds after others were stopped: their kernels end


def run_group(jobs, background, until, is_quiet):
    """Runs timed jobs: all compile side by side, then each is timed alone.

    Args:
        jobs (list[Job]): of the group.
        background (Background): goes on while the group compiles, if not ``is_quiet``.
        until (float): the time at which all must have ended.
        is_quiet (bool): whether compiling is what is timed.
    """
    if is_quiet:
        background.pause()
        time.sleep(SETTLE)
    try:
        for job in jobs:
            job.limit = min(job.limit, until - time.monotonic())
            job.start(background.folder, background.python)
        while not all([job.is_settled() for job in jobs]):
            background.poll()
            time.sleep(0.02)
        background.pause()
        time.sleep(SETTLE)
        for job in jobs:
            if job.is_ready and not job.has_ended:
                job.take_turn(min(TURN, max(1, until - time.monotonic())))
    finally:
        for job in jobs:
            job.end("interrupted")
        background.resume()
