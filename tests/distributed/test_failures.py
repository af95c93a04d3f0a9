"""Failures: when one process fails, the others end soon with an error that says why; no process or file remains.

The launches of `WAITING` do nothing most of their time, so that they run beside the other tests.
"""

import os
import re
import signal
import socket
import subprocess
import time
import types
from concurrent import futures

import pytest

from msgrad.engine.processes import causes, coordination, guard, peers, watcher
from msgrad.engine.processes.store import Store

from .keeping import Client
from .launching import PATIENCE, SECONDS, command, environment, is_running, launch, own_port

_PROGRAM = "rank 0 is in a program of 3 operations over all processes"
FAILURES = {
    "raise": "rank 0 waits in AllReduce sum float32[2], failing.py:21; rank 1 failed with ValueError: invalid literal",
    "kill": "rank 0 waits in AllReduce sum float32[2], failing.py:21; rank 1 was ended by SIGKILL",
    "exit": "rank 0 waits in AllReduce sum float32[2], failing.py:21; rank 1 has ended after 2 collectives",
    "leave": "rank 0 waits in AllReduce sum float32[2], failing.py:21; rank 1 has ended with status 0, but not as",
    "sink": "rank 0 waits in compiled AllReduce sum float32[6], failing.py:60; rank 1 has ended after",
    "groups": "rank 0 is in AllReduce sum float32[2], failing.py:96 (group of the ranks all); "
    "rank 1 is in AllReduce sum float32[2], failing.py:96 (group of the ranks 1,0)",
    "less": "rank 0 waits in AllReduce sum float32[2], failing.py:21; rank 1 has ended after 3 collectives",
    "shape": "rank 0 is in AllReduce sum float32[2], failing.py:21; rank 1 is in AllReduce sum float32[3]",
    "order": "rank 0 is in AllReduce sum float32[2], failing.py:21; rank 1 is in AllGather float32[2], failing.py",
    "known shape": "rank 0 is in AllReduce sum float32[2], failing.py:21, its collective 5; rank 1 is in AllReduce sum "
    "float32[3], failing.py:21, its collective 5",
    "known size": "rank 0 is in AllReduce sum float32[2], failing.py:21; rank 1 is in AllReduce sum float32[100000]",
    "graph": "rank 0 is in compiled AllReduce sum float32[2], failing.py:32; rank 1 is in AllReduce sum float32[2], "
    "failing.py:21",
    "other shape": f"{_PROGRAM} with operand 0 float32[4], failing.py:49; rank 1 is in a program of 3 operations over "
    "all processes with operand 0 float32[6], failing.py:49",
    "other program": f"{_PROGRAM}, failing.py:49; rank 1 is in a program of 4 operations over all processes",
    "no program": "rank 0 is in the comparison of seeds; rank 1 is in AllReduce sum float32[2], failing.py:21",
}


def _children(process):
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], stdout=subprocess.PIPE, check=True)
    return list(map(int, listed.stdout.decode().split()))


def await_beginning(process):
    """Reads what two processes print until both begin: neither is in a collective that the other has left."""
    lines = []
    while sum("begins" in line for line in lines) < 2:
        lines.append(process.stdout.readline().decode())
        assert lines[-1], lines


def stopped(seconds, folder, whom, **variables):
    """Starts two processes that take steps, stops what ``whom`` gives of them, and waits for the end.

    Args:
        seconds (float): after which they go on; None if they do not.
        whom (function): takes the launcher's process, and gives the numbers of the processes to stop.

    Returns:
        tuple of int and str: the launcher's status, and what it printed.
    """
    options = [f"--log_dir={folder}", "--tail_worker_log=-1"]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "cwd": folder}
    process = subprocess.Popen(
        command(2, "failing.py", "steps", options=options), env=environment(**variables), **streams
    )
    await_beginning(process)
    numbers = whom(process)
    for pid in numbers:
        os.kill(pid, signal.SIGSTOP)
    if seconds is not None:
        time.sleep(seconds)
        for pid in numbers:
            os.kill(pid, signal.SIGCONT)
    text = process.communicate(timeout=SECONDS)[0].decode()
    return process.returncode, text


