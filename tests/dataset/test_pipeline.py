"""Guarantees of pipelines besides their rows: order, failures, workers, ends."""

import gc
import math
import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import msgrad as ms
import msgrad.dataset as ds
from msgrad.dataset._pipeline import threads

from .cases.sources import mnist_folder


@pytest.fixture
def seed():
    ds.config.set_seed(7)


class Slow:
    """Rows that take long enough for threads to be used."""

    def __init__(self, length=30, seconds=5e-4):
        self.length, self.seconds = length, seconds

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        time.sleep(self.seconds)
        return np.array(index)


def numbers(dataset):
    return [int(row[0]) for row in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def slow_double(x):
    time.sleep(5e-4 * (1 + int(x) % 3))
    return x * 2


def test_the_seed_of_mindspore_is_that_of_pipelines():
    orders = []
    for set_seed in (ms.set_seed, ds.config.set_seed):
        set_seed(7)
        assert ds.config.get_seed() == 7
        orders.append(numbers(ds.NumpySlicesDataset(np.arange(20), shuffle=True)))
    assert orders[0] == orders[1]
    ds.config.set_seed(8)
    assert ms.get_seed() == 7
    command = "import msgrad as ms; ms.set_seed(9); assert ms.dataset.config.get_seed() == 9"
    subprocess.run([sys.executable, "-c", command], check=True)


@pytest.mark.parametrize("workers", [0, 1025, 2**40])
def test_numbers_of_workers_that_no_machine_has(workers):
    dataset = ds.NumpySlicesDataset([1])
    for ask in (
        lambda: dataset.map(len, num_parallel_workers=workers),
        lambda: dataset.batch(1, num_parallel_workers=workers),
        lambda: ds.config.set_num_parallel_workers(workers),
    ):
        with pytest.raises(ValueError, match=r"must be in the range \[1, 1024\]"):
            ask()


@pytest.mark.parametrize("options", [{}, {"python_multiprocessing": True}])
@pytest.mark.parametrize("workers", [1, 2, 5])
def test_order_does_not_depend_on_workers(workers, options, seed):
    dataset = ds.GeneratorDataset(Slow(), ["x"], num_parallel_workers=workers)
    dataset = dataset.map(slow_double, ["x"], num_parallel_workers=workers, **options)
    dataset = dataset.map(ds.transforms.RandomChoice([lambda x: x, lambda x: -x]), ["x"])
    alone = ds.GeneratorDataset(Slow(seconds=0), ["x"]).map(lambda x: x * 2, ["x"], num_parallel_workers=1)
    alone = alone.map(ds.transforms.RandomChoice([lambda x: x, lambda x: -x]), ["x"])
    assert numbers(dataset) == numbers(alone) != sorted(numbers(alone))


def test_epochs_differ_and_runs_do_not(seed):
    dataset = ds.NumpySlicesDataset(list(range(20)), ["x"]).shuffle(5)
    iterator = dataset.create_tuple_iterator(num_epochs=2, output_numpy=True)
    first, second = [[int(x) for (x,) in iterator] for _ in range(2)]
    assert first != second and sorted(first) == sorted(second) == list(range(20))
    assert numbers(dataset) == first


def test_without_a_seed_runs_differ():
    dataset = ds.NumpySlicesDataset(list(range(20)), ["x"])
    assert numbers(dataset) != numbers(dataset)


def test_datasets_of_one_seed_are_shuffled_alike(seed):
    images, masks = (ds.NumpySlicesDataset(list(range(20)), [name], shuffle=True) for name in "ab")
    for row in ds.zip((images, masks)).create_dict_iterator(num_epochs=1):
        assert int(row["a"]) == int(row["b"])


def test_shards_share_one_order_without_a_seed():
    shards = [ds.NumpySlicesDataset(list(range(10)), ["x"], num_shards=2, shard_id=k) for k in range(2)]
    assert sorted(numbers(shards[0]) + numbers(shards[1])) == list(range(10))


def test_shuffle_is_uniform(seed):
    dataset = ds.NumpySlicesDataset(list(range(4)), ["x"], shuffle=False).shuffle(4).repeat(3000)
    first = np.array(numbers(dataset)).reshape(3000, 4)[:, 0]
    assert np.abs(np.bincount(first) / 3000 - 0.25).max() < 0.04


@pytest.mark.parametrize("options", [{}, {"python_multiprocessing": True}])
def test_a_failing_function_is_named_with_its_traceback_and_row(options):
    def fail_at_three(x):
        time.sleep(5e-4)
        if int(x) == 3:
            raise KeyError("of the function")
        return x

    dataset = ds.NumpySlicesDataset(list(range(6)), ["x"], shuffle=False)
    dataset = dataset.map(fail_at_three, ["x"], num_parallel_workers=2, **options)
    sentence = r"(?s)'map' failed at row 3.*in fail_at_three.*KeyError: 'of the function'"
    with pytest.raises(RuntimeError, match=sentence) as raised:
        numbers(dataset)
    assert raised.type is RuntimeError  # the name that a traceback shows


def test_a_failing_source_is_named():
    def source():
        yield (1,)
        raise ValueError("of the source")

    dataset = ds.GeneratorDataset(source, ["x"])
    with pytest.raises(RuntimeError, match=r"(?s)'GeneratorDataset' failed at row 1.*ValueError: of the source"):
        numbers(dataset)


@pytest.mark.parametrize("mode, expected", [("SKIP", [0, 2]), ("REPLACE", [0, 0, 2])])
def test_failing_rows_can_be_left_out(mode, expected):
    def fail_at_one(x):
        return x if int(x) != 1 else 1 / 0

    ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode[mode])
    try:
        dataset = ds.NumpySlicesDataset([0, 1, 2], ["x"], shuffle=False)
        assert numbers(dataset.map(fail_at_one, ["x"])) == expected
    finally:
        ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.RETURN)


