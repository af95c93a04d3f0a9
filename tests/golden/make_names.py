"""Writes ``names.json``: what MindSpore 2.10 gives for the rows of ``tests/names/name_rows.py``.

GLOG_v=4 ORACLE_PYTHON tests/golden/make_names.py
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "names"))

from name_rows import answers  # noqa: E402

if __name__ == "__main__":
    (HERE / "names.json").write_text(json.dumps(answers(), indent=1) + "\n")
