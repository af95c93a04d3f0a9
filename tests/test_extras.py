"""Without an extra's package, its functions raise an error that names it; `.ci/extras` tests each extra."""

import pathlib
import sys
import tomllib

import numpy as np
import pytest

import msgrad as ms
import msgrad.dataset as ds
from msgrad import nn, weights
from msgrad.dataset.vision import _libraries

PROJECT = tomllib.loads((pathlib.Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
OTHERS = {  # which no code imports
    *("accelerators", "cuda", "cuda12", "cuda13", "docs", "jpeg", "notebook", "plan-gpu", "plan-tpu", "test", "tpu"),
    "types",
}
KERAS = pathlib.Path(__file__).parent / "golden" / "weights" / "keras.h5"
IMAGE = np.zeros((4, 4, 3), np.uint8)


def exported(folder):
    ms.export(nn.Dense(1, 1), ms.ops.ones((1, 1)), file_name=f"{folder}/a", file_format="MINDIR")


def converted(folder):
    ms.onnx.export(nn.Dense(1, 1), ms.ops.ones((1, 1)), file_name=f"{folder}/a")


def saved(**options):
    return lambda folder: ms.save_checkpoint(nn.Dense(1, 1), f"{folder}/a", **options)


# The extra, a module of its package, and what needs it.
ROWS = [
    ("encryption", "cryptography.hazmat.primitives.ciphers", saved(enc_key=b"0123456789ABCDEF")),
    ("export", "flatbuffers", exported),
    ("keras", "h5py", lambda folder: weights.read(str(KERAS))),
    ("onnx", "jax2onnx", converted),
    ("onnx", "onnxruntime", converted),
    ("summary", "tensorboardX", lambda folder: ms.train.SummaryRecord(str(folder))),
    ("vision", "cv2", lambda folder: ds.vision.Resize((2, 2))(IMAGE)),
    ("vision", "PIL.Image", lambda folder: ds.vision.ToPIL()(IMAGE)),
]


@pytest.mark.parametrize(("extra", "module", "call"), ROWS, ids=[row[1] for row in ROWS])
def test_the_error_names_the_extra(extra, module, call, monkeypatch, tmp_path):
    for name in [name for name in sys.modules if name == module or name.startswith(f"{module}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)  # so that importing it is an error
    monkeypatch.delattr(_libraries._here, "cv2", raising=False)
    _libraries.pillow.cache_clear()
    with pytest.raises(ImportError) as caught:
        call(tmp_path)
    assert f'pip install "msgrad[{extra}]"' in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_every_extra_has_a_row():
    assert set(PROJECT["optional-dependencies"]) - OTHERS == {extra for extra, *_ in ROWS}
