"""A compiler in a process of its own, which is started again after it has aborted."""

import json
import pathlib
import subprocess
import sys
import threading

from .target import environment

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Compiler:
    """Compiles subjects for one kind of device; a subject is named by its kind, name and form (`subjects`)."""

    def __init__(self, kind):
        self.kind, self.process = kind, None

    def complaints(self, subjects, limit=300):
        """Why some subjects do not compile, by subject: all in one program, and by halves where that fails."""
        answer = self._answer(subjects, limit)
        if "error" not in answer:
            return answer["refused"]
        if len(subjects) == 1:
            return {subjects[0]: answer["error"]}
        half = len(subjects) // 2
        return self.complaints(subjects[:half], limit) | self.complaints(subjects[half:], limit)

    def program(self, subject, limit=300):
        """What a subject's program calls and needs (dict): see `worker`."""
        answer = self._answer([subject], limit)
        assert "error" not in answer and not answer["refused"], answer
        return answer

    def _answer(self, subjects, limit):
        """What the process answers; an error if it ends, or takes longer than ``limit`` seconds."""
        if self.process is None:
            command = [sys.executable, "-m", "tests.accelerators.worker", self.kind]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            self.process = subprocess.Popen(command, cwd=ROOT, env=environment(self.kind), text=True, **pipes)
        timer = threading.Timer(limit, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(json.dumps(subjects) + "\n")
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
