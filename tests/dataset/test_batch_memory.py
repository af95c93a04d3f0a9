"""``map`` makes the rows of large batches in the memory of the batches."""

import numpy as np
import pytest

import msgrad.dataset as ds
from msgrad.dataset import vision
from msgrad.dataset._pipeline.batch_memory import BatchMemory
from msgrad.dataset._pipeline.buffers import Buffers

pytest.importorskip("cv2")
SHAPE = (400, 400)
ROWS, SIZE = 11, 4


def rows_of(memory, numbers, shape=SHAPE, dtype=np.float32):
    rows = [memory.memory(number)(shape, dtype) for number in numbers]
    for number, row in zip(numbers, rows, strict=True):
        row[...] = number
    return rows


@pytest.fixture
def copies(monkeypatch):
    """The shapes of the columns that are copied."""
    shapes, stack = [], Buffers.stack
    monkeypatch.setattr(Buffers, "stack", lambda self, column: shapes.append(column[0].shape) or stack(self, column))
    return shapes


CASES = {  # numbers of the rows in the order in which they are made, those of two batches, whether they are copied
    "in order": (range(8), [0, 1, 2, 3], [4, 5, 6, 7], False),
    "in disorder": ([5, 1, 0, 4, 2, 7, 6, 3], [0, 1, 2, 3], [4, 5, 6, 7], False),
    "an incomplete one": (range(7), [0, 1, 2, 3], [4, 5, 6], False),
    "a row is missing": ([0, 2, 3, 4, 5, 6, 7], [0, 2, 3, 4], [5, 6, 7], True),
    "other batches": (range(8), [1, 2, 3, 4], [5, 6, 7], True),
    "another order": (range(8), [0, 2, 1, 3], [7, 6, 5, 4], True),
}


@pytest.mark.parametrize("case", CASES)
def test_batches_in_place(case, copies):
    made, first, second, is_copied = CASES[case]
    memory = BatchMemory(SIZE)
    column, other = memory.column(), memory.column()
    rows = dict(zip(made, rows_of(column, made), strict=True))
    labels = rows_of(other, range(8), shape=(3,))
    for numbers in (first, second):
        batch = memory.stack([rows[number] for number in numbers])
        assert batch.shape == (len(numbers), *SHAPE) and batch[:, 0, 0].tolist() == list(numbers)
        assert np.shares_memory(batch, rows[numbers[0]]) is not is_copied
    assert bool(copies) is is_copied
    assert memory.stack(labels[:SIZE])[:, 0].tolist() == [0, 1, 2, 3]


def test_rows_of_other_shapes_and_dtypes_are_copied():
    memory = BatchMemory(2)
    column = memory.column()
    rows = [column.memory(0)(SHAPE, np.float64), column.memory(1)(SHAPE, np.float32)]
    assert rows[1].shape == SHAPE and rows[1].dtype == np.float32 and not np.shares_memory(*rows)
    with pytest.raises(ValueError, match="shape"):
        memory.stack([rows[0], rows[1][:3]])


def test_a_batch_that_is_in_use_is_not_overwritten():
    memory = BatchMemory(SIZE)
    column, batches = memory.column(), []
    for start in range(0, 40, SIZE):
        batches.append(memory.stack(rows_of(column, range(start, start + SIZE))))
        if start == 20:
            batches[1] = None
            memory.restart()
    for number, batch in enumerate(batches):
        assert batch is None or batch[:, 0, 0].tolist() == list(range(number * SIZE, (number + 1) * SIZE))


def test_rows_that_no_batch_takes_hold_little_memory():
    column = BatchMemory(1).column()
    rows_of(column, range(100), shape=(600, 600))
    assert len(column._open) <= 16


def mapped(is_damaged=False):
    random = np.random.default_rng(0)
    channels = [1 if is_damaged and row == 5 else 3 for row in range(ROWS)]
    images = [random.integers(0, 256, (300, 320, count)).astype(np.uint8) for count in channels]
    steps = [
        vision.Resize((320, 300)),
        vision.RandomHorizontalFlip(),
        vision.Normalize([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]),
    ]
    dataset = ds.GeneratorDataset(list(zip(images, range(ROWS), strict=True)), ["image", "number"], shuffle=False)
    dataset = dataset.map([*steps, vision.HWC2CHW()], ["image"], num_parallel_workers=2)
    return dataset.map(lambda x: x + 1, ["number"]).rename("number", "label")


def read(dataset, epochs=1):
    ds.config.set_seed(7)
    iterator = dataset.create_tuple_iterator(num_epochs=epochs, output_numpy=True)
    return [row for _ in range(epochs) for row in iterator]


def assert_same_values(batches, rows):
    for batched, single in zip(zip(*batches, strict=True), zip(*rows, strict=True), strict=True):
        assert np.array_equal(np.concatenate(batched), np.stack(single))


def test_a_pipeline_copies_no_image(copies):
    batches = read(mapped().batch(SIZE), epochs=3)
    assert not copies and [len(image) for image, _ in batches] == [4, 4, 3] * 3
    assert_same_values(batches, read(mapped(), epochs=3))


def test_a_pipeline_that_loses_rows(monkeypatch):
    monkeypatch.setitem(ds.config._values, "error_samples_mode", ds.config.ErrorSamplesMode.SKIP)
    batches = read(mapped(is_damaged=True).batch(SIZE))
    assert [len(image) for image, _ in batches] == [4, 4, 2]
    assert_same_values(batches, read(mapped(is_damaged=True)))


def test_errors_name_the_transform():
    with pytest.raises(RuntimeError, match="for 'Normalize', there are 3 means, but the image has 1 channels"):
        read(mapped(is_damaged=True).batch(SIZE))
