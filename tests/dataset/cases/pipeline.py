"""Pipelines that both MindSpore and msgrad run; what they give is in tests/golden/dataset.json.

A case takes the module ``mindspore.dataset`` and returns arrays, numbers, strings, and lists and dicts of them.
"""

import sys

import numpy as np


class Squares:
    """A source with random access: rows of an int and of two floats."""

    def __init__(self, length=5):
        self.length = length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        return np.array(index * index, np.int64), np.array([index, -index], np.float32)


def counted():
    for k in range(4):
        yield (np.array([k]),)


def rows(dataset, **options):
    return list(dataset.create_dict_iterator(num_epochs=1, output_numpy=True, **options))


def numbers(ds, count, name="x", **options):
    return ds.NumpySlicesDataset(list(range(count)), [name], shuffle=False, **options)


def facts(dataset):
    return [
        dataset.get_dataset_size(),
        dataset.get_col_names(),
        dataset.output_shapes(),
        [str(np.dtype(kind)) for kind in dataset.output_types()],
        dataset.get_batch_size(),
        dataset.get_repeat_count(),
    ]


def generator_of_class(ds):
    dataset = ds.GeneratorDataset(Squares(), ["square", "pair"], shuffle=False)
    return [facts(dataset), rows(dataset)]


def generator_of_function(ds):
    dataset = ds.GeneratorDataset(counted, ["x"])
    return [facts(dataset), rows(dataset), rows(dataset)]


def generator_of_list(ds):
    dataset = ds.GeneratorDataset(
        [(np.array(1), np.array(2.5)), (np.array(3), np.array(4.5))], ["a", "b"], shuffle=False
    )
    return [facts(dataset), rows(dataset)]


def generator_of_iterator_class(ds):
    class Source:
        def __init__(self):
            self.at = 0

        def __iter__(self):
            self.at = 0
            return self

        def __next__(self):
            self.at += 1
            if self.at > 3:
                raise StopIteration
            return (np.array(self.at, np.uint8),)

    dataset = ds.GeneratorDataset(Source(), ["x"])
    return [rows(dataset), rows(dataset.repeat(2)), dataset.get_dataset_size()]


def generator_of_bare_values(ds):
    class Source:
        def __len__(self):
            return 3

        def __getitem__(self, index):
            return index

    class Floats(Source):
        def __getitem__(self, index):
            return index / 2, True, "text", [1, index]

    return [
        rows(ds.GeneratorDataset(Source(), ["x"], shuffle=False)),
        rows(ds.GeneratorDataset(Floats(), ["x", "flag", "text", "list"], shuffle=False)),
        facts(ds.GeneratorDataset(Floats(), ["x", "flag", "text", "list"], shuffle=False)),
    ]


def generator_column_types(ds):
    from_class = ds.GeneratorDataset(Squares(), ["a", "b"], [mindspore(ds).int64, mindspore(ds).float32], shuffle=False)
    return facts(from_class)


def mindspore(dataset_module):
    return sys.modules[dataset_module.__name__.rpartition(".")[0]]


def generator_dict(ds):
    def records():
        yield ({"a": 1, "b": [1, 2]},)
        yield ({"a": 2, "b": [3]},)

    return rows(ds.GeneratorDataset(records, ["record"]))


def generator_samples(ds):
    return [
        rows(ds.GeneratorDataset(Squares(), ["a", "b"], shuffle=False, num_samples=2)),
        rows(ds.GeneratorDataset(Squares(), ["a", "b"], sampler=[3, 1])),
        rows(ds.GeneratorDataset(Squares(), ["a", "b"], shuffle=False, num_shards=2, shard_id=1)),
        rows(ds.GeneratorDataset(counted, ["a"], num_samples=2)),
    ]


def generator_batch_sampler(ds):
    dataset = ds.GeneratorDataset(Squares(), ["a", "b"], batch_sampler=[[0, 1], [4], [2, 3]])
    return [rows(dataset), dataset.get_dataset_size()]


def generator_collate(ds):
    def collate(a, b):
        return np.stack(a) * 10, np.stack(b)

    return rows(ds.GeneratorDataset(Squares(), ["a", "b"], batch_sampler=[[0, 1], [4, 2]], collate_fn=collate))