WAITING = {  # by the test that looks at what a launch has come to; each gets an empty folder
    "test_a_stuck_process_is_named": lambda folder: launch(
        folder, 3, "failing.py", "stuck", MSGRAD_COLLECTIVE_TIMEOUT="15"
    ),
    "test_a_late_process_is_waited_for": lambda folder: launch(folder, 2, "failing.py", "late"),
    "test_processes_may_be_stopped_for_a_while": lambda folder: stopped(
        4, folder, lambda launcher: [launcher.pid, *_children(launcher)]
    ),
    "test_a_process_that_stands_still_too_long_is_named": lambda folder: stopped(
        None, folder, lambda launcher: _children(launcher)[-1:], MS_NODE_TIMEOUT="10"
    ),
}


@pytest.fixture(scope="module", autouse=True)
def waiting(request, tmp_path_factory):
    """Starts the launches of `WAITING` whose tests are selected, one after another, and gives their Futures."""
    selected = {item.name for item in request.session.items if item.path == request.path}
    with futures.ThreadPoolExecutor(1) as pool:
        yield {
            test: pool.submit(run, tmp_path_factory.mktemp("waiting"))
            for test, run in WAITING.items()
            if test in selected
        }


@pytest.fixture
def waited(request, waiting):
    """What this test's launch of `WAITING` has come to."""
    return waiting[request.node.name].result()


@pytest.mark.parametrize("how", FAILURES)
def test_all_end_with_a_sentence(how, tmp_path):
    ended = launch(tmp_path, 2, "failing.py", how)
    assert ended.status != 0, ended.text
    expected = FAILURES[how]
    if " is in " in expected:  # either of the two may be the one that says so
        assert "must run the same ones in the same order, but " in ended.text, ended.text
        assert all(part in ended.text for part in expected.split("; ")), ended.text
    else:
        assert expected in ended.text, ended.text
    said = r"launch: rank [01] (ended with status 1|was ended by SIGKILL); the end of "
    assert re.search(said, ended.text), ended.text
    assert "rank 0: end" not in ended.text


def test_the_first_of_several_collectives_is_named(tmp_path):
    ended = launch(tmp_path, 2, "failing.py", "sink", MSGRAD_TIERS="off")
    assert FAILURES["sink"].replace(";", ", the first of 4;") in ended.text, ended.text


def test_all_name_the_process_that_began(tmp_path):
    """Not one that has ended because of it."""
    ended = launch(tmp_path, 3, "failing.py", "exit")
    for rank in (0, 2):
        sentence = f"rank {rank} waits in AllReduce sum float32[2], failing.py:21; rank 1 has ended after 2 collectives"
        assert sentence in ended.text, ended.text


class _Client(Client):
    """A key-value store that calls ``asked`` before it gives the value of a key."""

    def blocking_key_value_get_bytes(self, key, milliseconds):
        self.asked()
        return super().blocking_key_value_get_bytes(key, milliseconds)


def test_an_exchange_that_is_over_is_no_deadlock(monkeypatch):
    """Rank 1 has waited so long for an exchange that it said so; then rank 0 waits for it in the next collective."""
    client, seen = _Client(), []
    store = Store(client)
    store.set("x/all/0/0", "")
    groups = [types.SimpleNamespace(key="all", members=(0, 1), rank=rank, count=2, exchanges=0) for rank in (0, 1)]
    mark = peers.Mark("AllReduce sum", (2,), "float32", None)
    monkeypatch.setattr(peers.Peers, "posted", None)

    def be(rank):
        monkeypatch.setattr(peers.Peers, "world", types.SimpleNamespace(rank=rank, store=store))

    def look_from_rank_0():
        be(0)
        seen.append(causes.deadlock((groups[0], peers.position(groups[0]), mark, 0.0)))

    def wait_long():
        watcher._post_place(peers.Peers.running)
        look_from_rank_0()
        be(1)

    for rank, client.asked in ((1, wait_long), (0, lambda: None)):
        be(rank)
        guard.exchanged(groups[rank], "all_gather_object", "")
    look_from_rank_0()
    assert "rank 0 is in AllReduce sum float32[2]; rank 1 is in all_gather_object" in seen[0]
    assert seen[1] is None


def test_the_end_of_a_killed_process_is_not_waited_for(monkeypatch):
    """One of two processes has ended, and the other one was killed."""
    monkeypatch.setenv("MS_NODE_TIMEOUT", "1")
    store = Store(Client())
    for folder in ("ended", "alive"):
        store.set(f"{folder}/0", "1.0")
    assert coordination.ends_of(store, 1) == 0
    assert coordination.ends_of(store, 2) == 1


