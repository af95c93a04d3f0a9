"""Launchers' environment variables: the rank of this process, the number of processes, and the rendezvous address.

Understood are those of ``msgrad launch`` and msrun (``MS_*``), of rank tables and shell scripts (``RANK_ID``,
``RANK_SIZE``, ``RANK_TABLE_FILE``), of OpenMPI, of torchrun, and of SLURM's ``srun``.
"""

import dataclasses
import json
import os
import re
import uuid
import zlib
from typing import Any

PORT = 8118  # where MindSpore's launchers meet, too
LOCAL_WORKERS = "MSGRAD_LOCAL_WORKERS"  # how many `msgrad launch` starts on this machine, with their ranks
LAUNCHER = "MSGRAD_LAUNCHER"  # the file descriptor on which the launcher reports failed processes
ENDED = "ended "  # on that, before the rank of a process that has ended with status 0
JOINED = "MSGRAD_JOINED"  # the process that has joined; processes that it starts inherit the variable, but do not join

_MSG_NUMBER = "{} must be a whole number, but is {!r}."
_MSG_PORT = "{} must be a port, from 1 to 65535, but is {}."
_MSG_RANK = "{} says that there are {} processes, so {} must be from 0 to {}, but is {!r}."
_MSG_NO_COUNT = "MS_ROLE is {}, so MS_WORKER_NUM must be the number of workers; unset MS_ROLE to run one process."
_MSG_NO_RANK = (
    "{} says that this is one of {} processes, but {} does not say which. Start them with "
    "`msgrad launch --worker_num={} script.py`, or unset {} to run one."
)
_MSG_TABLE = "The rank table {!r} of RANK_TABLE_FILE cannot be read: {}"
_MSG_NO_ADDRESS = "{} processes on several machines need MASTER_ADDR, the address of the first one's machine."


@dataclasses.dataclass
class Membership:
    """Rank of a process, number of processes, and where they meet.

    Attributes:
        rank, size (int): its number among all, and how many they are.
        local_rank, local_size (int): the same on its machine. These and the rank are None until the scheduler assigns
            them, where it does (`registration`).
        host, port (str, int): where they meet, or register.
        is_hosted (bool): whether another process hosts the rendezvous; else rank 0 does.
        variable (str): which environment variable says so.
        name (str): by which the scheduler tells it from others, where it assigns the rank; random if none is given.
    """

    rank: int | None
    size: int
    local_rank: int | None
    local_size: int | None
    host: str
    port: int
    is_hosted: bool
    variable: str
    name: str | None = None


def membership():
    """The `Membership` of this process, or None where it is the only one.

    Raises:
        RuntimeError: if the variables contradict each other.
    """
    # Such as the workers of a dataset's pool: each would wait for a rendezvous that is over.
    joined = os.environ.get(JOINED)
    if joined is not None and joined != str(os.getpid()):
        return None
    # MindSpore's own first: a script started by msrun in a SLURM job has the variables of both.
    for read in (_of_msrun, _of_rank_table, _of_openmpi, _of_torchrun, _of_slurm, _of_ranks):
        member = read()
        if member is not None:
            return member if member.size > 1 else None
    return None


def is_scheduler():
    """Whether this process is MindSpore's scheduler, which hosts the rendezvous and does not compute."""
    return os.environ.get("MS_ROLE") == "MS_SCHED" and _worker_count() > 1


def scheduler():
    """The `Membership` of MindSpore's scheduler: one more than the workers."""
    size = _worker_count()
    return Membership(size, size, None, None, *_address(), False, f"MS_WORKER_NUM={size}", "the scheduler")


def _worker_count():
    count = _number("MS_WORKER_NUM")
    if not count:
        raise RuntimeError(_MSG_NO_COUNT.format(os.environ["MS_ROLE"]))
    return count


def _number(name) -> Any:
    text = os.environ.get(name, "").strip()
    if not text:
        return None
    if not text.isdecimal():
        raise RuntimeError(_MSG_NUMBER.format(name, text))
    return int(text)


def _address(port=PORT):
    host = os.environ.get("MS_SCHED_HOST") or os.environ.get("MASTER_ADDR")
    name = "MS_SCHED_PORT" if _number("MS_SCHED_PORT") else "MASTER_PORT"
    port = _number(name) or port
    if port >= 1 << 16:
        raise RuntimeError(_MSG_PORT.format(name, port))
    # Of version 6 as gRPC has it.
    return f"[{host}]" if host and ":" in host and host[0] != "[" else host or "127.0.0.1", port