def generator_wrong_columns(ds):
    return rows(ds.GeneratorDataset(Squares(), ["a"], shuffle=False))


def generator_raises(ds):
    def source():
        yield (np.array(1),)
        raise KeyError("of the source")

    return rows(ds.GeneratorDataset(source, ["a"]))


def generator_none(ds):
    return ds.GeneratorDataset(None, ["a"])


def generator_no_columns(ds):
    return ds.GeneratorDataset(Squares())


def generator_sampler_of_iterable(ds):
    return ds.GeneratorDataset(counted, ["a"], sampler=ds.SequentialSampler())


def generator_shuffle_of_iterable(ds):
    return ds.GeneratorDataset(counted, ["a"], shuffle=True)


def generator_shard_alone(ds):
    return ds.GeneratorDataset(Squares(), ["a", "b"], num_shards=2)


def generator_sampler_and_shuffle(ds):
    return ds.GeneratorDataset(Squares(), ["a", "b"], sampler=ds.SequentialSampler(), shuffle=True)


def slices_of_list(ds):
    dataset = ds.NumpySlicesDataset([1, 2, 3], shuffle=False)
    return [facts(dataset), rows(dataset)]


def slices_of_tuple(ds):
    data = ([1, 2], [3.5, 4.5], ["a", "bc"])
    return [
        rows(ds.NumpySlicesDataset(data, shuffle=False)),
        facts(ds.NumpySlicesDataset(data, ["x", "y", "z"], shuffle=False)),
    ]


def slices_of_dict(ds):
    data = {"a": [1, 2], "b": np.array([[1, 2], [3, 4]], np.float32)}
    dataset = ds.NumpySlicesDataset(data, shuffle=False)
    return [facts(dataset), rows(dataset)]


def slices_of_array(ds):
    dataset = ds.NumpySlicesDataset(np.arange(6).reshape(3, 2), "col", shuffle=False)
    return [facts(dataset), rows(dataset)]


def slices_uneven(ds):
    return ds.NumpySlicesDataset(([1, 2], [3]), ["x", "y"])


def slices_wrong_names(ds):
    return ds.NumpySlicesDataset(([1, 2], [3, 4]), ["x"])


def slices_of_int(ds):
    return ds.NumpySlicesDataset(3)


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


def maps(ds):
    def dataset():
        return ds.GeneratorDataset(Squares(3), ["a", "b"], shuffle=False)

    return [
        rows(dataset().map(lambda a: a + 1, ["a"])),
        rows(dataset().map([lambda a: a + 1, lambda a: a * 2], input_columns="a")),
        rows(dataset().map(lambda a: a * 2.0)),
        rows(dataset().map(lambda a, b: (a, b, b * 2), ["a", "b"], ["a", "b", "c"])),
        rows(dataset().map(lambda a, b: b - 1, ["a", "b"], ["sum"])),
        rows(dataset().map(lambda b: (b[:1], b[1:]), ["b"], ["c", "d"])),
        facts(dataset().map(lambda b: (b[:1], b[1:]), ["b"], ["c", "d"])),
        rows(dataset().map(lambda a: int(a) / 2, ["a"], num_parallel_workers=2)),
        rows(dataset().map(lambda a: "number", ["a"])),
    ]


def map_raises(ds):
    def fail(a):
        raise IndexError("of the function")

    return rows(ds.GeneratorDataset(Squares(3), ["a", "b"], shuffle=False).map(fail, ["a"]))


def map_unknown_column(ds):
    return rows(numbers(ds, 3).map(lambda a: a, ["nothing"]))


def map_too_few_outputs(ds):
    return rows(numbers(ds, 3).map(lambda a: a, ["x"], ["x", "y"]))


def map_too_many_outputs(ds):
    return rows(numbers(ds, 3).map(lambda a: (a, a), ["x"]))


def map_returns_none(ds):
    return rows(numbers(ds, 3).map(lambda a: None, ["x"]))


def map_of_nothing(ds):
    return numbers(ds, 3).map([])


