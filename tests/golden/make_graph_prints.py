"""Writes ``graph_prints.json``: what MindSpore prints in the functions of ``tests/programs/graph_prints.py``.

GLOG_v=4 ORACLE_PYTHON tests/golden/make_graph_prints.py
"""

import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))

from graph_prints import split  # noqa: E402  (found in the folder of programs)


def main():
    # In a process of its own, since C++ prints past `sys.stdout`.
    program = HERE.parent / "programs" / "graph_prints.py"
    ran = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    (HERE / "graph_prints.json").write_text(json.dumps(split(ran.stdout), indent=1) + "\n")


if __name__ == "__main__":
    main()
