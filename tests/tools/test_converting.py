"""`msgrad convert`: from torch's file to a checkpoint, and back to a file of the same content."""

import pathlib

import pytest

from msgrad import nn, weights
from msgrad.tools import converting
from msgrad.tools.networks import network

GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "weights"
NETWORK = "tests.weights.networks:Images"


def convert(capsys, *arguments):
    """The status, or the error, and the text that is printed."""
    status = converting.main(list(map(str, arguments)))
    return status, capsys.readouterr().out


def test_there_and_back(tmp_path, capsys):
    torch = GOLDEN / "images.pth"
    checkpoint, back = tmp_path / "net.ckpt", tmp_path / "back.pth"
    status, text = convert(capsys, torch, "--to", checkpoint, "--for", NETWORK)
    assert status == 0 and "24 of 24 Parameters matched" in text and text.endswith(f"wrote {checkpoint}\n")
    status, _ = convert(capsys, checkpoint, "--to", back, "--for", NETWORK, "--like", torch)
    old, new = weights.read(torch), weights.read(back)
    assert status == 0 and list(old) == list(new) and all([(old[name] == new[name]).all() for name in old])
    status, _ = convert(capsys, checkpoint, "--to", tmp_path / "back.safetensors", "--for", NETWORK)
    assert status == 0 and "layer1.0.down_sample.1.running_var" in weights.read(tmp_path / "back.safetensors")


def test_what_does_not_match_is_written_only_with_partial(tmp_path, capsys):
    arguments = GOLDEN / "images.pth", "--to", tmp_path / "net.ckpt", "--for", f"{NETWORK}(classes=7)"
    status, text = convert(capsys, *arguments)
    assert status == 1 and "other shapes: fc.weight" in text and not list(tmp_path.iterdir())
    status, _ = convert(capsys, *arguments, "--partial")
    assert status == 0 and list(weights.read(tmp_path / "net.ckpt"))


def test_names_are_replaced(tmp_path, capsys):
    renames = "--rename", "^layer1=stages", "--rename", r"^stages\.(\d)=layer1.\1"
    arguments = GOLDEN / "images.pth", "--to", tmp_path / "net.ckpt", "--for", NETWORK
    assert convert(capsys, *arguments, *renames)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["none.pth", "--to", "a.ckpt", "--for", NETWORK], "can't open file 'none.pth'"),
        (["none.pth", "--to", "a.zip", "--for", NETWORK], "--to takes a path that ends with .ckpt"),
        (["none.pth", "--to", "a.pth", "--for", NETWORK], "--to takes .ckpt or .safetensors, not 'a.pth'"),
        ([GOLDEN / "module.pth", "--to", "a.ckpt", "--for", NETWORK], "state_dict"),
        ([GOLDEN / "images.pth", "--to", "a.ckpt", "--for", "Net"], "MODULE:NAME or FILE.py:NAME"),
        ([GOLDEN / "images.pth", "--to", "a.ckpt", "--for", "m:Net(os)"], "with literal arguments"),
        ([GOLDEN / "images.pth", "--to", "a.ckpt", "--for", "no_such_module:Net"], "cannot be imported: No module"),
        ([GOLDEN / "images.pth", "--to", "a.ckpt", "--for", "none.py:Net"], "there is no such file"),
        ([GOLDEN / "images.pth", "--to", "a.ckpt", "--for", "tests.weights.networks:Net"], "has no name 'Net'"),
        ([GOLDEN / "images.pth", "--to", "a.ckpt", "--for", "math:sqrt(4)"], "gives a float, not a Cell"),
    ],
)
def test_wrong_arguments(arguments, reason, capsys):
    assert reason in convert(capsys, *arguments)[0]


def test_networks_of_files(tmp_path):
    (tmp_path / "own_nets.py").write_text("import mindspore.nn as nn\nclass A:\n    net = nn.Dense(2, 3)\n")
    assert isinstance(network(f"{tmp_path}/own_nets.py:A.net"), nn.Dense)