def map_of_number(ds):
    return numbers(ds, 3).map(3, ["x"])


def map_workers_zero(ds):
    return numbers(ds, 3).map(lambda a: a, ["x"], num_parallel_workers=0)


def orders(ds):
    def dataset():
        return numbers(ds, 6)

    return [
        rows(dataset().skip(4)),
        rows(dataset().take(2)),
        rows(dataset().take(-1)),
        rows(dataset().take(9)),
        rows(dataset().skip(9)),
        rows(dataset().skip(1).take(2).repeat(2)),
        facts(dataset().skip(1).take(2).repeat(2)),
        facts(dataset().repeat(3)),
        [
            dataset().skip(9).get_dataset_size(),
            dataset().take(2).get_dataset_size(),
            dataset().take(-1).get_dataset_size(),
        ],
        dataset().repeat().get_repeat_count(),
    ]


def shuffled(ds):
    dataset = numbers(ds, 6).shuffle(4)
    return [sorted(row["x"].tolist() for row in rows(dataset)), facts(dataset)]


def shuffle_too_small(ds):
    return numbers(ds, 6).shuffle(1)


def repeat_zero(ds):
    return numbers(ds, 6).repeat(0)


def skip_negative(ds):
    return numbers(ds, 6).skip(-1)


def take_zero(ds):
    return numbers(ds, 6).take(0)


def zipped(ds):
    def left():
        return numbers(ds, 4)

    def right():
        return numbers(ds, 3, "y")

    three = left().zip((right(), numbers(ds, 2, "z")))
    return [rows(ds.zip((left(), right()))), facts(ds.zip((left(), right()))), rows(right().zip(left())), facts(three)]


def zip_same_names(ds):
    return rows(ds.zip((numbers(ds, 4), numbers(ds, 3))))


def zip_of_one(ds):
    return ds.zip((numbers(ds, 4),))


def concatenated(ds):
    joined = numbers(ds, 2) + numbers(ds, 3)
    return [rows(joined), facts(joined), rows(numbers(ds, 1).concat([numbers(ds, 1), numbers(ds, 2)]))]


def concat_other_names(ds):
    return rows(numbers(ds, 2) + numbers(ds, 3, "y"))


def filtered(ds):
    dataset = numbers(ds, 7).filter(lambda x: x % 2 == 0, ["x"])
    return [rows(dataset), facts(dataset), rows(numbers(ds, 5).filter(lambda x: bool(x > 2)))]


def filter_number(ds):
    return rows(numbers(ds, 4).filter(lambda x: int(x)))


def projected(ds):
    def dataset():
        return ds.GeneratorDataset(Squares(2), ["a", "b"], shuffle=False)

    return [
        rows(dataset().project(["b", "a"])),
        facts(dataset().project("b")),
        rows(dataset().rename(["a"], ["c"])),
        facts(dataset().rename("b", "c")),
    ]


def project_unknown(ds):
    return rows(numbers(ds, 2).project(["y"]))


def rename_unknown(ds):
    return rows(numbers(ds, 2).rename(["y"], ["z"]))


def rename_uneven(ds):
    return numbers(ds, 2).rename(["x"], ["z", "y"])


def split_by_counts(ds):
    first, second = numbers(ds, 10).split([7, 3], randomize=False)
    return [rows(first), rows(second), first.get_dataset_size(), second.get_dataset_size()]


def split_by_parts(ds):
    parts = numbers(ds, 10).split([0.25, 0.55, 0.2], randomize=False)
    mapped = numbers(ds, 10).map(lambda x: x * 2, ["x"]).split([0.5, 0.5], randomize=False)
    return [[rows(part) for part in parts], [rows(part) for part in mapped]]


def split_at_random(ds):
    parts = numbers(ds, 10).split([0.5, 0.5])
    return [
        sorted(row["x"].tolist() for part in parts for row in rows(part)),
        [part.get_dataset_size() for part in parts],
    ]


def split_too_many(ds):
    return numbers(ds, 10).split([7, 4], randomize=False)


def split_wrong_parts(ds):
    return numbers(ds, 10).split([0.5, 0.4], randomize=False)


