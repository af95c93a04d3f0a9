"""How a process finds its rank: launchers' environment variables, and programs started by hand."""

import json
import os
import socket
import subprocess
import sys
import time

import pytest

from msgrad.engine.processes import launched

from .launching import PROGRAMS, command, environment


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
    "msrun": (
        {"MS_ROLE": "MS_WORKER", "MS_WORKER_NUM": 4, "MS_NODE_ID": 3, "MS_SCHED_HOST": "h", "MS_SCHED_PORT": 7},
        (3, 4, 3, "h", 7, True),
    ),
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
        ({"OMPI_COMM_WORLD_SIZE": 4, "OMPI_COMM_WORLD_LOCAL_SIZE": 2}, "need MASTER_ADDR"),
        ({"MS_ROLE": "MS_WORKER", "MS_WORKER_NUM": 4}, "MS_NODE_ID does not say which"),
    ],
)
def test_contradictions(environment, message, variables):
    variables(**environment)
    with pytest.raises(RuntimeError, match=message):
        launched.membership()


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _outputs(starts, folder):
    """What several programs print that run at the same time, each given as its command and its variables."""
    running = [
        subprocess.Popen(words, env=environment(**names), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder)
        for words, names in starts
    ]
    texts = [process.communicate(timeout=180)[0].decode() for process in running]
    assert [process.returncode for process in running] == [0] * len(running), "\n".join(texts)
    return ["\n".join([line for line in text.splitlines() if "Gloo" not in line]) for text in texts]


RUN = [sys.executable, "-m", "msgrad", "run", str(PROGRAMS / "meeting.py")]


def test_started_by_a_shell_script(tmp_path):
    port = str(_free_port())
    names = [{"RANK_SIZE": "2", "RANK_ID": str(k), "DEVICE_ID": str(k), "MASTER_PORT": port} for k in range(2)]
    expected = [f"rank {k} of 2, local {k}: [3.0]" for k in range(2)]
    assert _outputs([(RUN, each) for each in names], tmp_path) == expected


def test_started_with_a_scheduler(tmp_path):
    common = {"MS_WORKER_NUM": "2", "MS_SCHED_HOST": "127.0.0.1", "MS_SCHED_PORT": str(_free_port())}
    names = [{**common, "MS_ROLE": "MS_WORKER", "MS_NODE_ID": str(k)} for k in range(2)]
    names.append({**common, "MS_ROLE": "MS_SCHED"})
    outputs = _outputs([(RUN, each) for each in names], tmp_path)
    assert outputs == ["rank 0 of 2, local 0: [3.0]", "rank 1 of 2, local 1: [3.0]", ""]


def test_started_on_two_machines(tmp_path):
    options = ["--local_worker_num=1", "--master_addr=127.0.0.1", "--tail_worker_log=-1"]
    options.append(f"--master_port={_free_port()}")
    starts = [(command(2, "meeting.py", options=[*options, f"--node_rank={node}"]), {}) for node in range(2)]
    assert _outputs(starts, tmp_path) == [f"rank {k} of 2, local 0: [3.0]" for k in range(2)]


def test_alone_among_several(tmp_path):
    names = {"RANK_SIZE": "2", "RANK_ID": "0", "MASTER_PORT": str(_free_port()), "MSGRAD_JOIN_TIMEOUT": "2"}
    began = time.time()
    ended = subprocess.run(RUN, env=environment(**names), stderr=subprocess.PIPE, cwd=tmp_path, timeout=180)
    text = ended.stderr.decode()
    assert ended.returncode == 1 and time.time() - began < 120
    assert "RANK_SIZE=2 says that this is one of 2 processes, but after 2 s they are not all at 127.0.0.1" in text
    assert "`msgrad launch --worker_num=2 script.py`, or unset RANK_SIZE to run one." in text
