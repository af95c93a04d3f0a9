"""Sources of Python code and of NumPy's arrays (see `basics`)."""

import numpy as np

from .basics import Squares, counted, facts, mindspore, numbers, rows


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


def slices_of_dict_of_tensors(ds):
    ms = mindspore(ds)
    pair = {"a": ms.Tensor([[1.0], [2.0]]), "b": ms.Parameter(ms.Tensor([3, 4])), "c": ms.Tensor([True, False])}
    dataset = ds.NumpySlicesDataset(pair, ["x", "y", "z"], shuffle=False)
    return [facts(dataset), rows(dataset), rows(dataset.batch(2))]


def slices_of_dict_of_iterables(ds):
    data = {"a": range(2), "b": "xy", "c": zip([1, 2], [3, 4], strict=True), "d": b"xy", "e": map(float, "12")}
    return rows(ds.NumpySlicesDataset(data, shuffle=False))


def slices_of_dicts(ds):
    return rows(ds.NumpySlicesDataset([{"k": 1}, {"k": 2}], shuffle=False))


def slices_of_later_sequences(ds):
    return rows(ds.NumpySlicesDataset(([1, 2], "xy", range(2), {0: 4, 1: 5}), shuffle=False))


def slices_of_dict_of_0d(ds):
    return ds.NumpySlicesDataset({"a": mindspore(ds).Tensor(1)})


def slices_of_dict_of_dict(ds):
    return ds.NumpySlicesDataset({"a": {1: 2}})


def slices_of_tensor(ds):
    return ds.NumpySlicesDataset(mindspore(ds).Tensor([1.0]))


def slices_of_tuple_of_tensors(ds):
    return ds.NumpySlicesDataset((mindspore(ds).Tensor([1.0]), [1]))


def slices_of_tuple_of_tuples(ds):
    return ds.NumpySlicesDataset(((1, 2), [1, 2]))


def slices_of_array(ds):
    dataset = ds.NumpySlicesDataset(np.arange(6).reshape(3, 2), "col", shuffle=False)
    return [facts(dataset), rows(dataset)]


def slices_uneven(ds):
    return ds.NumpySlicesDataset(([1, 2], [3]), ["x", "y"])


def slices_wrong_names(ds):
    return ds.NumpySlicesDataset(([1, 2], [3, 4]), ["x"])


def slices_of_int(ds):
    return ds.NumpySlicesDataset(3)


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


def padded_of_tensors(ds):
    return rows(ds.PaddedDataset([{"x": mindspore(ds).Tensor([1.0])}, {"x": [2], "y": 3}]))


def padded_without_a_key(ds):
    return rows(ds.PaddedDataset([{"x": 1}, {"y": 2}]))


def padded_of_an_int(ds):
    return rows(ds.PaddedDataset([{"x": 1}, 2]))


def padded_of_none(ds):
    return ds.PaddedDataset(None)


def padded_and_sharded(ds):
    joined = numbers(ds, 4) + ds.PaddedDataset([{"x": np.array(-1)}, {"x": np.array(-2)}])
    joined.use_sampler(ds.DistributedSampler(num_shards=2, shard_id=1, shuffle=False, num_samples=None))
    return [rows(joined), joined.get_dataset_size()]
