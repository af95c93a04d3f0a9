"""Registration: the scheduler assigns ranks to workers that are started by hand (MindSpore's *dynamic cluster*).

A client of JAX's coordination service has a number from the start. So the scheduler hosts a service for the
registration alone: a worker connects under any number; until all numbers are taken, the service drops an earlier client
for a later one of the same number, and the dropped one tries the next. Once connected, each worker describes itself,
and the scheduler answers with its rank and the port of the service at which the processes meet.
"""

import json
import os
import subprocess
import sys

_QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "GRPC_VERBOSITY": "NONE"}
_PROMPT = 60_000  # ms between the last registration and its answer, which takes a few

_MSG_EXTRA = "{} workers have registered already, as many as MS_WORKER_NUM says: this one is too many."
_MSG_TWICE = "MS_NODE_ID is {!r} in two workers: give each another one, or none."
_MSG_SIZE = "MS_WORKER_NUM is {} in a worker, and {} in the scheduler."
_MSG_ENDED = "the registration ended with status {}"


# -- in a worker ----------------------------------------------------------------------------------------------------


def register(address, size, worker, timeout):
    """Registers this process with the scheduler, and waits for its rank.

    Args:
        address (str): host and port of the scheduler.
        size (int): the number of workers.
        worker (dict): ``name``, ``address``, ``machine`` and ``size`` of this one.
        timeout (int): seconds to wait for the others.
    Returns:
        dict: ``rank``, ``local_rank``, ``local_size`` and ``port``, or ``error``; None after the timeout.
    """
    # In a process of its own: the client of one that is dropped may abort its process, and writes to its stderr.
    command = [sys.executable, os.path.abspath(__file__), address, str(size), json.dumps(worker), str(timeout)]
    streams = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": {**os.environ, **_QUIET}}
    try:
        ended = subprocess.run(command, stdout=subprocess.PIPE, timeout=timeout, check=False, **streams)
    except subprocess.TimeoutExpired:
        return None
    return json.loads(ended.stdout or json.dumps({"error": _MSG_ENDED.format(ended.returncode)}))


def _main(address, size, worker, timeout):
    """The process that registers a worker: prints the scheduler's answer."""
    size, timeout = int(size), int(timeout)
    number, client = _connected(address, size, timeout)
    try:
        client.key_value_set(f"worker/{number}", worker)
    except RuntimeError:  # the key exists: the service takes a client for another's that has come back
        print(json.dumps({"error": _MSG_EXTRA.format(size)}), flush=True)
    else:
        print(client.blocking_key_value_get(f"answer/{number}", _PROMPT), flush=True)
        client.shutdown()
    os._exit(0)  # the client of one that is too many could only abort


def _connected(address, size, timeout):
    """A number from 1 to ``size`` that no other worker has, and the client that has connected with it."""
    from jaxlib import _jax  # private, read in jaxlib 0.10.2; to import jax would take five times as long

    number = 1
    while True:
        client = _jax.get_distributed_runtime_client(
            address,
            number,
            init_timeout=timeout,
            # Without a function of ours it aborts the process. jaxlib fails to call it (`std::bad_cast`), and `connect`
            # raises that.
            missed_heartbeat_callback=lambda status: None,
            shutdown_on_destruction=False,
        )
        try:
            client.connect()
        except RuntimeError:
            number = number % size + 1
        else:
            return number, client


# -- in the scheduler -----------------------------------------------------------------------------------------------

SCHEDULER = 0  # the scheduler's number in the service for the registration


def assign(client, size, port):
    """Waits until all workers have registered, and tells each its rank.

    Args:
        client: of the service for the registration, which has connected.
        size (int): the number of workers.
        port (int): where the processes meet.
    Raises:
        RuntimeError: if they have two names that are equal, or expect another number of workers; they raise it, too.
    """
    numbers = range(1, size + 1)
    workers = [json.loads(client.blocking_key_value_get(f"worker/{number}", _PROMPT)) for number in numbers]
    found = answers(workers)
    for number, answer in zip(numbers, found, strict=True):
        client.key_value_set(f"answer/{number}", json.dumps({**answer, "port": port}))
    client.shutdown()  # waits until they have read it
    if "error" in found[0]:
        raise RuntimeError(found[0]["error"])


def answers(workers):
    """The rank of each worker: MindSpore's rule.

    If all names are numbers, they are the ranks. Otherwise MindSpore sorts by addresses and then names, as text; a name
    that it makes itself is random, so only the ranks of one machine are consecutive then.

    Args:
        workers (list of dict): ``name``, ``address``, ``machine`` and ``size`` of each.
    Returns:
        list of dict: ``rank``, ``local_rank`` and ``local_size`` of each, or ``error``.
    """
    names = [worker["name"] for worker in workers]
    faults = [_MSG_TWICE.format(name) for name in names if names.count(name) > 1]
    faults += [_MSG_SIZE.format(worker["size"], len(workers)) for worker in workers if worker["size"] != len(workers)]
    if faults:
        return [{"error": faults[0]}] * len(workers)
    is_numbered = all(map(str.isdecimal, names))
    order = sorted(workers, key=_number_of if is_numbered else _address_of)
    machines, found = [worker["machine"] for worker in order], {}
    for rank, worker in enumerate(order):
        machine = worker["machine"]
        local = {"local_rank": machines[:rank].count(machine), "local_size": machines.count(machine)}
        found[worker["name"]] = {"rank": rank, **local}
    return [found[name] for name in names]


def _number_of(worker):
    return int(worker["name"])


def _address_of(worker):
    return worker["address"], worker["name"]


if __name__ == "__main__":
    _main(*sys.argv[1:])