def test_a_killed_worker_is_an_error():
    def die(x):
        os.kill(os.getpid(), signal.SIGKILL)

    dataset = ds.NumpySlicesDataset(list(range(6)), ["x"], shuffle=False)
    dataset = dataset.map(die, ["x"], python_multiprocessing=True, num_parallel_workers=2)
    with pytest.raises(RuntimeError, match="a worker process ended unexpectedly"):
        numbers(dataset)


def test_a_failing_batch_map_is_named():
    dataset = ds.NumpySlicesDataset([1, 2], ["x"]).batch(2, per_batch_map=lambda x, info: 1 / 0, input_columns=["x"])
    with pytest.raises(RuntimeError, match=r"(?s)'batch' failed.*ZeroDivisionError"):
        numbers(dataset)


def test_uneven_rows_are_no_batch():
    dataset = ds.GeneratorDataset([(np.ones(1),), (np.ones(2),)], ["x"], shuffle=False).batch(2)
    with pytest.raises(RuntimeError, match=r"column 0 has float64 of shape \(1,\) and float64 of shape \(2,\)"):
        numbers(dataset)


def test_prefetching_is_bounded():
    made = []

    def source():
        for k in range(1000):
            made.append(k)
            yield (k,)

    iterator = ds.GeneratorDataset(source, ["x"]).create_tuple_iterator(output_numpy=True)
    next(iterator)
    time.sleep(0.1)
    assert len(made) <= ds.config.get_prefetch_size() + 2


def test_an_abandoned_iterator_ends_its_thread_and_processes():
    before = {*threading.enumerate()}, {*multiprocessing.active_children()}
    dataset = ds.GeneratorDataset(Slow(1000), ["x"], num_parallel_workers=2)
    iterator = dataset.map(slow_double, ["x"], num_parallel_workers=3).create_tuple_iterator()
    next(iterator)
    workers = [worker.pid for worker in {*multiprocessing.active_children()} - before[1]]
    assert len(workers) >= 2
    del iterator
    gc.collect()
    end = time.monotonic() + 60
    while {*threading.enumerate()} - before[0] or any(map(_is_alive, workers)):
        assert time.monotonic() < end, f"{threading.enumerate()}, {workers}"
        time.sleep(0.05)