def test_a_stuck_process_is_named(waited):
    ended = waited
    assert ended.status != 0 and ": end" not in ended.text, ended.text
    place = "AllReduce sum float32[2], failing.py:21"
    assert any(
        f"rank {mine} waits in {place}; rank {other} is in {place}; rank 1 is in no collective" in ended.text
        for mine, other in ((0, 2), (2, 0))
    ), ended.text


# Known steps that two processes run in different orders: one step is left out, or two are swapped; a and b have the
# same size, c and d other sizes. The program says where a value is wrong.
CONFUSED = {
    "graph ab b": "rank 0 is in compiled AllReduce sum float32[2], confusing.py:34; "
    "rank 1 is in compiled AllReduce max float32[2], confusing.py:34",
    "graph dc c": "rank 0 is in compiled AllReduce sum float32[200000], confusing.py:34; "
    "rank 1 is in compiled AllReduce sum float32[100000], confusing.py:34",
    "later ab ba": "rank 0 is in compiled AllReduce sum float32[2], confusing.py:34; "
    "rank 1 is in compiled AllReduce max float32[2], confusing.py:34",
    "gradient ab ba": "rank 0 is in compiled AllReduce sum float32[2], confusing.py:42; "
    "rank 1 is in compiled AllReduce max float32[2], confusing.py:42",
    "gradient cd dc": "rank 0 is in compiled AllReduce sum float32[100000], confusing.py:42; "
    "rank 1 is in compiled AllReduce sum float32[200000], confusing.py:42",
}


@pytest.mark.parametrize("tiers", ["on", "off"])
@pytest.mark.parametrize("how", CONFUSED)
def test_confused_steps_are_found_before_a_value_is_seen(how, tiers, tmp_path):
    ended = launch(tmp_path, 2, "confusing.py", *how.split(), MSGRAD_TIERS=tiers)
    assert ended.status != 0 and ended.at - ended.begun() < PATIENCE, ended.text
    for rank in (0, 1):  # each says so itself
        assert f"must run the same ones in the same order, but rank {rank}" in ended.text, ended.text
    assert all(part in ended.text for part in CONFUSED[how].split("; ")), ended.text
    assert "wrong value" not in ended.text and "SIGABRT" not in ended.text and ": end" not in ended.text, ended.text


def test_a_late_process_is_waited_for(waited):
    ended = waited
    assert ended.status == 0 and "rank 0: end" in ended.text, ended.text


def test_processes_may_be_stopped_for_a_while(waited):
    status, text = waited
    assert status == 0 and "rank 0: end" in text and "rank 1: end" in text, text


def test_a_process_that_stands_still_too_long_is_named(waited):
    status, text = waited
    expected = "rank 0 waits in AllReduce sum float32[2], failing.py:21; rank 1 has given no sign of life for 10 s"
    assert status != 0 and expected in text, text


ENDS = {"Ctrl-C": signal.SIGINT, "the terminal is closed": signal.SIGHUP, "the launcher is killed": signal.SIGKILL}


@pytest.mark.parametrize("number", ENDS.values(), ids=ENDS)
def test_nothing_is_left_behind(number, tmp_path):
    port = own_port()
    options = [f"--log_dir={tmp_path}", "--tail_worker_log=-1", f"--master_port={port}"]
    # Where the tests run in a shell's background or by nohup, processes that are started inherit what is ignored.
    before = [(each, signal.signal(each, signal.SIG_DFL)) for each in (signal.SIGINT, signal.SIGHUP)]
    process = subprocess.Popen(
        command(2, "failing.py", "stuck", options=options),
        env=environment(),
        stdout=subprocess.PIPE,
        cwd=tmp_path,
    )
    for each, handler in before:
        signal.signal(each, handler)
    await_beginning(process)
    children = _children(process)
    assert len(children) == 2
    process.send_signal(number)
    process.wait(SECONDS)
    process.stdout.close()  # not before: a worker that prints would end the launcher
    end = time.time() + SECONDS
    while time.time() < end and any(map(is_running, children)):
        time.sleep(0.1)
    assert not any(map(is_running, children))
    assert process.returncode == (-number if number == signal.SIGKILL else 128 + number)
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["worker_0.log", "worker_1.log"]
