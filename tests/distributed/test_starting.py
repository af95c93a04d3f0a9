"""How a process finds its rank: launchers' environment variables, and programs started by hand."""

import json
import os
import re
import socket
import subprocess
import sys
import time

import pytest

from msgrad.engine.processes import claims, coordination, launched, registration

from .launching import PROGRAMS, SECONDS, SECRET, command, environment, own_port


@pytest.fixture
def variables(monkeypatch):
    """Sets environment variables where those of launchers are not set."""
    for name in (*os.environ,):
        if name.startswith(("RANK", "MS_", "OMPI_", "SLURM_", "MASTER_", "WORLD_SIZE", "MSGRAD_JOINED", "DEVICE_ID")):
            monkeypatch.delenv(name)

    def give(**values):
        for name, value in values.items():
            monkeypatch.setenv(name, str(value))

    return give


OPENMPI = {"OMPI_COMM_WORLD_SIZE": 4, "OMPI_COMM_WORLD_RANK": 3, "OMPI_COMM_WORLD_LOCAL_RANK": 1}
TORCHRUN = {"WORLD_SIZE": 4, "RANK": 3, "LOCAL_RANK": 1, "MASTER_ADDR": "10.0.0.1", "MASTER_PORT": 500}
SLURM = {"SLURM_STEP_NUM_TASKS": 4, "SLURM_PROCID": 3, "SLURM_LOCALID": 1, "SLURM_STEP_NODELIST": "node[07-09],x"}
SCHEDULED = {"MS_ROLE": "MS_WORKER", "MS_WORKER_NUM": 4, "MS_SCHED_HOST": "h", "MS_SCHED_PORT": 7}
MEMBERSHIPS = {
    "none": ({}, None),
    "one": ({"RANK_SIZE": 1, "RANK_ID": 0}, None),
    "a number alone": ({"RANK_SIZE": 8}, None),
    "ranks": ({"RANK_SIZE": 4, "RANK_ID": 3, "DEVICE_ID": 1}, (3, 4, 1, "127.0.0.1", 8118, False)),
    "openmpi": ({**OPENMPI, "MASTER_ADDR": "h", "MASTER_PORT": 9}, (3, 4, 1, "h", 9, False)),
    "torchrun": (TORCHRUN, (3, 4, 1, "10.0.0.1", 500, False)),
    "torchrun's agent": ({**TORCHRUN, "TORCHELASTIC_USE_AGENT_STORE": True}, (3, 4, 1, "10.0.0.1", 501, False)),
    "slurm": ({**SLURM, "MASTER_PORT": 9}, (3, 4, 1, "node07", 9, False)),
    "slurm's allocation": ({"SLURM_NTASKS": 4, "SLURM_PROCID": 0}, None),
    "launch": ({**SCHEDULED, "MS_NODE_ID": 3, "DEVICE_ID": 1, "MSGRAD_LOCAL_WORKERS": 2}, (3, 4, 1, "h", 7, True)),
    "a scheduler": (SCHEDULED, (None, 4, None, "h", 7, True)),
    "a scheduler and a number": ({**SCHEDULED, "MS_NODE_ID": 3, "DEVICE_ID": 1}, (None, 4, None, "h", 7, True)),
    "an address of version 6": ({"RANK_SIZE": 2, "RANK_ID": 0, "MASTER_ADDR": "::1"}, (0, 2, 0, "[::1]", 8118, False)),
    "a child of a process that has joined": ({"RANK_SIZE": 4, "RANK_ID": 3, launched.JOINED: 1}, None),
}


@pytest.mark.parametrize("name", MEMBERSHIPS)
def test_membership(name, variables):
    environment, expected = MEMBERSHIPS[name]
    variables(**environment)
    joined = launched.membership()
    if joined is not None:
        joined = joined.rank, joined.size, joined.local_rank, joined.host, joined.port, joined.is_hosted
    assert joined == expected


def test_rank_table(variables, tmp_path):
    path = tmp_path / "table.json"
    servers = [
        {"server_id": f"10.0.0.{k + 1}", "device": [{"device_id": str(i), "rank_id": str(2 * k + i)} for i in range(2)]}
        for k in range(2)
    ]
    path.write_text(json.dumps({"server_list": servers}))
    variables(RANK_TABLE_FILE=path, RANK_ID=3, RANK_SIZE=4)
    joined = launched.membership()
    assert (joined.rank, joined.size, joined.local_rank, joined.local_size, joined.host) == (3, 4, 1, 2, "10.0.0.1")
    path.write_text("{}")
    with pytest.raises(RuntimeError, match="cannot be read"):
        launched.membership()


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"RANK_SIZE": 4, "RANK_ID": 4}, "RANK_ID must be from 0 to 3"),
        ({"RANK_SIZE": "four", "RANK_ID": 0}, "RANK_SIZE must be a whole number"),
        ({"RANK_SIZE": 4, "RANK_ID": 0, "MASTER_PORT": 65536}, "MASTER_PORT must be a port, from 1 to 65535, but is 6"),
        ({"OMPI_COMM_WORLD_SIZE": 4, "OMPI_COMM_WORLD_LOCAL_SIZE": 2}, "need MASTER_ADDR"),
        ({"MS_ROLE": "MS_WORKER"}, "MS_ROLE is MS_WORKER, so MS_WORKER_NUM must be"),
        ({**SCHEDULED, "MS_NODE_ID": 4}, "MS_NODE_ID must be from 0 to 3"),
        ({**SCHEDULED, "MSGRAD_LOCAL_WORKERS": 4}, "MS_NODE_ID does not say which"),
    ],
)
def test_contradictions(environment, message, variables):
    variables(**environment)
    with pytest.raises(RuntimeError, match=message):
        launched.membership()