def _is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


PROGRAM = """
    import os, signal, sys, threading, time
    import numpy as np
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background starts without
    import msgrad.dataset as ds
    def blocks():
        yield (1,)
        print("blocked", os.getpid(), flush=True)
        time.sleep(1000)
    def interrupts():  # itself, in the pipeline's thread, when the main thread waits for the second row
        yield (1,)
        time.sleep(0.2)
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        time.sleep(1000)
    def blocks_at(x):
        if int(x):
            print("blocked", os.getpid(), flush=True)
            time.sleep(1000)
        return x
    source = ds.NumpySlicesDataset([0, 1], ["x"], shuffle=False)
    datasets = {
        "source": ds.GeneratorDataset(blocks, ["x"]),
        "interrupts": ds.GeneratorDataset(interrupts, ["x"]),
        "thread": source.map(blocks_at, ["x"], num_parallel_workers=2),
        "process": source.map(blocks_at, ["x"], num_parallel_workers=2, python_multiprocessing=True),
    }
    try:
        for row in datasets[sys.argv[1]].create_tuple_iterator(num_epochs=1):
            pass
    except KeyboardInterrupt:
        sys.exit(3)
"""


@pytest.mark.parametrize("source", ["source", "thread", "process"])
def test_ctrl_c_ends_a_pipeline_that_blocks(source):
    command = [sys.executable, "-c", textwrap.dedent(PROGRAM), source]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as program:
        blocked = int(program.stdout.readline().split()[1])
        try:
            os.killpg(program.pid, signal.SIGINT)
            assert program.wait(120) == 3
        finally:
            program.kill()
    assert not _is_alive(blocked)


def test_ctrl_c_that_another_thread_receives_ends_a_pipeline_that_blocks():
    program = subprocess.run([sys.executable, "-c", textwrap.dedent(PROGRAM), "interrupts"], timeout=120)
    assert program.returncode == 3


def test_parts_of_a_split_never_share_rows():
    dataset = ds.NumpySlicesDataset(list(range(20)), ["x"])
    first, second = dataset.split([0.7, 0.3])
    assert sorted(numbers(first) + numbers(second)) == list(range(20))
    assert numbers(first) == numbers(first)


def test_one_node_may_have_two_readers():
    dataset = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
    assert numbers(dataset.skip(1)) == [2, 3] and numbers(dataset.take(1)) == [1]


def test_iterators_give_tensors_that_are_trained_with():
    [row] = ds.NumpySlicesDataset([[1.0, 2.0]], ["x"]).create_dict_iterator(num_epochs=1)
    assert isinstance(row["x"], ms.Tensor) and row["x"].dtype == ms.float64


def test_an_iterator_starts_at_the_step_that_the_dataset_says():
    dataset = ds.NumpySlicesDataset(list(range(6)), ["x"], shuffle=False).batch(2)
    dataset.set_init_step(4)
    iterator = dataset.create_tuple_iterator(num_epochs=3, output_numpy=True)
    assert [x.tolist() for (x,) in iterator] == [[2, 3], [4, 5]]
    assert [x.tolist() for (x,) in iterator] == [[0, 1], [2, 3], [4, 5]]


def test_callbacks_are_called_around_rows():
    seen = []

    class Callback(ds.DSCallback):
        def ds_epoch_begin(self, ds_run_context):
            seen.append(("epoch", ds_run_context.cur_epoch_num))

        def ds_step_end(self, ds_run_context):
            seen.append(ds_run_context.cur_step_num_in_epoch)

    dataset = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False).map(lambda x: x, ["x"], callbacks=Callback())
    assert numbers(dataset) == [1, 2] and seen == [("epoch", 1), 1, 2]


