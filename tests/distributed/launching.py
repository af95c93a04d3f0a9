"""Programs of several processes, started as a user starts them."""

import atexit
import os
import pathlib
import random
import re
import subprocess
import sys
import time

from msgrad.engine.processes import coordination, locks

from ..tuning import xla_flags

PROGRAMS = pathlib.Path(__file__).parent / "programs"
PATIENCE = 120  # seconds after which a collective fails for which a process does not come, on a machine of any speed
SECONDS = 180  # after which a launch counts as hung
SECRET = "a secret for tests, of 32 characters"
_held = []  # locks, whose names say which ports are this process's
atexit.register(lambda: [lock.close() for lock in _held])
_chance = random.SystemRandom()


def own_port():
    """A port on which nothing listens, and which no other process of the tests has until this one ends.

    One that the system gives to a socket would be any other's once that socket is closed.
    """
    while True:
        port = _chance.randrange(10_000, 30_000)  # below those that systems give to sockets that ask for any
        try:
            _held.append(locks.acquire(f"tests at port {port}"))
            return coordination.free_port("127.0.0.1", port)
        except (locks.Held, RuntimeError):
            continue  # it is another's


def environment(**further):
    """The variables of a launch; collectives that do not come about fail after ``PATIENCE`` seconds."""
    names = {"MSGRAD_COLLECTIVE_TIMEOUT": str(PATIENCE), "MSGRAD_QUIET": "1", **further}
    if (flags := xla_flags()) is not None:
        names = {"XLA_FLAGS": flags, **names}
    unwanted = ("RANK_", "MS_", "OMPI_", "SLURM_", "MSGRAD_JOINED", "MSGRAD_SECRET")
    return {name: value for name, value in os.environ.items() if not name.startswith(unwanted)} | names


def command(count, program, *arguments, options=()):
    """``msgrad launch`` of a program of this folder."""
    start = [sys.executable, "-m", "msgrad", "launch", f"--worker_num={count}", *options]
    return [*start, str(PROGRAMS / program), *arguments]


class Ended:
    """A launch that has ended: its exit ``status``, its output ``text`` (of all workers), and when it ended."""

    def __init__(self, process, text):
        self.status, self.text, self.at = process.returncode, text, time.time()

    def begun(self):
        """When the last of the workers said that it begins."""
        return max(map(float, re.findall(r"begins ([\d.]+)", self.text)))


def launch(folder, count, program, *arguments, **variables):
    """Runs a program in ``count`` processes, with its logs in ``folder``."""
    options = ["--tail_worker_log=-1", f"--log_dir={folder}"]
    process = subprocess.run(
        command(count, program, *arguments, options=options),
        env=environment(**variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=SECONDS,
        cwd=folder,
    )
    return Ended(process, process.stdout.decode(errors="replace"))


def is_running(pid):
    """Whether there is a process of this number that is not a zombie."""
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
