"""What the transforms of sound of MindSpore 2.10 give for tests/dataset/audio_cases.py.

GLOG_v=4 ORACLE tests/golden/make_audio.py
"""

import json
import pathlib
import sys

import mindspore.dataset.audio as audio
import numpy as np

FOLDER = pathlib.Path(__file__).parent
sys.path.insert(0, str(FOLDER.parents[0] / "dataset"))

import audio_cases as given  # noqa: E402


def main():
    found = {}
    for sound, text, dtype, shape in given.variants():
        found[given.key(text, dtype, shape)] = said(given.outcome(audio, text, given.wave(sound, dtype, shape)))
    found |= {text: said(given.outcome(audio, text)) for text in given.functions() + given.refusals()}
    found |= {text: said(given.special_outcome(audio, text)) for text in given.specials()}
    lines = [f"{json.dumps(case)}: {json.dumps(value)}" for case, value in found.items()]
    (FOLDER / "audio.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def said(found):
    """Dtype, shape and rounded elements of each array, as JSON has them."""
    if isinstance(found, str):
        return found
    return [
        [str(array.dtype), list(np.shape(array)), [_rounded(each) for each in array.ravel().tolist()]]
        for array in found
    ]


def _rounded(value):
    return float(f"{value:.7g}") if isinstance(value, float) else value


if __name__ == "__main__":
    main()