def flat_mapped(ds):
    return rows(
        numbers(ds, 3).flat_map(lambda row: ds.NumpySlicesDataset([int(row)] * (int(row) + 1), ["y"], shuffle=False))
    )


def applied(ds):
    return [rows(numbers(ds, 4).apply(lambda dataset: dataset.batch(2)))]


def apply_wrong(ds):
    return numbers(ds, 4).apply(lambda dataset: 3)


def iterators(ds):
    def dataset():
        return numbers(ds, 3).batch(2)

    iterator = dataset().create_tuple_iterator(num_epochs=2, output_numpy=True)
    tensors = [[str(x.dtype), x.shape] for x in next(dataset().create_tuple_iterator())]
    names = dataset().create_dict_iterator().get_col_names()
    return [
        list(iterator),
        list(iterator),
        tensors,
        names,
        [list(batch) for batch in numbers(ds, 2).create_tuple_iterator(["x"], 1, True)],
    ]


def iterator_after_its_epochs(ds):
    iterator = numbers(ds, 2).create_tuple_iterator(num_epochs=1, output_numpy=True)
    return [list(iterator), list(iterator)]


def iterator_after_stop(ds):
    iterator = numbers(ds, 2).create_tuple_iterator(num_epochs=1, output_numpy=True)
    iterator.stop()
    return next(iterator)


def iterator_of_the_dataset(ds):
    return [[value.asnumpy() for value in row] for row in numbers(ds, 2)]


def iterator_types(ds):
    return [type(numbers(ds, 2).create_dict_iterator()).__name__, type(numbers(ds, 2).create_tuple_iterator()).__name__]


def iterator_wrong_epochs(ds):
    return numbers(ds, 2).create_tuple_iterator(num_epochs=0)


def iterator_wrong_numpy(ds):
    return numbers(ds, 2).create_tuple_iterator(output_numpy=1)


def text_columns(ds):
    [row] = ds.NumpySlicesDataset(["words"], ["x"], shuffle=False).create_dict_iterator(num_epochs=1)
    return [type(row["x"]).__name__, str(row["x"].dtype), row["x"].shape]


def padded(ds):
    dataset = ds.PaddedDataset([{"x": np.array([1, 2])}, {"x": np.array([3, 4])}])
    return [
        facts(dataset),
        rows(dataset),
        rows(ds.GeneratorDataset([(np.array([9, 9]),)], ["x"], shuffle=False) + dataset),
    ]


def padded_and_sharded(ds):
    joined = numbers(ds, 4) + ds.PaddedDataset([{"x": np.array(-1)}, {"x": np.array(-2)}])
    joined.use_sampler(ds.DistributedSampler(num_shards=2, shard_id=1, shuffle=False, num_samples=None))
    return [rows(joined), joined.get_dataset_size()]


def samplers(ds):
    def taken(sampler, count=6):
        return [int(row["x"]) for row in rows(ds.NumpySlicesDataset(list(range(count)), ["x"], sampler=sampler))]

    chained = ds.SequentialSampler(start_index=1, num_samples=2)
    chained.add_child(ds.SubsetSampler([5, 4, 3, 2]))

    class Reverse(ds.Sampler):
        def __iter__(self):
            yield from range(self.dataset_size - 1, -1, -1)

    class Iterable:
        def __iter__(self):
            return iter([2, 0])

    return [
        taken(ds.SequentialSampler()),
        taken(ds.SequentialSampler(2, 3)),
        taken(ds.SequentialSampler(4, 9)),
        taken(ds.SubsetSampler([3, 1])),
        taken(ds.SubsetSampler([3, 1, 0], 2)),
        sorted(taken(ds.SubsetRandomSampler([3, 1, 5]))),
        sorted(taken(ds.RandomSampler())),
        len(taken(ds.RandomSampler(True, 10))),
        len(taken(ds.RandomSampler(num_samples=4))),
        taken(ds.WeightedRandomSampler([0, 0, 1, 0, 0, 0], 3)),
        sorted(taken(ds.WeightedRandomSampler([0, 1, 1, 0, 0, 0], 2, replacement=False))),
        [taken(ds.DistributedSampler(4, k, shuffle=False)) for k in range(4)],
        [taken(ds.DistributedSampler(4, k, shuffle=False, offset=1)) for k in range(4)],
        [taken(ds.DistributedSampler(2, k, shuffle=False, num_samples=2)) for k in range(2)],
        sorted(x for k in range(3) for x in taken(ds.DistributedSampler(3, k))),
        taken(chained),
        taken(Reverse()),
        taken(Iterable()),
        taken([1, 1, 4]),
    ]


