"""A compiler in a process of its own, which is started again after it has aborted."""

import json
import pathlib
import subprocess
import sys
import threading

from .target import environment

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Compiler:
    """Compiles subjects for one kind of device."""

    def __init__(self, kind):
        self.kind, self.process = kind, None

    def complaint(self, *subject, limit=300):
        """Why a subject does not compile; empty if it does."""
        return self.answer(*subject, limit=limit).get("error", "")

    def answer(self, *subject, limit=300):
        """What the process says of a subject (dict): see `worker`."""
        if self.process is None:
            command = [sys.executable, "-m", "tests.accelerators.worker", self.kind]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            self.process = subprocess.Popen(command, cwd=ROOT, env=environment(self.kind), text=True, **pipes)
        timer = threading.Timer(limit, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(" ".join(subject) + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        timer.cancel()
        if answer:
            return json.loads(answer)
        status = self.process.wait()
        self.end()
        ended = f"no answer in {limit} s" if status == -9 else f"the compiler ended its process (status {status})"
        return {"error": ended}

    def end(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process = None
