"""Writes ``networks.json``: what MindSpore 2.10 says of the networks in ``tests/networks``.

GLOG_v=4 ORACLE_PYTHON tests/golden/make_networks.py
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.networks import NAMES, describe  # noqa: E402  (found above this folder)

if __name__ == "__main__":
    found = {name: describe.described(name) for name in NAMES}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(figures)}" for name, figures in found.items())
    (HERE / "networks.json").write_text("{\n" + lines + "\n}\n")