def test_debug_mode_has_no_threads():
    ds.config.set_debug_mode(True)
    try:
        dataset = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
        names = set()
        numbers(dataset.map(lambda x: names.add(threading.current_thread().name) or x, ["x"]))
        assert names == {threading.main_thread().name}
    finally:
        ds.config.set_debug_mode(False)


def test_a_settings_file_is_read(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text('{"seed": 5489, "opConnectorSize": 4}')
    ds.config.load(str(path))
    assert ds.config.get_prefetch_size() == 4
    ds.config.set_prefetch_size(16)


def test_saved_rows_are_read_again(tmp_path):
    path = str(tmp_path / "saved.mindrecord")
    data = [(np.array(k, np.uint8), np.full((k + 1, 2), k / 2, np.float16), np.array(f"word {k}")) for k in range(5)]
    ds.GeneratorDataset(data, ["k", "table", "word"], shuffle=False).save(path)
    rows = list(ds.MindDataset(path, shuffle=False).create_dict_iterator(num_epochs=1, output_numpy=True))
    assert [(int(row["k"]), row["table"].shape, str(row["word"])) for row in rows] == [
        (k, (k + 1, 2), f"word {k}") for k in range(5)
    ]


def test_what_cannot_be_saved_is_named(tmp_path):
    dataset = ds.GeneratorDataset([(np.array(["a", "b"]),)], ["words"])
    with pytest.raises(RuntimeError, match="column 'words' has values that the files cannot hold"):
        dataset.save(str(tmp_path / "a"))


@pytest.mark.parametrize("gone", ["train", "t10k"])
def test_a_folder_with_one_part_of_mnist(gone):
    folder = pathlib.Path(mnist_folder())
    for path in folder.glob(f"{gone}-*"):
        path.unlink()
    assert len(list(ds.MnistDataset(str(folder)).create_tuple_iterator())) == 4
    with pytest.raises(RuntimeError, match=gone):
        list(ds.MnistDataset(str(folder), "train" if gone == "train" else "test").create_tuple_iterator())


@pytest.mark.parametrize("shape, mean", [((5, 6, 3), [121.0, 115.5, 100.0]), ((5, 6, 1), [99.5]), ((5, 6), [99.5])])
@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.float64])
def test_transforms_that_map_joins_give_the_same(shape, mean, dtype):
    image = (np.random.default_rng(0).random(shape) * 255).astype(dtype)
    steps = [ds.vision.Normalize(mean, [57.3] * len(mean)), ds.vision.HWC2CHW()]
    dataset = ds.GeneratorDataset([(image,)], ["image"])
    [(together,)] = dataset.map(steps, ["image"]).create_tuple_iterator(num_epochs=1, output_numpy=True)
    [(apart,)] = dataset.map(steps[0]).map(steps[1]).create_tuple_iterator(num_epochs=1, output_numpy=True)
    assert np.array_equal(together, apart) and together.dtype == apart.dtype == np.float32
    wrong = dataset.map([ds.vision.Normalize([1.0] * 2, [1.0] * 2), ds.vision.HWC2CHW()], ["image"])
    with pytest.raises(RuntimeError, match="there are 2 means"):
        next(wrong.create_tuple_iterator())


