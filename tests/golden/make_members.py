"""Writes ``members.json``: the names of the attributes of MindSpore's objects that users give attributes of their own.

GLOG_v=4 ORACLE_PYTHON tests/golden/make_members.py
"""

import importlib
import json
import pathlib

FILE = pathlib.Path(__file__).with_name("members.json")
OPTIMIZERS = {
    "nn": "ASGD AdaMax Adadelta Adagrad Adam AdamWeightDecay FTRL LazyAdam ProximalAdagrad RMSProp Rprop SGD",
    "experimental.optim": "ASGD Adadelta Adagrad Adam AdamW Adamax NAdam RAdam RMSprop Rprop SGD",
}


def objects(ms):
    """One object of each class by its name; ``ms`` is the module, msgrad or mindspore."""
    kinds = [ms.nn.Cell, ms.nn.SequentialCell, ms.nn.CellList, ms.nn.CellDict]
    tensor = ms.Tensor([1.0])
    made = {type(each).__name__: each for each in [tensor, ms.Parameter(tensor, name="p"), *[kind() for kind in kinds]]}
    for where, classes in OPTIMIZERS.items():
        module = importlib.import_module(f"{ms.__name__}.{where}")
        for name in classes.split():
            made[f"{where}.{name}"] = getattr(module, name)([ms.Parameter(tensor, name="p")], 0.1)
    return made


def names(made, kind):
    """The names of an object's attributes, of an optimizer those that a Cell does not have."""
    cell = dir(made["Cell"]) if "." in kind else ()
    found = {*dir(made[kind]), *getattr(made[kind], "_params", ()), *getattr(made[kind], "_cells", ())}
    return sorted(each for each in found - {*cell} if each[:2] != "__")


def main():
    import mindspore

    made = objects(mindspore)
    FILE.write_text(json.dumps({kind: " ".join(names(made, kind)) for kind in made}, indent=1) + "\n")


if __name__ == "__main__":
    main()
