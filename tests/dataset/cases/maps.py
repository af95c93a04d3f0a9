"""``map`` (see `basics`)."""

from .basics import Squares, facts, numbers, rows


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