def test_memory_of_large_batches_is_used_again_when_nobody_has_it(monkeypatch):
    monkeypatch.setattr(threads, "_WORTH", math.inf)  # several threads, of a slow machine, have more batches at once
    rows = np.arange(12 * 70000, dtype=np.float32).reshape(12, 70000)
    dataset = ds.NumpySlicesDataset(rows, ["x"], shuffle=False).batch(4)
    kept, views, tensors = [], [], []
    for _ in range(3):  # rows that are kept stay what they were, as arrays, views and Tensors
        kept += [x for (x,) in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        views += [x[1:, ::7] for (x,) in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        tensors += [x for (x,) in dataset.create_tuple_iterator(num_epochs=1)]
    for number in range(9):
        part = rows[number % 3 * 4 :][:4]
        assert np.array_equal(kept[number], part) and np.array_equal(views[number], part[1:, ::7])
        assert np.array_equal(tensors[number].asnumpy(), part)
    ds.config.set_prefetch_size(1)
    try:
        iterator = dataset.repeat(8).create_tuple_iterator(num_epochs=1, output_numpy=True)
        addresses = {x.__array_interface__["data"][0] for (x,) in iterator}
    finally:
        ds.config.set_prefetch_size(16)
    assert len(addresses) <= 4


def test_waits_are_known_and_can_be_ended():
    source = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
    waiting = source.sync_wait("step").batch(1)
    assert waiting.is_sync() and not source.is_sync() and ds.zip((ds.NumpySlicesDataset([1]), waiting)).is_sync()
    assert source.get_sync_notifiers() == {}
    actual = []
    for row in waiting.create_dict_iterator(num_epochs=1, output_numpy=True):
        actual.append(row["x"].item())
        waiting.get_sync_notifiers()["step"]()
    assert actual == [1, 2, 3]
    waiting.disable_sync()
    assert [row[0].tolist() for row in waiting.create_tuple_iterator(num_epochs=1)] == [[1], [2], [3]]


def test_input_indexes_are_kept_for_the_nodes_above():
    source = ds.NumpySlicesDataset([1], ["x"])
    batched = source.batch(1)
    assert batched.input_indexs == ()
    source.input_indexs = 3
    assert ds.zip((ds.NumpySlicesDataset([1], ["y"]), batched)).input_indexs == 3
    batched.input_indexs = 4
    assert (batched.input_indexs, source.input_indexs) == (4, 3)


def test_asking_whether_there_are_rows_reads_one_of_them():
    read = []

    def source():
        for number in range(100):
            read.append(number)
            yield (number,)

    assert ds.GeneratorDataset(source, ["x"]).filter(lambda x: x >= 3)
    assert 4 <= len(read) < 100
    assert not ds.NumpySlicesDataset([1, 2], shuffle=False).filter(lambda x: x > 9)


def test_an_index_of_a_new_sampler_is_of_its_order():  # MindSpore keeps the order of the first access
    dataset = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
    assert dataset[0] == (1,)
    dataset.use_sampler(ds.SubsetSampler([2]))
    assert dataset[0] == (3,)


def test_rows_of_mindrecord_files_by_index(tmp_path):
    path = str(tmp_path / "a.mindrecord")
    ds.NumpySlicesDataset({"a": [1, 2, 3]}, shuffle=False).save(path)
    dataset = ds.MindDataset(path, shuffle=False)
    assert dataset[2] == [np.array(3)]
    for index, error in ((3, RuntimeError), (-1, ValueError), (True, TypeError), (np.int64(1), TypeError)):
        with pytest.raises(error):
            dataset[index]


def test_numbers_in_dicts_are_tensors_and_strings_arrays():  # as in MindSpore 2.10
    source = [({"number": 2, "numpy": np.float32(3), "text": "a", "bytes": b"b"},)]
    [row] = ds.GeneratorDataset(source, ["x"], shuffle=False).create_dict_iterator(num_epochs=1)
    number, numpy, text, data = row["x"].values()
    assert [number.dtype, numpy.dtype] == [ms.int64, ms.float32]
    assert isinstance(text, np.ndarray) and text == "a" and data == b"b"


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: ds.GeneratorDataset([1], []), ValueError, "'column_names' must be made of at least one name"),
        (lambda: ds.GeneratorDataset([], ["a"]).get_dataset_size(), RuntimeError, "data row of input source must"),
        (lambda: ds.NumpySlicesDataset([]), ValueError, "'data' must be made of one array at least"),
        (lambda: ds.NumpySlicesDataset([1]).project([]), ValueError, "'columns' must be made of at least one name"),
        (lambda: ds.NumpySlicesDataset([1]).use_sampler(3), TypeError, "For 'use_sampler', the 'new_sampler' must be"),
        (lambda: ds.NumpySlicesDataset([1]).to_json(3), TypeError, "For 'to_json', the 'filename' must be a str"),
    ],
)
def test_arguments_of_pipelines(call, error, text):
    with pytest.raises(error) as raised:
        call()
    assert text in str(raised.value)


