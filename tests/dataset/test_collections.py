"""Published datasets, beyond the golden figures."""

import inspect

import numpy as np
import pytest

import msgrad.dataset as ds

from .cases.folders import sound, tree

COLLECTIONS = [value for value in vars(ds).values() if hasattr(value, "_choices")]


@pytest.mark.parametrize("collection", COLLECTIONS, ids=lambda collection: collection.__name__)
def test_every_argument_is_documented(collection):
    text = inspect.getdoc(collection)
    for name in list(inspect.signature(collection).parameters):
        assert f"    {name} (" in text
    assert text.endswith(f"Source: mindspore.dataset.{collection.__name__}") and "{" not in text


def recordings(data):
    return list(ds.YesNoDataset(tree({"1_0.wav": data})).create_dict_iterator(num_epochs=1, output_numpy=True))


def test_channels_are_apart():
    [row] = recordings(sound([1, 2, 3, 4, 5, 6], channels=2))
    assert np.array_equal(row["waveform"], np.array([[1, 3, 5], [2, 4, 6]], np.float32) / np.float32(32767))


@pytest.mark.parametrize("data", [sound([0, 128], width=1), sound([0, 1], width=4), b"RIFF", b""])
def test_other_recordings_are_refused(data):
    with pytest.raises(RuntimeError, match="1_0.wav cannot be read"):
        recordings(data)


def test_drawn_rows_are_the_same_again():
    images = ds.FakeImageDataset(3, (4, 5, 3), 7, shuffle=False)
    once, again = (list(images.create_tuple_iterator(num_epochs=1, output_numpy=True)) for _ in range(2))
    assert all(
        np.array_equal(*pair) for one, other in zip(once, again, strict=True) for pair in zip(one, other, strict=True)
    )
    assert not np.array_equal(once[0][0], once[1][0]) and images.num_classes() == 7
    schema = ds.Schema()
    schema.add_column("x", "int8", [1000])
    [row] = ds.RandomDataset(1, schema).create_tuple_iterator(num_epochs=1, output_numpy=True)
    assert row[0].min() < -100 and row[0].max() > 100


def test_a_row_samples_by_its_classes():
    path = tree({f"{name}/{k}.jpg": b"x" for name in "ab" for k in range(3)})
    dataset = ds.Caltech256Dataset(path, sampler=ds.PKSampler(2))
    assert [int(row[1]) for row in dataset.create_tuple_iterator(num_epochs=1)] == [0, 0, 1, 1]


def test_translations_of_other_lengths_are_refused():
    path = tree({"training/train.en": "one\ntwo\n", "training/train.de": "eins\n"})
    with pytest.raises(RuntimeError, match="other numbers of lines"):
        list(ds.Multi30kDataset(path, "train"))


def test_a_sentence_may_end_with_its_file():
    dataset = ds.CoNLL2000Dataset(tree({"train.txt": "a B C"}), "train")
    assert [row.tolist() for row in next(iter(dataset.create_tuple_iterator(output_numpy=True)))] == [
        ["a"],
        ["B"],
        ["C"],
    ]
