"""`GeneratorDataset` of other libraries' datasets: Hugging Face's and torch's, or classes that behave as theirs do."""

import sys
import types

import numpy as np
import pytest

from msgrad.dataset import GeneratorDataset

from ..foreign import ForeignArray

ROWS = [{"text": "a", "label": 0, "vector": [1.0, 2.0]}, {"text": "bc", "label": 1, "vector": [3.0, 4.0]}]


class Named:
    """As Hugging Face's ``Dataset``: rows are dicts, and it tells their names."""

    column_names = ["text", "label", "vector"]

    def __len__(self):
        return len(ROWS)

    def __getitem__(self, number):
        return ROWS[number]


class NamedStream:
    """As Hugging Face's ``IterableDataset``: it has ``__getitem__``, no length, and need not know its names."""

    column_names = None

    def __getitem__(self, key):
        raise NotImplementedError

    def __iter__(self):
        return iter(ROWS)


class Map:
    """As torch's ``Dataset``: tuples of tensors and numbers."""

    def __len__(self):
        return len(ROWS)

    def __getitem__(self, number):
        row = ROWS[number]
        return ForeignArray(np.array(row["vector"])), row["label"]


class DictMap(Map):
    def __getitem__(self, number):
        vector, label = super().__getitem__(number)
        return {"vector": vector, "label": ForeignArray(np.array(label))}


class Stream:
    """As torch's ``IterableDataset``, which inherits a ``__getitem__`` that only raises."""

    def __getitem__(self, number):
        raise NotImplementedError

    def __len__(self):
        return len(ROWS)

    def __iter__(self):
        return (Map()[number] for number in range(len(ROWS)))


@pytest.fixture
def torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.utils.data", types.SimpleNamespace(IterableDataset=Stream))


def _rows(source, *names, **options):
    rows = GeneratorDataset(source, *names, shuffle=False, **options)
    return [
        {name: value.tolist() for name, value in row.items()}
        for row in rows.create_dict_iterator(num_epochs=1, output_numpy=True)
    ]


VECTORS = [{"vector": row["vector"], "label": row["label"]} for row in ROWS]
SOURCES = {
    "rows that are dicts": (Named, (), ROWS),
    "some of their columns": (Named, (["vector", "label"],), VECTORS),
    "a stream of them": (NamedStream, (), ROWS),
    "dicts of tensors": (DictMap, (), VECTORS),
    "tuples of tensors": (Map, (["vector", "label"],), VECTORS),
    "a stream of tensors": (Stream, (["vector", "label"],), VECTORS),
    "a function": (lambda: lambda: iter(ROWS), (), ROWS),
}


@pytest.mark.parametrize("name", SOURCES)
def test_rows(name, torch):
    make, names, expected = SOURCES[name]
    assert _rows(make(), *names) == expected


def test_a_stream_is_batched_and_repeated():
    batches = GeneratorDataset(NamedStream()).batch(2).repeat(2).create_dict_iterator(num_epochs=1, output_numpy=True)
    assert [each["label"].tolist() for each in batches] == [[0, 1]] * 2


def test_with_one_name_a_dict_is_its_value_as_in_mindspore():
    (row, _) = GeneratorDataset(Named(), ["text"], shuffle=False).create_dict_iterator(num_epochs=1, output_numpy=True)
    assert list(row) == ["text"] and set(row["text"]) == {"text", "label", "vector"}


def test_refusals():
    with pytest.raises(RuntimeError, match="row 0 has no 'image', but 'text', 'label', 'vector'"):
        _rows(Named(), ["image", "label"])
    for source in (Map(), iter(ROWS)):  # an iterator would lose its first row
        with pytest.raises(ValueError, match="give the names of the columns"):
            GeneratorDataset(source)


def test_the_libraries_themselves():
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset.from_list(ROWS)
    for source in (dataset, dataset.with_format("numpy"), dataset.to_iterable_dataset()):
        assert _rows(source) == ROWS
        assert _rows(source, ["vector", "label"]) == VECTORS


def test_torch_itself():
    torch = pytest.importorskip("torch")
    vectors, labels = (torch.tensor([row[name] for row in ROWS]) for name in ("vector", "label"))

    class Counted(torch.utils.data.IterableDataset):
        def __len__(self):
            return 2

        def __iter__(self):
            return iter(zip(vectors, labels, strict=True))

    for source in (torch.utils.data.TensorDataset(vectors, labels), Counted()):
        assert _rows(source, ["vector", "label"]) == VECTORS