def test_rows_are_printed_as_by_numpy_until_a_tensor_is_computed():
    row = next(ds.NumpySlicesDataset({"x": np.array([[1.5, 2.0]], np.float32)}).create_dict_iterator())
    assert repr(row) == "{'x': Tensor(shape=[2], dtype=Float32, value= [1.5, 2. ])}"
    assert repr(row["x"] + 0) == "Tensor(shape=[2], dtype=Float32, value= [ 1.50000000e+00,  2.00000000e+00])"


def twice(column, info):
    return column, column


def columns(count=5):
    return ds.NumpySlicesDataset({name: [index, index] for index, name in enumerate("abcdefghijklmnopqrst"[:count])})


@pytest.mark.parametrize(
    ("dataset", "taken", "rest"),  # MindSpore's
    [
        (lambda: columns(), "c", "ebda"),
        (lambda: columns(18), "c", "rqoabphndkifgejlm"),
        (lambda: columns().project(["e", "a", "c", "b"]), "c", "bae"),
        (lambda: columns().rename("a", "q"), "c", "qdbe"),
        (lambda: columns().map(lambda b: b, ["b"], ["m"]), "c", "meda"),
        (lambda: columns().map(lambda b: (b, b), ["b"], ["m", "n"]), "c", "adenm"),
        (lambda: columns().batch(1, per_batch_map=lambda b, info: (b,), input_columns=["b"]), "c", "ebda"),
        (lambda: columns(2).zip(columns().rename(list("abcde"), list("fghij"))), "a", "jgifhb"),
    ],
)
def test_columns_that_a_batch_map_leaves_have_the_order_of_mindspores_hash_table(dataset, taken, rest):
    dataset = dataset().batch(2, per_batch_map=twice, input_columns=[taken], output_columns=["first column", "y"])
    row = next(dataset.create_dict_iterator(output_numpy=True))
    names = dataset.get_col_names()
    assert names == list(row) == ["first column", "y", *rest]
    kept = [name for name in names if name in "abcde"]
    assert [row[name].ravel()[0] for name in kept] == ["abcde".index(name) for name in kept]


def test_calls_of_transforms_give_mindspores_dtypes_of_ints():
    """NumPy has two dtypes of 64 bits, and shows that of MindSpore's arrays; functions of ``map`` get the other one."""
    ints, seen = np.array([1, 2]), []
    calls = {
        "array([1, 2], dtype=int64)": ds.transforms.TypeCast(ms.int64)(ints.astype(np.int32)),
        "array([0, 1, 0], dtype=int64)": ds.transforms.OneHot(3)(np.array(1)),
        "(array([1, 2], dtype=int64), array([1, 2], dtype=int64))": ds.transforms.Duplicate()(ints),
        "array([1, 2, 1, 2], dtype=int64)": ds.transforms.Concatenate()(ints, ints),
        "array([[[0]]], dtype=int64)": ds.vision.ToTensor(np.int64)(np.ones((1, 1, 1), np.uint8)),
        "array([2, 3], dtype=uint64)": ds.transforms.Compose([lambda x: x + np.uint64(1)])(ints.astype(np.uint64)),
        "array([1, 2], dtype=int32)": ds.transforms.TypeCast(ms.int32)(ints),
    }
    assert [repr(result) for result in calls.values()] == list(calls)
    transforms = [ds.transforms.TypeCast(ms.int64), lambda x: seen.append(repr(x)) or x]
    for operations in (transforms, ds.transforms.Compose(transforms)):
        list(ds.NumpySlicesDataset([3]).map(operations, num_parallel_workers=1).create_tuple_iterator(num_epochs=1))
    assert seen == ["array(3)"] * 2
