"""Files of torch are read without torch: their tensors, their nested dicts, and what is refused."""

import json
import pathlib

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, weights
from msgrad.weights.reading import of_arrays

GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "weights"


@pytest.mark.parametrize("file", ["tensors.pth", "tensors_legacy.pth"])
def test_tensors_of_every_dtype_offset_and_stride(file):
    expected = np.load(GOLDEN / "tensors.npz")
    actual = weights.read(str(GOLDEN / file))
    assert list(actual) == expected.files
    for name, value in actual.items():
        assert value.dtype == (ms.bfloat16 if name == "bfloat16" else Tensor(expected[name]).dtype), name
        assert value.shape == expected[name].shape
        np.testing.assert_array_equal(
            value.float().asnumpy() if name == "bfloat16" else value.asnumpy(), expected[name]
        )


def test_dicts_of_dicts():
    assert list(weights.read(str(GOLDEN / "nested.pth"))) == ["weight", "bias"]
    one, other = [weights.read(str(GOLDEN / "two.pth"), key) for key in ("online", "target")]
    assert (one["weight"] != other["weight"]).any()
    with pytest.raises(ValueError, match="several keys: give the 'key', one of 'online', 'target'"):
        weights.read(str(GOLDEN / "two.pth"))
    with pytest.raises(ValueError, match="no tensors under the key 'net', but under 'online', 'target'"):
        weights.read(str(GOLDEN / "two.pth"), key="net")


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("module.pth", "an object of torch.nn.modules.linear.Linear, not tensors.*state_dict"),
        ("script.pt", "a TorchScript program"),
        ("tensors.npz", "zip archive with 0 records data.pkl"),
    ],
)
def test_files_of_another_kind_say_what_to_save(file, reason):
    with pytest.raises(ValueError, match=f"{file} cannot be read: .*{reason}"):
        weights.read(str(GOLDEN / file))


def test_safetensors_and_checkpoints_are_read_whatever_their_ending(tmp_path):
    values = {"b": Tensor([1.0, 2.0]), "a": Tensor([3], ms.int64)}
    for format in ("safetensors", "ckpt"):
        ms.save_checkpoint(values, str(tmp_path / f"file.{format}"), format=format)
        actual = weights.read(tmp_path / f"file.{format}")
        assert {name: value.tolist() for name, value in actual.items()} == {"a": [3], "b": [1, 2]}
    (tmp_path / "file.safetensors").rename(tmp_path / "file.bin")
    assert sorted(weights.read(tmp_path / "file.bin")) == ["a", "b"]


def test_several_files_with_an_index(tmp_path):
    for name in "ab":
        ms.save_checkpoint({name: Tensor([1.0])}, str(tmp_path / f"{name}.safetensors"), format="safetensors")
    index = tmp_path / "model.safetensors.index.json"
    for places, reason in [
        ({"a": "a.safetensors", "b": "b.safetensors"}, None),
        ({"a": "b.safetensors"}, "its file b.safetensors lacks 'a'"),
        ({"a": "../a.safetensors"}, "'../a.safetensors', which is not one beside it"),
        ({"a": "/etc/hosts"}, "'/etc/hosts', which is not one beside it"),
        ([], "no index of files"),
    ]:
        index.write_text(json.dumps({"weight_map": places}))
        if reason is None:
            assert list(weights.read(index)) == ["a", "b"]
        else:
            with pytest.raises(ValueError, match=reason):
                weights.read(index)


def test_arrays_tensors_and_other_libraries_tensors_are_sources():
    class Foreign:
        dtype = "torch.float32"

        def detach(self):
            return self

        cpu = detach

        def numpy(self):
            return np.ones(2)

    entries = of_arrays({"a": np.zeros(2), "b": Tensor([1.0]), "c": Foreign(), "d": Parameter([2])}, "load")
    assert [entries[name].values().tolist() for name in "abcd"] == [[0, 0], [1], [1, 1], [2]]
    with pytest.raises(TypeError, match=r"the 'source\['a'\]' must be an array or a Tensor"):
        of_arrays({"a": "text"}, "load")


def test_wrong_arguments(tmp_path):
    with pytest.raises(ValueError, match="'path' must be a file that exists"):
        weights.read(str(tmp_path / "none.pth"))
    with pytest.raises(TypeError, match="'path' must be"):
        weights.read(3)
    (tmp_path / "a.pth").write_text(json.dumps({"a": 1}))
    with pytest.raises(ValueError, match="none of the formats"):
        weights.read(str(tmp_path / "a.pth"))
