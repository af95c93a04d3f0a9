"""CPU affinity: which threads are bound to a process's share of the processors, and until when."""

import os
import threading

import pytest

from msgrad.engine.processes import affinity

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinity on this system")


@pytest.fixture
def processors():
    """The processors of this thread, which it has again afterwards."""
    affinity._Bound.last = 0.0
    before = os.sched_getaffinity(0)
    if len(before) < 2:
        pytest.skip("one processor cannot be shared")
    yield before
    affinity.release()
    assert os.sched_getaffinity(0) == before


def test_shares_are_disjoint_and_all_processors():
    for count in range(1, 9):
        for size in range(1, count + 1):
            shares = [affinity.share_of({*range(count)}, rank, size) for rank in range(size)]
            assert all(shares) and sum(map(len, shares)) == count
            assert set.union(*shares) == {*range(count)}


def test_more_processes_than_processors_share_all():
    assert affinity.share_of({0, 1}, 2, 3) == {0, 1}


def test_a_thread_is_bound_while_its_launches_are_close(processors):
    share = affinity.share_of(processors, 1, 2)
    affinity.note_launch(10.0, 1, 2)
    assert os.sched_getaffinity(0) == processors  # the first launch
    affinity.note_launch(10.001, 1, 2)
    assert os.sched_getaffinity(0) == share
    affinity.note_launch(10.002, 1, 2)
    assert os.sched_getaffinity(0) == share
    affinity.note_launch(10.1, 1, 2)
    assert os.sched_getaffinity(0) == processors


def test_another_thread_releases_it_after_the_last_launch(processors):
    affinity.note_launch(10.0, 0, 2)
    affinity.note_launch(10.001, 0, 2)
    for now, expected in ((10.05, affinity.share_of(processors, 0, 2)), (10.2, processors)):
        watcher = threading.Thread(target=affinity.release_if_over, args=(now,))
        watcher.start()
        watcher.join()
        assert os.sched_getaffinity(0) == expected


def test_what_the_user_sets_stays(processors):
    affinity.note_launch(10.0, 0, 2)
    affinity.note_launch(10.001, 0, 2)
    own = affinity.share_of(processors, 1, 2)
    os.sched_setaffinity(0, own)
    affinity.release()
    assert os.sched_getaffinity(0) == own
    os.sched_setaffinity(0, processors)


@pytest.mark.filterwarnings("ignore:os.fork")  # JAX's: it has threads
def test_a_forked_process_has_all_processors(processors):
    affinity.note_launch(10.0, 0, 2)
    affinity.note_launch(10.001, 0, 2)
    child = os.fork()
    if child == 0:
        os._exit(os.sched_getaffinity(0) != processors)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_threads_started_in_the_context_keep_the_share(processors):
    seen, before = [], os.sched_getscheduler(0)
    with affinity.bound(1, 2):
        thread = threading.Thread(target=lambda: seen.extend([os.sched_getaffinity(0), os.sched_getscheduler(0)]))
        thread.start()
        thread.join()
    # A policy that the tests have been started with stays.
    assert seen == [affinity.share_of(processors, 1, 2), os.SCHED_BATCH if before == os.SCHED_OTHER else before]
    assert os.sched_getscheduler(0) == before
    assert os.sched_getaffinity(0) == processors