def sampler_facts(ds):
    return [
        ds.SequentialSampler(0, 3).get_num_samples(),
        ds.RandomSampler().get_num_samples(),
        ds.RandomSampler().is_shuffled(),
        ds.DistributedSampler(2, 0).is_sharded(),
        ds.SequentialSampler().is_sharded(),
        ds.SubsetSampler([1, 2, 3]).get_num_samples(),
        ds.WeightedRandomSampler([1, 2]).get_num_samples(),
    ]


def sampler_out_of_range(ds):
    return rows(ds.NumpySlicesDataset([1, 2], ["x"], sampler=ds.SubsetSampler([5])))


def sampler_wrong_shards(ds):
    return ds.DistributedSampler(2, 2)


def sampler_negative(ds):
    return ds.SequentialSampler(num_samples=-1)


def sampler_text(ds):
    return ds.RandomSampler(replacement="yes")


def sampler_weights(ds):
    return ds.WeightedRandomSampler([0.5, -1])


def settings(ds):
    config = ds.config
    found = {
        name: getattr(config, name)()
        for name in [
            "get_seed",
            "get_prefetch_size",
            "get_monitor_sampling_interval",
            "get_callback_timeout",
            "get_auto_num_workers",
            "get_numa_enable",
            "get_enable_autotune",
            "get_autotune_interval",
            "get_auto_offload",
            "get_enable_watchdog",
            "get_multiprocessing_timeout_interval",
            "get_dynamic_shape",
            "get_fast_recovery",
            "get_debug_mode",
            "get_iterator_mode",
            "get_multiprocessing_start_method",
            "get_video_backend",
        ]
    }
    config.set_prefetch_size(3)
    found["set"] = config.get_prefetch_size()
    config.set_prefetch_size(16)
    found["errors"] = str(config.get_error_samples_mode())
    return found


def setting_of_text(ds):
    ds.config.set_seed("1")


def setting_negative(ds):
    ds.config.set_seed(-1)


def setting_workers(ds):
    ds.config.set_num_parallel_workers(0)


def setting_flag(ds):
    ds.config.set_enable_shared_mem(1)


def synchronized(ds):
    seen = []

    class Weights:
        def __init__(self):
            self.value = 1

        def update(self, data):
            self.value = data["weight"]

        def times(self, x):
            return x * self.value

    weights = Weights()
    dataset = numbers(ds, 4).sync_wait("policy", callback=weights.update).map(weights.times, ["x"])
    for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True):
        seen.append(row["x"])
        dataset.sync_update("policy", data={"weight": int(row["x"]) + 2})
    return len(seen)


def classes(ds):
    return [
        numbers(ds, 2).num_classes(),
        numbers(ds, 2).get_class_indexing(),
        numbers(ds, 2).is_shuffled(),
        numbers(ds, 2).is_sharded(),
    ]


def device_attributes(ds):
    dataset = numbers(ds, 4).batch(2)
    return [
        dataset.dataset_size,
        [type(child).__name__ for child in dataset.children],
        type(dataset).__name__,
        len(dataset.parent),
        isinstance(dataset, ds.Dataset),
    ]


def tensor_operations(ds):
    def dataset():
        return numbers(ds, 3)

    transforms = ds.transforms
    return [
        rows(dataset().map(transforms.TypeCast(mindspore(ds).float16), ["x"])),
        rows(dataset().map([transforms.OneHot(4)], ["x"])),
        rows(dataset().map([transforms.OneHot(4), lambda x: x.sum(), transforms.Fill(7)], ["x"])),
    ]
