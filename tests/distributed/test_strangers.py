"""A process of another user on the same machine, which reaches the coordination service, and what it can do."""

import os
import pathlib
import re
import socket
import subprocess
import sys

import pytest

from msgrad.engine.processes import claims, locks

from .launching import PROGRAMS, SECONDS, SECRET, command, environment, own_port

OTHER = 65534
RUN = [sys.executable, "-m", "msgrad", "run", str(PROGRAMS / "exchanging.py")]

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or os.geteuid() != 0, reason="only root can start a process of another user"
)


@pytest.fixture
def squatted(tmp_path, monkeypatch):
    """A folder for temporary files in which the other user has made the folder of this user's locks."""
    path = tmp_path / f"msgrad-{os.geteuid()}"
    path.mkdir()
    path.chmod(0o777)
    os.chown(path, OTHER, OTHER)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def start():
    """Starts two processes of ``exchanging.py``, which end with the test at the latest."""
    started = []
    yield lambda *how: started.extend(_started(*how)) or started
    for process in started:
        process.kill()
        process.communicate()


def _started(kind, port, path):
    """By ``msgrad launch``, or by variables with a secret or without one."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    common = {"MS_NODE_TIMEOUT": "60"}  # rank 1 does not notice within that time that another one has its place
    if kind == "launch":
        options = [f"--log_dir={path.parent}", "--tail_worker_log=-1", f"--master_port={port}"]
        starts = [(command(2, "exchanging.py", str(path), options=options), environment(**common))]
    else:
        names = {"RANK_SIZE": "2", "MASTER_PORT": str(port), "MSGRAD_SECRET": SECRET if kind == "secret" else ""}
        starts = [([*RUN, str(path)], environment(RANK_ID=str(rank), **names, **common)) for rank in range(2)]
    return [subprocess.Popen(words, env=env, cwd=path.parent, **streams) for words, env in starts]


def _await(processes, text, count):
    """What they print until all have printed a text so many times."""
    lines = []
    for process in processes:
        while sum(text in line for line in lines) < count:
            lines.append(process.stdout.readline())
            assert lines[-1], "".join(lines)
    return "".join(lines)


def _secret_and_workers(processes):
    """The secret in the environments of the workers, and their numbers."""
    listed = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], stdout=subprocess.PIPE, check=True, text=True)
    parents = {process.pid for process in processes}
    pairs = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
    workers = [pid for pid, parent in pairs if parent in parents] if len(processes) == 1 else sorted(parents)
    texts = [pathlib.Path(f"/proc/{worker}/environ").read_text() for worker in workers]
    found = {match[1] for text in texts if (match := re.search("MSGRAD_SECRET=([^\0]*)", text))}
    assert len(found) == 1 and len(workers) == 2
    return found.pop(), list(map(str, workers))


@pytest.mark.parametrize("kind", ["launch", "secret"])
def test_what_it_writes_has_no_effect(kind, squatted, start):
    """It reads, writes a pickle and a failure, and moves and repeats signed values, in the place of rank 1."""
    port, path, attacked = own_port(), squatted / "acted", squatted / "attacked"
    squatted.chmod(0o777)
    names = [f"msgrad 127.0.0.1:{port}", *[f"msgrad 127.0.0.1:{port} rank {rank}" for rank in range(2)]]
    squatters = [socket.socket(socket.AF_UNIX) for _ in names]  # of the names in Linux's abstract namespace
    for squatter, name in zip(squatters, names, strict=True):
        squatter.bind(b"\0" + name.encode())
    processes = start(kind, port, path)
    printed = _await(processes, "waits", 1) + _await(processes[1:], "waits", 1)
    secret, workers = _secret_and_workers(processes)
    stranger = [sys.executable, str(PROGRAMS / "stranger.py"), f"127.0.0.1:{port}", str(attacked), *workers]
    said = subprocess.run(stranger, stdout=subprocess.PIPE, timeout=SECONDS, check=True, text=True).stdout
    assert "has written" in said and said.count("cannot read environ: Permission denied") == 2, said
    assert secret not in said
    path.touch()
    printed += "".join([process.communicate(timeout=SECONDS)[0] for process in processes])
    assert [process.returncode for process in processes] == [0] * len(processes), printed
    assert not attacked.exists() and "msgrad ignores the value of" in printed
    for rank in range(2):
        assert f"rank {rank}: [[0], [1]]" in printed and f"rank {rank}: end" in printed, printed
    for squatter in squatters:
        squatter.close()


def test_without_a_secret_objects_are_refused(tmp_path, start):
    processes = start("no secret", own_port(), tmp_path / "acted")
    for rank, process in enumerate(processes):
        text = process.communicate(timeout=SECONDS)[0]
        assert process.returncode == 0 and text.count("is not signed") == 1, text
        assert f"rank {rank}: [2.0, 2.0]" in text and f"rank {rank}: end" in text, text
        assert f"rank {rank}: For 'all_gather_object', objects are sent as pickles" in text, text


def test_a_squatted_folder_is_passed_over(squatted):
    lock = locks.acquire("name")
    assert lock is not None and not lock.path.startswith(str(squatted))
    with pytest.raises(locks.Held):
        locks.acquire("name")
    lock.close()
    assert not os.path.exists(lock.path)


_LISTEN = """
import os, socket, sys
os.setresuid(65534, 65534, 65534)
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
print("listens", flush=True)
sys.stdin.read()
"""


def test_another_users_service_is_not_joined():
    port = own_port()
    words = [sys.executable, "-c", _LISTEN, str(port)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"listens\n"
        sentence = f"meet at 127.0.0.1:{port}, but a program of another user, 65534"
        with pytest.raises(RuntimeError, match=sentence):
            claims.refuse_stranger("127.0.0.1", port, "127.0.0.1", "RANK_SIZE=2")
        claims.refuse_stranger("127.0.0.1", port + 1, "127.0.0.1", "RANK_SIZE=2")
        claims.refuse_stranger("127.0.0.1", port, "10.0.0.1", "RANK_SIZE=2")  # the port is another machine's
