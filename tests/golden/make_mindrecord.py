"""MindRecord files as MindSpore 2.10 writes them.  GLOG_v=4 ORACLE tests/golden/make_mindrecord.py"""

import pathlib
import shutil
import sys

from mindspore.mindrecord import FileWriter, set_enc_key

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "dataset"))
import mindrecord_values as values  # noqa: E402

FOLDER = pathlib.Path(__file__).parent


def main():
    for name, key, files in (("mindrecord", None, values.FILES), ("mindrecord_encrypted", values.KEY, values.ONE_FILE)):
        folder = FOLDER / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        set_enc_key(key)
        values.write(FileWriter, folder, files)
        for written in folder.iterdir():
            written.chmod(0o644)


if __name__ == "__main__":
    main()
