"""Writes ``members.json``: the names of the attributes of MindSpore's objects that users give attributes of their own.

GLOG_v=4 ORACLE_PYTHON tests/golden/make_members.py
"""

import json
import pathlib

FILE = pathlib.Path(__file__).with_name("members.json")


def objects(ms):
    """One object of each class by its name; ``ms`` is the module, msgrad or mindspore."""
    kinds = [ms.nn.Cell, ms.nn.SequentialCell, ms.nn.CellList, ms.nn.CellDict]
    tensor = ms.Tensor([1.0])
    return {type(each).__name__: each for each in [tensor, ms.Parameter(tensor, name="p"), *[kind() for kind in kinds]]}


def main():
    import mindspore

    found = {kind: [name for name in dir(each) if name[:2] != "__"] for kind, each in objects(mindspore).items()}
    FILE.write_text(json.dumps({kind: " ".join(sorted(names)) for kind, names in found.items()}, indent=1) + "\n")


if __name__ == "__main__":
    main()
