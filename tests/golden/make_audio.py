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

import audio_cases as cases  # noqa: E402


def main():
    results = {}
    for sound, text, dtype, shape in cases.variants():
        results[cases.key(text, dtype, shape)] = said(cases.outcome(audio, text, cases.wave(sound, dtype, shape)))
    results |= {text: said(cases.outcome(audio, text)) for text in cases.functions() + cases.refusals()}
    results |= {text: said(cases.special_outcome(audio, text)) for text in cases.specials()}
    lines = [f"{json.dumps(case)}: {json.dumps(value)}" for case, value in results.items()]
    (FOLDER / "audio.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def said(result):
    """Dtype, shape and rounded elements of each array, as JSON has them."""
    if isinstance(result, str):
        return result
    return [
        [str(array.dtype), list(np.shape(array)), [_rounded(each) for each in array.ravel().tolist()]]
        for array in result
    ]


def _rounded(value):
    return float(f"{value:.7g}") if isinstance(value, float) else value


if __name__ == "__main__":
    main()
