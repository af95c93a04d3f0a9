"""Checkpoints from one format to the other and back."""

import pytest

import msgrad as ms
from msgrad import nn

FORMATS = {"ckpt": ms.ckpt_to_safetensors, "safetensors": ms.safetensors_to_ckpt}


@pytest.fixture
def net():
    return nn.Dense(2, 3)


def shown(path, format):
    return {name: value.asnumpy().tolist() for name, value in ms.load_checkpoint(str(path), format=format).items()}


@pytest.mark.parametrize("format", FORMATS)
def test_a_file(format, net, tmp_path):
    ms.save_checkpoint(net, str(tmp_path / f"net.{format}"), format=format)
    (other,) = set(FORMATS) - {format}
    FORMATS[format](str(tmp_path / f"net.{format}"))
    assert shown(tmp_path / f"net.{other}", other) == shown(tmp_path / f"net.{format}", format)
    FORMATS[format](str(tmp_path / f"net.{format}"), str(tmp_path / "made"), {"weight": "w"})
    assert sorted(shown(tmp_path / "made" / f"net.{other}", other)) == ["bias", "w"]


def test_a_folder(net, tmp_path):
    for rank in range(2):
        (tmp_path / f"rank_{rank}").mkdir()
        for name in ("a", "b"):
            ms.save_checkpoint(net, str(tmp_path / f"rank_{rank}" / f"{name}.ckpt"))
    ms.ckpt_to_safetensors(str(tmp_path), str(tmp_path / "out"), file_name_regex="a", processes_num=2)
    found = sorted(str(file.relative_to(tmp_path / "out")) for file in (tmp_path / "out").rglob("*.safetensors"))
    assert found == ["rank_0/a.safetensors", "rank_1/a.safetensors"]


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("none.ckpt",), "'file_path' must be a file"),
        ((3,), "'file_path' must be a file"),
        ((".",), "whose folders 'rank_...'"),
        ((".", "a.safetensors"), "'save_path' must be"),
        ((".", None, 3), "'name_map' must be"),
        ((".", None, None, None, 0), "'processes_num' must be"),
    ],
)
def test_errors(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=message):
        ms.ckpt_to_safetensors(*arguments)
