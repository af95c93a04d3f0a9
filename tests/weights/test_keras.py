"""HDF5 files of Keras: the outputs are Keras'; links and files without names are refused."""

import pathlib

import numpy as np
import pytest

from msgrad import weights

from . import networks

h5py = pytest.importorskip("h5py")
GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "weights"


def test_outputs_are_those_of_keras():
    net = networks.OfKeras()
    report = weights.load(net, str(GOLDEN / "keras.h5"))
    expected = np.load(GOLDEN / "keras.npz")
    assert report.ok
    np.testing.assert_allclose(networks.output(net, expected["x"]), expected["y"], rtol=1e-5, atol=1e-5)


def test_files_of_keras_2(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.attrs["layer_names"] = [b"conv", b"table"]
        names = {"conv": ["conv/depthwise_kernel:0", "conv/pointwise_kernel:0"], "table": ["table/embeddings:0"]}
        shapes = {"depthwise_kernel": (3, 3, 2, 4), "pointwise_kernel": (1, 1, 8, 5), "embeddings": (7, 2)}
        for layer, own in names.items():
            group = file.create_group(layer)
            group.attrs["weight_names"] = [name.encode() for name in own]
            for name in own:
                group.create_dataset(name, data=np.ones(shapes[name.split("/")[1].split(":")[0]], np.float32))
    shapes = {name: value.shape for name, value in weights.read(tmp_path / "a.h5").items()}
    assert shapes == {
        "conv.depthwise.weight": (8, 1, 3, 3),
        "conv.pointwise.weight": (5, 8, 1, 1),
        "table.weight": (7, 2),
    }


def file_of(path, make):
    with h5py.File(path, "w") as file:
        file.attrs["layer_names"] = ["a"]
        group = file.create_group("a")
        group.attrs["weight_names"] = ["a/kernel"]
        make(file, group.create_group("a"))
    return str(path)


REFUSED = {
    "a link to another file": lambda file, group: group.__setitem__("kernel", h5py.ExternalLink("/etc/hosts", "/")),
    "a link to another name": lambda file, group: group.__setitem__("kernel", h5py.SoftLink("/a")),
    "numbers in another file": lambda file, group: group.create_dataset(
        "kernel", (2,), "f4", external=[("numbers.bin", 0, 8)]
    ),
    "no such name": lambda file, group: None,
}


@pytest.mark.parametrize("name", REFUSED)
def test_weights_that_are_not_in_the_file(name, tmp_path):
    path = file_of(tmp_path / "a.h5", REFUSED[name])
    with pytest.raises(ValueError, match="a.h5 cannot be read: its weight a/kernel is not in the file itself"):
        weights.read(path)


def test_files_without_names_say_what_to_save(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["layers/dense/vars/0"] = np.ones(2)
    with pytest.raises(ValueError, match=r"save_weights, which has no names; in Keras: model.save\('model.h5'\)"):
        weights.read(tmp_path / "a.h5")
    (tmp_path / "a.h5").write_bytes((GOLDEN / "keras.h5").read_bytes()[:5000])
    with pytest.raises(ValueError, match="HDF5 structure is broken"):
        weights.read(tmp_path / "a.h5")


def test_a_huge_array_is_refused(tmp_path):
    path = file_of(tmp_path / "a.h5", lambda file, group: group.create_dataset("kernel", (1 << 40,), "f4", chunks=(9,)))
    with pytest.raises(ValueError, match="claims 4398046511104 bytes, more than the file can hold"):
        weights.read(path)
