"""Iterators that are left early or fail end their threads and processes, and leave no files and no memory."""

import contextlib
import gc
import multiprocessing
import os
import tempfile
import threading
import time
import weakref

import numpy as np
import pytest

import msgrad.dataset as ds

COUNT = 100  # rows, of which a few are read


def slow(value):
    time.sleep(4e-4)  # worth threads
    return value + 1


def failing(value):
    if value == 20:
        raise ValueError("row 20")
    return slow(value)


class Rows:
    def __getitem__(self, index):
        return (slow(np.float32(index)),)

    def __len__(self):
        return COUNT


def source():
    return ds.NumpySlicesDataset(np.arange(COUNT, dtype=np.float32), ["x"], shuffle=False)


def generated(**options):
    return ds.GeneratorDataset(Rows(), ["x"], shuffle=False, **options)


def mapped(function=slow, **options):
    return source().map(function, ["x"], num_parallel_workers=2, **options)


def seeded():
    ds.config.set_seed(1)  # rows go to threads in turn
    return mapped()


def batched(values, info):
    return ([slow(value) for value in values],)


PIPELINES = {
    "source": source,
    "generator": generated,
    "threads of a generator": lambda: generated(num_parallel_workers=2, python_multiprocessing=False),
    "processes of a generator": lambda: generated(num_parallel_workers=2),
    "map": mapped,
    "map in turn": seeded,
    "map in processes": lambda: mapped(python_multiprocessing=True),
    "two maps": lambda: mapped().map(slow, ["x"], num_parallel_workers=2).batch(2),
    "batch": lambda: source().batch(2, num_parallel_workers=2, per_batch_map=batched, input_columns=["x"]),
    "zip": lambda: ds.zip((mapped(), mapped().rename(["x"], ["y"]))),
    "concat": lambda: mapped() + mapped(),
    "shuffle and repeat": lambda: mapped().shuffle(4).repeat(2),
    "sync_wait": lambda: mapped().sync_wait("update", 4),
    "an exception": lambda: mapped(failing),
}


def leave(iterator, how):
    if how == "stop":
        iterator.stop()
    elif how == "cycle":
        iterator.itself = iterator


@pytest.fixture(autouse=True)
def _restored_seed():
    seed = ds.config.get_seed()
    yield
    ds.config.set_seed(seed)


@pytest.mark.parametrize("pipeline", PIPELINES.values(), ids=PIPELINES)
def test_an_iterator_that_is_left_ends_its_threads_and_processes(pipeline):
    before, files = {*threading.enumerate()}, os.listdir(tempfile.gettempdir())
    for how in ("dropped", "stop", "cycle") * 2:
        for count in (1, 4):  # rows read: before threads are worth it, and after
            iterator = pipeline().create_tuple_iterator(num_epochs=1, output_numpy=True)
            for _ in range(count):
                next(iterator)
            leave(iterator, how)
            del iterator
    gc.collect()
    end = time.monotonic() + 20
    while left := {*threading.enumerate()} - before or multiprocessing.active_children():
        assert time.monotonic() < end, left
        time.sleep(0.01)
    assert os.listdir(tempfile.gettempdir()) == files


def open_descriptors():
    """The number of open files of this process, on Linux."""
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


@pytest.mark.parametrize("options", [{}, {"python_multiprocessing": True}], ids=["threads", "processes"])
def test_an_iterator_that_failed_is_freed(options):
    open_files = open_descriptors()
    iterator = mapped(failing, **options).create_tuple_iterator(num_epochs=1, output_numpy=True)
    with contextlib.suppress(RuntimeError):
        while True:
            next(iterator)
    assert open_descriptors() == open_files
    iterator = weakref.ref(iterator)
    gc.collect()
    assert iterator() is None


def test_an_epoch_that_is_over_is_freed():
    iterator = source().create_tuple_iterator(output_numpy=True)
    next(iterator)
    rows = weakref.ref(iterator._rows)
    assert len(list(iterator)) == COUNT - 1
    iterator._thread.join()
    assert rows() is None
