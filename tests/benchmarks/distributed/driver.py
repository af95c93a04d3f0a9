"""Starts the processes of each library, and gives them their turns."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import statistics
import subprocess
import sys
import time

from ..driver import ROOT

WORKER = pathlib.Path(__file__).with_name("worker.py")
JAX = ("jax", "GRAPH")
CACHED = ("jax", "msgrad")  # libraries that keep compiled programs on disk
MODES = {"jax": ("GRAPH",), "msgrad": ("GRAPH", "PYNATIVE"), "mindspore": ("GRAPH", "PYNATIVE")}
CALLS = {"all_reduce_1024": 100, "all_reduce_1048576": 40, "all_reduce_67108864": 2, "lenet": 8, "bert_tiny": 4}
_WARM_UP = 8  # calls before the measured ones: msgrad compiles a step at the fifth
_PATIENCE = 120  # seconds to wait for an answer


class Team:
    """The processes of a library.

    Attributes:
        library (str): a key of `MODES`.
        start (float): seconds from the launch until all have run a first step.
        value (float): the loss of that.
    """

    def __init__(self, library, size, oracle, folder, cache=None):
        self.library, self.size = library, size
        self.log = pathlib.Path(folder) / f"{library}.txt"
        self.connections, self.streams = [], []
        with socket.create_server(("127.0.0.1", 0)) as server, open(self.log, "w") as log:
            server.settimeout(1)
            begun = time.perf_counter()
            environment = _environment(library, oracle, cache)
            self.processes = [
                subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True)
                for command in _commands(library, size, oracle, server.getsockname()[1], folder)
            ]
            try:
                self._accept_all(server)
                answers = self._answers()
            except BaseException:
                self.end()
                raise
            self.start = time.perf_counter() - begun
        self.value = answers[0]["value"]

    def turn(self, case, mode, count):
        """Runs a case so often in all processes; what rank 0 says."""
        for stream in self.streams:
            stream.write(f"{case} {mode} {count}\n")
            stream.flush()
        return self._answers()[0]

    def end(self):
        """Lets the processes end."""
        for each in self.streams + self.connections:
            each.close()
        for process in self.processes:
            try:
                process.wait(_PATIENCE / 4)
            except subprocess.TimeoutExpired:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def _accept_all(self, server):
        end = time.monotonic() + _PATIENCE
        while len(self.connections) < self.size:
            try:
                connection = server.accept()[0]
            except TimeoutError:
                if time.monotonic() > end or any(process.poll() is not None for process in self.processes):
                    raise self._failure() from None
                continue
            connection.settimeout(_PATIENCE)
            self.connections.append(connection)
            self.streams.append(connection.makefile("rw"))

    def _answers(self):
        """What the processes say next, by rank, which they say once."""
        answers = []
        for stream in self.streams:
            line = stream.readline()
            if not line:
                raise self._failure()
            answers.append(json.loads(line))
        if "rank" in answers[0]:
            order = sorted(range(self.size), key=lambda k: answers[k]["rank"])
            self.streams, answers = [self.streams[k] for k in order], [answers[k] for k in order]
        return answers

    def _failure(self):
        return RuntimeError(f"{self.library} has ended or says nothing:\n{self.log.read_text()[-2000:]}")


def _environment(library, oracle, cache):
    names = {"GLOG_v": "4", "MSGRAD_CACHE": cache or "off", "MSGRAD_QUIET": "1", "PYTHONPATH": str(ROOT)}
    if library == "jax" and cache:
        names |= {"JAX_COMPILATION_CACHE_DIR": cache, "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0"}
    if library == "mindspore":  # msrun runs whatever `python` is
        names["PATH"] = f"{os.path.dirname(oracle)}{os.pathsep}{os.environ['PATH']}"
    return os.environ | names


def _commands(library, size, oracle, port, folder):
    """The command that starts the processes, or one for each."""
    worker = [str(WORKER), library, str(port)]
    own_port = _free_port()
    if library == "jax":
        return [[sys.executable, *worker, f"127.0.0.1:{own_port}", str(size), str(rank)] for rank in range(size)]
    options = [f"--worker_num={size}", f"--local_worker_num={size}", f"--master_port={own_port}", f"--log_dir={folder}"]
    if library == "msgrad":
        return [[sys.executable, "-m", "msgrad", "launch", *options, *worker]]
    msrun = pathlib.Path(oracle).with_name("msrun")
    return [[str(msrun), *options, "--join=True", *worker]]


def _free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def measure(libraries, size, rounds, starts, oracle, folder):
    """Returns ``{case: {(library, mode): (seconds, value)}}`` for ``size`` processes of each library.

    These are medians, and what was computed first.

    The case ``start`` is from the launch to the end of the first step of LeNet, with an empty cache, and ``later`` the
    same with that of an earlier launch. A case that fails has its error in place of the seconds.
    """
    later = {(name, "GRAPH"): _later(name, size, starts, oracle, folder) for name in libraries if name in CACHED}
    begun = {library: [] for library in libraries}
    for _ in range(starts - 1):
        for library in libraries:
            team = Team(library, size, oracle, folder)
            begun[library].append(team.start)
            team.end()
    with contextlib.ExitStack() as stack:
        teams = []
        for library in libraries:
            teams.append(Team(library, size, oracle, folder))
            stack.callback(teams[-1].end)
            begun[library].append(teams[-1].start)
        first = {(team.library, "GRAPH"): (statistics.median(begun[team.library]), team.value) for team in teams}
        cold = {"start": first, "later": later}
        return cold | {case: _measured(teams, case, count, rounds) for case, count in CALLS.items()}


def _later(library, size, starts, oracle, folder):
    """The median seconds of starts with the cache that the one before has filled, and what was computed."""
    seconds = []
    for _ in range(starts + 1):
        team = Team(library, size, oracle, folder, cache=os.path.join(folder, f"cache-{library}"))
        seconds.append(team.start)
        team.end()
    return statistics.median(seconds[1:]), team.value


def _measured(teams, case, count, rounds):
    turns = {(team.library, mode): team for team in teams for mode in MODES[team.library]}
    first = {key: team.turn(case, key[1], _WARM_UP) for key, team in turns.items()}
    seconds = {key: [] for key in turns}
    for _ in range(rounds):
        for key, team in turns.items():
            if "error" not in first[key]:
                seconds[key] += team.turn(case, key[1], count)["seconds"]
    return {key: (first[key].get("error") or statistics.median(seconds[key]), first[key].get("value")) for key in turns}
