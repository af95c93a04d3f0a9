"""Names of MindSpore 1.x, and unsupported names."""

import subprocess
import sys

import numpy as np
import pytest

import msgrad.alias
import msgrad.dataset as ds

msgrad.alias.install()


def test_old_modules_have_the_names():
    from mindspore.dataset.core import config
    from mindspore.dataset.engine import GeneratorDataset
    from mindspore.dataset.engine.datasets import BatchDataset
    from mindspore.dataset.transforms.c_transforms import Compose, TypeCast
    from mindspore.dataset.vision.c_transforms import Normalize
    from mindspore.dataset.vision.utils import Inter

    assert GeneratorDataset is ds.GeneratorDataset and Inter is ds.vision.Inter and BatchDataset is ds.BatchDataset
    assert (Compose, TypeCast) == (ds.transforms.Compose, ds.transforms.TypeCast)
    assert Normalize is ds.vision.Normalize and config.get_prefetch_size() == 16


OLD = [
    "mindspore.dataset.vision.c_transforms",
    "mindspore.dataset.vision.py_transforms",
    "mindspore.dataset.transforms.c_transforms",
    "mindspore.dataset.engine.datasets",
    "mindspore.mindrecord.common.exceptions",
]


# Imports each in a process of its own, in which nothing is imported but the alias.
FIRST = """
import os, sys
import msgrad.alias
msgrad.alias.install()
assert "msgrad.dataset" not in sys.modules and "msgrad.mindrecord" not in sys.modules
for path in sys.argv[1:]:
    child = os.fork()
    if not child:
        exec(f"import {path} as old; print(old.__name__, flush=True)")
        os._exit(0)
    os.waitpid(child, 0)
"""


def test_an_old_module_may_be_the_first_that_is_imported():
    ran = subprocess.run([sys.executable, "-c", FIRST, *OLD], capture_output=True, text=True)
    assert ran.stdout.split() == OLD, ran.stderr


def test_old_python_transforms_keep_their_defaults():
    import mindspore.dataset.vision.py_transforms as py_transforms
    from mindspore.dataset.transforms.py_transforms import OneHotOp

    image = np.zeros((4, 5, 3), np.uint8)
    data = ds.vision.encode_png(image)
    steps = [py_transforms.Decode(), py_transforms.ToTensor(), py_transforms.Normalize((0.5,) * 3, (0.5,) * 3)]
    (result,) = ds.transforms.Compose(steps)(data)
    assert result.shape == (3, 4, 5) and result.min() == result.max() == -1
    assert OneHotOp(3)(np.array(1)).dtype == np.float64


def test_what_is_not_there_is_said():
    with pytest.raises(RuntimeError, match="there is no cache server"):
        ds.DatasetCache(1)
    with pytest.raises(NotImplementedError, match="the 'cache' must be None"):
        ds.TextFileDataset(__file__, cache="a cache")


def test_images_need_the_extra(monkeypatch):
    from msgrad.dataset.vision import _libraries

    monkeypatch.setattr(_libraries, "_here", type(_libraries._here)())
    monkeypatch.setitem(__import__("sys").modules, "cv2", None)
    with pytest.raises(ImportError, match=r'pip install "msgrad\[vision\]"'):
        ds.vision.Resize(3)(np.zeros((4, 4, 3), np.uint8))
    assert ds.vision.CenterCrop(2)(np.zeros((4, 4, 3), np.uint8)).shape == (2, 2, 3)


def test_what_is_left_out_imports_and_says_so():
    import mindspore.dataset.audio as audio
    from mindspore.dataset.audio.transforms import Fade
    from mindspore.dataset.audio.utils import FadeShape, create_dct

    assert (FadeShape.LINEAR, Fade, create_dct) == (audio.FadeShape("linear"), audio.Fade, audio.create_dct)
    assert list(ds.text.JiebaMode) == [0, 1, 2]
    left_out = (audio.Vad, ds.OBSMindDataset, ds.vision.DecodeVideo, ds.transforms.Plugin, ds.text.JiebaTokenizer)
    for each in left_out:
        with pytest.raises(NotImplementedError, match="is left out of msgrad: .+ (Write|Copy|Read|Call|Use) .+"):
            each()
