"""MindRecord files as MindSpore 2.10 writes them.  GLOG_v=4 ORACLE tests/golden/make_mindrecord.py"""

import pathlib
import shutil
import sys

from mindspore.mindrecord import FileWriter

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "dataset"))
import mindrecord_values as values  # noqa: E402

FOLDER = pathlib.Path(__file__).parent / "mindrecord"


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    values.write(FileWriter, FOLDER)
    for written in FOLDER.iterdir():
        written.chmod(0o644)


if __name__ == "__main__":
    main()
