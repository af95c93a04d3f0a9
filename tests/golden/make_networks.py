"""Writes ``networks.json``, ``trained_networks.json``: what MindSpore 2.10 says of the networks in ``tests/networks``.

GLOG_v=4 ORACLE_PYTHON tests/golden/make_networks.py
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.networks import NAMES, TRAINED, describe, train  # noqa: E402  (found above this folder)


def write(file, result):
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(figures)}" for name, figures in result.items())
    (HERE / file).write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    write("networks.json", {name: describe.described(name) for name in NAMES})
    write("trained_networks.json", {name: train.learnt(name) for name in TRAINED})
