"""Checkpoints as MindSpore 2.10 writes them.  GLOG_v=4 ORACLE tests/golden/make_checkpoints.py

The same values are in tests/train/checkpoint_values.py, which tests hold the files against.
"""

import pathlib
import sys

import mindspore as ms

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "train"))
import checkpoint_values as values

FOLDER = pathlib.Path(__file__).parent / "checkpoints"


def main():
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.chmod(0o600)
        old.unlink()
    for name, save_obj, options in values.files(ms):
        ms.save_checkpoint(save_obj, str(FOLDER / name), **options)
    for written in FOLDER.iterdir():
        written.chmod(0o644)


if __name__ == "__main__":
    main()