def _outputs(starts, folder):
    """What several programs print that run at the same time, each given as its command and its variables."""
    running = [
        subprocess.Popen(
            words,
            env=environment(**{"MSGRAD_SECRET": SECRET, **names}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
        )
        for words, names in starts
    ]
    texts = [process.communicate(timeout=SECONDS)[0].decode() for process in running]
    assert [process.returncode for process in running] == [0] * len(running), "\n".join(texts)
    return ["\n".join([line for line in text.splitlines() if "Gloo" not in line]) for text in texts]


RUN = [sys.executable, "-m", "msgrad", "run", str(PROGRAMS / "meeting.py")]


def test_started_by_a_shell_script(tmp_path):
    port = str(own_port())
    names = [{"RANK_SIZE": "2", "RANK_ID": str(k), "DEVICE_ID": str(k), "MASTER_PORT": port} for k in range(2)]
    expected = [f"rank {k} of 2, local {k}: [3.0]" for k in range(2)]
    assert _outputs([(RUN, each) for each in names], tmp_path) == expected


# Ranks by MindSpore's rule, of workers with these values of MS_NODE_ID and these addresses.
RANKS = [
    (["1", "0"], ["a", "a"], [1, 0]),
    (["9", "10", *"876543210"], ["a"] * 11, [9, 10, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
    (["b9", "b10"], ["a", "a"], [1, 0]),
    (["zebra", "apple"], ["a", "a"], [1, 0]),
    (["b9", "b10"], ["a", "b"], [0, 1]),
]


@pytest.mark.parametrize(("names", "addresses", "expected"), RANKS, ids=str)
def test_assigned_ranks(names, addresses, expected):
    workers = [
        {"name": name, "address": address, "machine": address, "size": len(names)}
        for name, address in zip(names, addresses, strict=True)
    ]
    assert [answer["rank"] for answer in registration.answers(workers)] == expected


def test_assigned_local_ranks():
    workers = [{"name": name, "address": name, "machine": name < "c", "size": 4} for name in "dacb"]
    found = [(each["rank"], each["local_rank"], each["local_size"]) for each in registration.answers(workers)]
    assert found == [(3, 1, 2), (0, 0, 2), (2, 0, 2), (1, 1, 2)]


def _scheduled(size, **further):
    """The variables of ``size`` workers and of their scheduler, which comes last."""
    address = {"MS_SCHED_HOST": "127.0.0.1", "MS_SCHED_PORT": str(own_port())}
    common = {"MS_WORKER_NUM": str(size), **address, **further}
    return [{**common, "MS_ROLE": role} for role in ["MS_WORKER"] * size + ["MS_SCHED"]]


NAMES = {"numbers": ["1", "0"], "names": ["b9", "b10"], "no names": ["", "", ""]}


@pytest.mark.parametrize("kind", NAMES)
def test_started_with_a_scheduler(kind, tmp_path):
    size = len(NAMES[kind])
    unsigned = {"MSGRAD_SECRET": "", "PYTHONWARNINGS": "ignore"} if kind == "names" else {}
    *workers, scheduler = _scheduled(size, **unsigned)
    for worker, name in zip(workers, NAMES[kind], strict=True):
        worker["MS_NODE_ID"] = name
    *found, silent = _outputs([(RUN, each) for each in (*workers, scheduler)], tmp_path)
    ranks = range(size) if kind == "no names" else [1, 0]
    expected = [f"rank {k} of {size}, local {k}: [{size * (size + 1) / 2}]" for k in ranks]
    assert (sorted(found) if kind == "no names" else found) == expected and silent == ""


def _failures(starts, folder):
    """The exit status and the last line of each of several programs that run at the same time."""
    return _ends(_started(starts, folder))


def _started(starts, folder):
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "cwd": folder}
    return [
        subprocess.Popen(words, env=environment(**{"MSGRAD_SECRET": SECRET, **names}), **streams)
        for words, names in starts
    ]


def _ends(running):
    texts = [process.communicate(timeout=SECONDS)[0].decode().strip() for process in running]
    return [(process.returncode, text.split("\n")[-1]) for process, text in zip(running, texts, strict=True)]


def test_two_workers_of_one_name(tmp_path):
    starts = [(RUN, {**names, "MS_NODE_ID": "0"}) for names in _scheduled(2)]
    expected = "RuntimeError: MS_NODE_ID is '0' in two workers: give each another one, or none."
    assert _failures(starts, tmp_path) == [(1, expected)] * 3


def test_one_worker_too_many(tmp_path):
    worker, *others = _scheduled(2)
    running = _started([([*RUN, "refused"], each) for each in (worker, worker, *others)], tmp_path)
    while all(process.poll() is None for process in running):  # the others stay until the last to come is refused
        time.sleep(0.05)
    (tmp_path / "refused").touch()
    ended = sorted(_ends(running))
    assert [status for status, _ in ended] == [0, 0, 0, 1]
    assert ended[3][1].startswith("RuntimeError: 2 workers have registered already"), ended


def test_workers_and_scheduler_expect_other_numbers(tmp_path):
    *workers, scheduler = _scheduled(2)
    starts = [(RUN, {**names, "MS_WORKER_NUM": "3"}) for names in workers] + [(RUN, scheduler)]
    expected = "RuntimeError: MS_WORKER_NUM is 3 in a worker, and 2 in the scheduler."
    assert _failures(starts, tmp_path) == [(1, expected)] * 3


def test_processes_expect_other_numbers(tmp_path):
    port = str(own_port())
    names = [{"RANK_SIZE": str(2 + k), "RANK_ID": str(k), "MASTER_PORT": port} for k in range(2)]
    first, second = _failures([(RUN, each) for each in names], tmp_path)
    sentence = "must have the same number of them, but RANK_SIZE=3 in rank 1, and rank 0 expects 2."
    assert first[0] == second[0] == 1 and sentence in first[1] and sentence in second[1], (first, second)


TWICE = "RANK_SIZE=3 says that there are 3 processes, but two of those at {} have the rank 1, {} and {} (PID): "


def test_a_rank_is_claimed_once():
    address = f"127.0.0.1:{own_port()}"
    first, other = (claims.Claim(address, rank, 3, "RANK_SIZE=3") for rank in (1, 0))
    for claim in (first, other):
        claim.check()
    sentence = re.escape(TWICE.format(address, os.getpid(), os.getpid()))
    with pytest.raises(RuntimeError, match=sentence):
        claims.Claim(address, 1, 3, "RANK_SIZE=3")
    for claim in (first, other):  # those that still wait hear of it
        with pytest.raises(RuntimeError, match=sentence):
            claim.check()
    first.close()
    for claim in (claims.Claim(address, 1, 3, "RANK_SIZE=3"), other):
        claim.check()
        claim.close()


def test_two_processes_of_one_rank(tmp_path):
    names = {"RANK_SIZE": "3", "RANK_ID": "1", "MASTER_PORT": str(own_port()), "MSGRAD_JOIN_TIMEOUT": "100"}
    for status, text in _failures([(RUN, names)] * 2, tmp_path):
        assert status == 1 and TWICE.partition(" at {}")[0] in text, text


def test_where_no_service_can_listen():
    port = own_port()
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        with pytest.raises(RuntimeError, match=f"cannot meet at 127.0.0.1:{port}: another program listens there"):
            coordination.free_port("127.0.0.1", port)
    assert coordination.free_port("127.0.0.1", port) == port
    with pytest.raises(RuntimeError, match="cannot meet at 192.0.2.1:0: this is no address of the machine of rank 0"):
        coordination.free_port("192.0.2.1")


def test_one_service_at_a_port():
    """Two that start at once both find the port free."""
    port = own_port()
    _, lock = coordination._reserved("127.0.0.1", port)
    with pytest.raises(RuntimeError, match=f"cannot meet at 127.0.0.1:{port}: another program listens there"):
        coordination._reserved("127.0.0.1", port)
    lock.close()
    coordination._reserved("127.0.0.1", port)[1].close()


def test_no_scheduler(tmp_path):
    starts = [(RUN, names) for names in _scheduled(2, MSGRAD_JOIN_TIMEOUT="2")]
    for (status, text), other in zip(_failures(starts[1:], tmp_path), ("MS_SCHED", "MS_WORKER"), strict=True):
        assert status == 1 and text.startswith("RuntimeError: MS_WORKER_NUM=2 says that "), text
        assert "after 2 s they " in text and f"MS_ROLE={other}" in text, text


def test_started_on_two_machines(tmp_path):
    options = ["--local_worker_num=1", "--master_addr=127.0.0.1", "--tail_worker_log=-1"]
    options.append(f"--master_port={own_port()}")
    starts = [(command(2, "meeting.py", options=[*options, f"--node_rank={node}"]), {}) for node in range(2)]
    assert _outputs(starts, tmp_path) == [f"rank {k} of 2, local 0: [3.0]" for k in range(2)]


def test_alone_among_several(tmp_path):
    names = {"RANK_SIZE": "2", "RANK_ID": "0", "MASTER_PORT": str(own_port()), "MSGRAD_JOIN_TIMEOUT": "2"}
    ended = subprocess.run(
        RUN,
        env=environment(**{"MSGRAD_SECRET": SECRET, **names}),
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        timeout=SECONDS,
    )
    text = ended.stderr.decode()
    assert ended.returncode == 1
    assert "RANK_SIZE=2 says that this is one of 2 processes, but after 2 s they are not all at 127.0.0.1" in text
    assert "`msgrad launch --worker_num=2 script.py`, or unset RANK_SIZE to run one." in text
