"""Processes that take turns: each is stopped while another one measures, since idle threads may wait busily."""

import json
import os
import pathlib
import signal
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Process:
    """A process that answers each line of its input by a line of JSON; other lines of its output are ignored.

    Args:
        command (list[str]): the program and its arguments; it finds the package `tests`.
        settings (dict): environment variables.
        processor (int | None): the only one on which it runs. Default: ``None``, any.
    """

    def __init__(self, command, settings, processor=None):
        environment = os.environ | {"GLOG_v": "4", "PYTHONPATH": str(ROOT)} | settings
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, env=environment
        )
        if processor is not None:
            os.sched_setaffinity(self.process.pid, {processor})  # before it starts threads

    def ask(self, question):
        """The answer to a question that JSON can write; None if the process has ended."""
        self.process.send_signal(signal.SIGCONT)
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return None
        return self.answer()

    def answer(self):
        """Its next answer."""
        for line in self.process.stdout:
            try:
                answer = json.loads(line)
            except ValueError:
                continue
            self.process.send_signal(signal.SIGSTOP)
            return answer
        return None

    def end(self):
        self.process.kill()
        self.process.wait()
