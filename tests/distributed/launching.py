"""Programs of several processes, started as a user starts them."""

import os
import pathlib
import re
import subprocess
import sys
import time

from ..tuning import xla_flags

PROGRAMS = pathlib.Path(__file__).parent / "programs"
_SECONDS = 180  # after which a launch counts as hung


def environment(**further):
    """The variables of a launch; collectives that do not come about fail after 5 s."""
    names = {"MSGRAD_COLLECTIVE_TIMEOUT": "5", "MSGRAD_QUIET": "1", **further}
    if (flags := xla_flags()) is not None:
        names = {"XLA_FLAGS": flags, **names}
    unwanted = ("RANK_", "MS_", "OMPI_", "SLURM_", "MSGRAD_JOINED")
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
        timeout=_SECONDS,
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
