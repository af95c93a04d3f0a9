"""The thread that watches the other processes.

Where the main thread hangs in a collective that can never come about, the thread says why and ends the process.
"""

import contextlib
import json
import os
import select
import sys
import threading
import time
import traceback

import jax

from . import affinity, coordination, launched
from .causes import cause_of, deadlock, reported_cause
from .peers import GRACE, IDLE, LONG, MSG_WAITS, CollectiveError, Peers, position, set_value, tell

_TURN = 0.25  # seconds between two checks of the thread
_MSG_LAUNCHER = "the launcher has ended"
_MSG_LAUNCHER_OF = "the launcher of rank {} has ended"


def watch(world):
    """Begins to watch the other processes."""
    Peers.world, Peers.silence = world, coordination.heartbeat_timeout(coordination.SILENCE)
    hook = sys.excepthook

    def tell_and_show(kind, error, trace):
        # The first has been told already, or comes of another's failure; the second is the user's, in all processes.
        if not issubclass(kind, (CollectiveError, KeyboardInterrupt)):
            frames = traceback.extract_tb(trace)
            line = f", {os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
            text = (str(error).strip().splitlines() or [""])[0]
            tell(f"rank {world.rank} failed with {kind.__name__}: {text}{line}")
        hook(kind, error, trace)

    sys.excepthook = tell_and_show
    _give_sign()  # at once, since a process without any is not missed
    Peers.thread = threading.Thread(target=_watch, name="msgrad-peers", daemon=True)
    Peers.thread.start()


def _watch():
    # Taken out of the environment, for a process that this one starts must not read the launcher's words.
    descriptor = os.environ.pop(launched.LAUNCHER, None)
    descriptor = int(descriptor) if descriptor else None
    last_check = time.monotonic()
    while not Peers.is_over:
        try:
            descriptor = _heard(descriptor)
            running, now = Peers.running, time.monotonic()
            affinity.release_if_over(now)
            if running is not None and now - running[3] > LONG:
                _post_place(running)
                cause = cause_of(*running[:2]) or deadlock(running)
                if Peers.running is running:  # and has not come to its end while this thread asked
                    Peers.cause = Peers.cause or cause
            if now - last_check > IDLE:
                last_check = now
                _give_sign()
                Peers.cause = Peers.cause or reported_cause()
            if Peers.cause:
                _end_after_grace(running)
        except jax.errors.JaxRuntimeError:
            Peers.cause = Peers.cause or _MSG_LAUNCHER  # the service has ended


def _give_sign():
    set_value(f"alive/{Peers.world.rank}", f"{time.monotonic():.1f}")


def _heard(descriptor):
    """Waits `_TURN` seconds, or for a message of the launcher; returns the descriptor while there is a launcher."""
    if descriptor is None:
        time.sleep(_TURN)
        return None
    if select.select([descriptor], [], [], _TURN)[0]:
        lines = os.read(descriptor, 4096).decode(errors="replace").splitlines()
        causes = [line for line in lines if not line.startswith(launched.ENDED)]
        for line in {*lines} - {*causes}:
            set_value(f"gone/{line.removeprefix(launched.ENDED)}", "")
        if causes or not lines:
            # Before this process raises it, and others see that it has ended: they may have another launcher.
            with contextlib.suppress(jax.errors.JaxRuntimeError):  # the service has ended with the launcher
                set_value(
                    f"heard/{Peers.world.rank}", causes[0] if lines else _MSG_LAUNCHER_OF.format(Peers.world.rank)
                )
            Peers.cause = Peers.cause or (causes[0] if lines else _MSG_LAUNCHER)
        return descriptor if lines else None
    return descriptor


def _post_place(running):
    group, number, mark, _ = running
    place = json.dumps([group.key, number, *mark.key, mark.line])
    if place != Peers.posted:
        set_value(f"at/{Peers.world.rank}", place)
        Peers.posted = place


def _end_after_grace(running):
    """Ends the process for a cause from outside, unless its main thread raises the error itself."""
    end = time.monotonic() + GRACE
    while time.monotonic() < end:
        if Peers.is_over:
            return
        time.sleep(0.1)
    running = Peers.running or running
    rank = Peers.world.rank
    with contextlib.suppress(jax.errors.JaxRuntimeError):
        Peers.cause = reported_cause() or Peers.cause
        tell(Peers.cause)
    doing = MSG_WAITS.format(rank, running[2]) if running else f"rank {rank} is ended"
    with contextlib.suppress(Exception):
        sys.stdout.flush()
        print(f"CollectiveError: {doing}; {Peers.cause}.", file=sys.stderr, flush=True)
    # Not `sys.exit`: the main thread is in C++, where no exception reaches it, and Python would wait for it.
    os._exit(1)


def end():
    """Says that this process ends, and how many collectives it has run."""
    with contextlib.suppress(jax.errors.JaxRuntimeError):
        counts = {key: position(group) for key, group in Peers.groups.items()}
        set_value(f"ended/{Peers.world.rank}", json.dumps(counts))
    Peers.is_over = True
    Peers.thread.join(LONG)  # Python would end it inside of the client, which aborts the process
