"""Writes ``compare_network.npz``: the recording of ``tests/tools/compare_programs/network.py`` on MindSpore 2.10.

GLOG_v=4 ORACLE_PYTHON tests/golden/make_compare.py
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "msgrad" / "tools"))

import recorder  # noqa: E402

if __name__ == "__main__":
    options = {"save": str(HERE / "compare_network.npz"), "seed": 0, "calls": 1}
    sys.exit(recorder.main([json.dumps(options), str(HERE.parent / "tools" / "compare_programs" / "network.py")]))