def _member(size_name, rank_name, local=(None, None), address=None, is_hosted=False):
    """The `Membership` in these variables; None without them."""
    size = _number(size_name)
    if size is None or size < 2:
        return None
    rank = _number(rank_name)
    if rank is None:
        raise RuntimeError(_MSG_NO_RANK.format(size_name, size, rank_name, size, size_name))
    if rank >= size:
        raise RuntimeError(_MSG_RANK.format(size_name, size, rank_name, size - 1, rank))
    local_rank, local_size = (_number(name) if name else None for name in local)
    host, port = address or _address()
    return Membership(
        rank,
        size,
        rank if local_rank is None else local_rank,
        size if local_size is None else local_size,
        host,
        port,
        is_hosted,
        f"{size_name}={size}",
    )


def _of_msrun():
    if os.environ.get("MS_ROLE") != "MS_WORKER":
        return None
    if LOCAL_WORKERS in os.environ:
        return _member("MS_WORKER_NUM", "MS_NODE_ID", ("DEVICE_ID", LOCAL_WORKERS), is_hosted=True)
    size, name = _worker_count(), os.environ.get("MS_NODE_ID", "").strip()
    if name.isdecimal() and int(name) >= size:
        raise RuntimeError(_MSG_RANK.format("MS_WORKER_NUM", size, "MS_NODE_ID", size - 1, name))
    name = name or str(uuid.uuid4())
    return Membership(None, size, None, None, *_address(), True, f"MS_WORKER_NUM={size}", name)


def _of_rank_table():
    path = os.environ.get("RANK_TABLE_FILE")
    if not path or not os.path.isfile(path) or _number("RANK_ID") is None:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            servers = json.load(file)["server_list"]
        ranks = [[int(device["rank_id"]) for device in server["device"]] for server in servers]
        hosts = [server.get("host_nic_ip") or server["server_id"] for server in servers]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RuntimeError(_MSG_TABLE.format(path, f"{type(error).__name__}: {error}")) from None
    size, rank = sum(map(len, ranks)), _number("RANK_ID")
    home = next((k for k, here in enumerate(ranks) if rank in here), None)
    if home is None:
        raise RuntimeError(_MSG_RANK.format("RANK_TABLE_FILE", size, "RANK_ID", size - 1, rank))
    first = next((k for k, here in enumerate(ranks) if 0 in here), 0)
    host = "127.0.0.1" if len(servers) == 1 or not re.match(r"[\d.]+$", str(hosts[first])) else hosts[first]
    here = sorted(ranks[home])
    address = os.environ.get("MS_SCHED_HOST") or os.environ.get("MASTER_ADDR") or host, _address()[1]
    return Membership(rank, size, here.index(rank), len(here), *address, False, f"RANK_TABLE_FILE={path}")


def _of_openmpi():
    size, local_size = _number("OMPI_COMM_WORLD_SIZE"), _number("OMPI_COMM_WORLD_LOCAL_SIZE")
    local = ("OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE")
    if size is None or size < 2:
        return None
    # OpenMPI does not say where the first process runs; on one machine it is this one.
    is_told = os.environ.get("MS_SCHED_HOST") or os.environ.get("MASTER_ADDR")
    if size != (local_size or size) and not is_told:
        raise RuntimeError(_MSG_NO_ADDRESS.format("OpenMPI's"))
    job = os.environ.get("PMIX_NAMESPACE") or os.environ.get("OMPI_MCA_ess_base_jobid") or ""
    return _member("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", local, _address(_port_of(job)))


def _of_torchrun():
    if not os.environ.get("MASTER_ADDR") or _number("RANK") is None:
        return None
    host, port = _address()
    if os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True":
        port += 1  # torchrun itself listens at MASTER_PORT
    return _member("WORLD_SIZE", "RANK", ("LOCAL_RANK", "LOCAL_WORLD_SIZE"), (host, port))


def _of_slurm():
    if not os.environ.get("SLURM_STEP_NODELIST") or _number("SLURM_STEP_NUM_TASKS") is None:
        return None
    host = os.environ.get("MS_SCHED_HOST") or os.environ.get("MASTER_ADDR")
    host = host or _first_host(os.environ["SLURM_STEP_NODELIST"])
    port = _address(_port_of(os.environ.get("SLURM_JOB_ID", "")))[1]
    return _member("SLURM_STEP_NUM_TASKS", "SLURM_PROCID", ("SLURM_LOCALID", None), (host, port))


def _of_ranks():
    if _number("RANK_ID") is None:
        return None
    return _member("RANK_SIZE", "RANK_ID", ("DEVICE_ID", None))


def _port_of(job):
    """A port derived from the job's number, so that two jobs on one machine hardly ever share it."""
    # Among the dynamic ports, and by the job alone, since all processes must derive the same one without a message.
    return 49152 + zlib.crc32(job.encode()) % 16000 if job else PORT


def _first_host(nodes):
    """The first of SLURM's list of hosts, as ``node[003-007,12]``."""
    match: Any = re.match(r"([^,\[]+)(?:\[(\w+))?", nodes)
    return match[1] + (match[2] or "")
