"""What MindSpore 2.10 gives for the cases in tests/dataset/cases.

GLOG_v=4 ORACLE tests/golden/make_dataset.py [name ...]
"""

import contextlib
import json
import pathlib
import sys
import tempfile

import mindspore.dataset as ds

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[0] / "dataset"))

from cases import run  # noqa: E402
from cases.modules import MODULES  # noqa: E402


def main(names):
    # MindSpore writes 'abnormal_image.jpg' to the working folder where it refuses an image; cases leave files.
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        tempfile.tempdir = folder
        for name in names or MODULES:
            result = run.outcomes(MODULES[name], ds)
            lines = [f"{json.dumps(case)}: {json.dumps(value)}" for case, value in result.items()]
            (FOLDER / f"dataset_{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
