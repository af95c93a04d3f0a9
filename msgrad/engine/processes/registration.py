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

# Without a word, and with this folder on the path even if Python is told to be safe from folders of scripts.
_ALONE = {"TF_CPP_MIN_LOG_LEVEL": "3", "GRPC_VERBOSITY": "NONE", "PYTHONSAFEPATH": ""}
_PROMPT = 60  # seconds between the last registration and its answer, which takes a few

_MSG_EXTRA = "{} workers have registered already, as many as MS_WORKER_NUM says: this one is too many."
_MSG_TWICE = "MS_NODE_ID is {!r} in two workers: give each another one, or none."
_MSG_SIZE = "MS_WORKER_NUM is {} in a worker, and {} in the scheduler."
_MSG_NO_ANSWER = "The scheduler has not answered in time."
_MSG_NO_WORKER = "Worker {} of those that registered has ended before it said what it is."
_MSG_ENDED = "the registration ended with status {}"


# -- in a worker ----------------------------------------------------------------------------------------------------


def register(address, size, worker, timeout, secret):
    """Registers this process with the scheduler, and waits for its rank.

    Args:
        address (str): host and port of the scheduler.
        size (int): the number of workers.
        worker (dict): ``name``, ``address``, ``machine`` and ``size`` of this one.
        timeout (int): seconds to wait for the others.
        secret (bytes): of the launch; None if there is none.
    Returns:
        dict: ``rank``, ``local_rank``, ``local_size`` and ``port``, or ``error``; None after the timeout.
    """
    # In a process of its own: the client of one that is dropped may abort its process, and writes to its stderr.
    command = [sys.executable, os.path.abspath(__file__), address, str(size), json.dumps(worker), str(timeout)]
    streams = {"input": secret or b"", "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    try:
        ended = subprocess.run(command, env={**os.environ, **_ALONE}, timeout=timeout, check=False, **streams)
    except subprocess.TimeoutExpired:
        return None
    return json.loads(ended.stdout or json.dumps({"error": _MSG_ENDED.format(ended.returncode)}))


def _main(address, size, worker, timeout):
    """The process that registers a worker: prints the scheduler's answer. Its standard input is the secret."""
    from store import Store  # as a script, which would have to import jax for the package

    size, timeout = int(size), int(timeout)
    number, client = _connected(address, size, timeout)
    store = Store(client, sys.stdin.buffer.read() or None)
    try:
        store.set(f"taken/{number}", "", overwrites=False)
    except RuntimeError:  # the key exists: the service takes a client for another's that has come back
        print(json.dumps({"error": _MSG_EXTRA.format(size)}), flush=True)
        os._exit(0)  # its client could only abort
    try:
        store.meet(number, size + 1, timeout)
    except RuntimeError as error:
        answer = json.dumps({"error": str(error).split("\n")[0]})
    else:
        store.set(f"worker/{number}", worker)
        answer = store.get(f"answer/{number}", _PROMPT) or json.dumps({"error": _MSG_NO_ANSWER})
    print(answer, flush=True)
    client.shutdown()
    os._exit(0)


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


def assign(store, size, port):
    """Waits until all workers have registered, and tells each its rank.

    Args:
        store (Store): of the service for the registration, where all have met.
        size (int): the number of workers.
        port (int): where the processes meet.
    Returns:
        str: the error that they raise if two names are equal, or they expect another number of workers; else None.
    """
    numbers = range(1, size + 1)
    workers = [store.get(f"worker/{number}", _PROMPT) for number in numbers]
    if None in workers:
        return _MSG_NO_WORKER.format(workers.index(None))
    found = answers(list(map(json.loads, workers)))
    for number, answer in zip(numbers, found, strict=True):
        store.set(f"answer/{number}", json.dumps({**answer, "port": port}))
    return found[0].get("error")


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
