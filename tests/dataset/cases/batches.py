"""``batch``, ``padded_batch`` and buckets (see `basics`)."""

import numpy as np

from .basics import facts, numbers, rows
from .run import each


def batches(ds):
    def dataset():
        return numbers(ds, 7)

    return [
        rows(dataset().batch(3)),
        rows(dataset().batch(3, drop_remainder=True)),
        facts(dataset().batch(3)),
        facts(dataset().batch(3, True).repeat(2)),
        facts(dataset().repeat(2).batch(4)),
        rows(dataset().batch(2).batch(2, True)),
    ]


def batch_uneven(ds):
    return rows(ds.GeneratorDataset([(np.ones(k + 1),) for k in range(3)], ["x"], shuffle=False).batch(2))


def batch_mixed_types(ds):
    return rows(ds.GeneratorDataset([(np.array(1),), (np.array(1.5),)], ["x"], shuffle=False).batch(2))


def batch_strings(ds):
    return rows(ds.NumpySlicesDataset(["a", "bcd", ""], ["x"], shuffle=False).batch(2))


def batch_wrong_sizes(ds):
    return numbers(ds, 3).batch(0)


def batch_wrong_type(ds):
    return numbers(ds, 3).batch(2.0)


def batch_by_function(ds):
    def size(info):
        return info.get_batch_num() + 1 + info.get_epoch_num()

    def dataset():
        return numbers(ds, 7).batch(size)

    return [rows(dataset()), rows(dataset().repeat(2)), dataset().get_dataset_size()]


def batch_map(ds):
    def change(column, info):
        return ([value * 10 + info.get_batch_num() for value in column],)

    def add(a, info):
        return a, [value + 1 for value in a]

    def dataset():
        return numbers(ds, 5)

    return [
        rows(dataset().batch(2, per_batch_map=change, input_columns=["x"])),
        rows(dataset().batch(2, per_batch_map=add, input_columns=["x"], output_columns=["x", "y"])),
        facts(dataset().batch(2, per_batch_map=add, input_columns=["x"], output_columns=["x", "y"])),
    ]


def batch_map_raises(ds):
    def fail(column, info):
        raise ValueError("in the batch")

    return rows(numbers(ds, 3).batch(2, per_batch_map=fail, input_columns=["x"]))


def padded_batches(ds):
    data = [(np.full(k + 1, k, np.int32), np.full((k, 2), 1.5, np.float32)) for k in range(3)]

    def dataset():
        return ds.GeneratorDataset(data, ["x", "y"], shuffle=False)

    return [
        rows(dataset().padded_batch(2, pad_info={"x": ([4], -1), "y": ([None, 3], 0)})),
        rows(dataset().padded_batch(2, pad_info={"x": None, "y": ([3, 2], 9)})),
        rows(dataset().padded_batch(3, True, pad_info={})),
        facts(dataset().padded_batch(2, pad_info={"x": ([4], -1), "y": ([4, 3], 0)})),
    ]


def buckets(ds):
    data = [(np.full(n, n, np.int64),) for n in [1, 5, 3, 2, 6, 4, 2, 9, 1]]

    def dataset():
        return ds.GeneratorDataset(data, ["x"], shuffle=False)

    bucketed = dataset().bucket_batch_by_length(["x"], [3, 6], [2, 2, 1], pad_info={"x": ([None], 0)})
    to_boundary = {"element_length_function": lambda x: x.shape[0] - 1, "pad_to_bucket_boundary": True}
    return [
        rows(bucketed),
        rows(
            dataset().bucket_batch_by_length(
                ["x"], [3, 6, 10], [2, 2, 1, 1], pad_info={"x": ([None], 7)}, **to_boundary
            )
        ),
        rows(
            dataset().bucket_batch_by_length(["x"], [3, 6], [2, 2, 2], pad_info={"x": ([None], 0)}, drop_remainder=True)
        ),
        bucketed.get_dataset_size(),
    ]


def batch_dicts(ds):
    def batched(make, **options):
        dataset = ds.GeneratorDataset([(make(index),) for index in range(2)], ["x"], shuffle=False)
        return lambda: rows(dataset.padded_batch(2, **options) if options else dataset.batch(2))

    return each(
        batched(lambda i: {"number": i, "list": [1, i], "text": f"x{i}", "array": np.array([i, 2], np.int8)}),
        batched(lambda i: {"mixed": i if i else 0.5, "flag": True if i else 2, "strings": np.array(["a", "bb"])}),
        batched(lambda i: {"dtypes": np.array([i], np.int32 if i else np.float32)}),
        batched(lambda i: {"uneven": np.arange(i + 1)}),
        batched(lambda i: {"inner": {"key": i}}),
        batched(lambda i: {"nothing": None}),
        batched(lambda i: {"a": 1, "b": 2} if i else {"a": 1}),
        batched(lambda i: {"a": 1} if i else {"b": 1}),
        batched(lambda i: {"padded": i}, pad_info={}),
        lambda: rows(ds.NumpySlicesDataset([5, 6, 7], ["x"], sampler=ds.IterSampler([2, 0], 1))),
    )


def batches_of_uneven_rows(ds):
    def dataset():
        return ds.GeneratorDataset([(np.full(n, n, np.int64),) for n in [1, 5, 3, 2, 4, 1]], ["x"], shuffle=False)

    def bucketed(**options):
        return lambda: rows(dataset().bucket_batch_by_length(["x"], [3, 6], [2, 2, 2], **options))

    def last(**options):  # there is no boundary for the row of 5 elements
        options["pad_to_bucket_boundary"] = True
        return lambda: rows(dataset().bucket_batch_by_length(["x"], [3], [2, 2], **options))

    return each(
        lambda: rows(dataset().padded_batch(2)),
        lambda: rows(dataset().padded_batch(2, pad_info={})),
        lambda: rows(dataset().padded_batch(2, pad_info={"y": (None, 0)})),
        bucketed(),
        bucketed(pad_info={}),
        bucketed(pad_info={"x": None}),
        bucketed(pad_to_bucket_boundary=True),
        bucketed(pad_info={"x": (None, 8)}, pad_to_bucket_boundary=True),
        last(),
        last(pad_info={"x": (None, 8)}),
        last(pad_info={"x": ([None], 8)}),
    )
