"""Writes ``class_members.json``: the names that MindSpore's public classes define, for users who derive from them.

GLOG_v=4 ORACLE_PYTHON tests/golden/make_class_members.py
"""

import importlib
import inspect
import json
import pathlib

FILE = pathlib.Path(__file__).with_name("class_members.json")
MODULES = (
    "nn", "nn.probability.distribution", "nn.probability.bijector", "nn.probability.bnn_layers", "mint.nn",
    "mint.optim", "ops", "dataset", "dataset.transforms", "dataset.vision", "dataset.audio", "dataset.text", "train",
    "common.initializer", "experimental.optim", "experimental.optim.lr_scheduler",
)  # fmt: skip
ROOTS = ("nn.Cell", "ops.Primitive", "dataset.Dataset")  # their names are listed once


def classes():
    """MindSpore's public classes, each by its first public name."""
    made = {}
    for where in MODULES:
        module = importlib.import_module(f"mindspore.{where}")
        for name in sorted(dir(module)):
            each = getattr(module, name, None) if name[0] != "_" else None
            if inspect.isclass(each) and each.__module__.startswith("mindspore"):
                made.setdefault(each, f"{where}.{name}")
    return {name: each for each, name in made.items()}


def found_in_msgrad(names):
    """The classes of msgrad that have these names, by name."""
    found = {}
    for name in names:
        where, _, last = name.rpartition(".")
        each = getattr(importlib.import_module(f"msgrad.{where.removeprefix('common.')}"), last, None)
        if inspect.isclass(each):
            found[name] = each
    return found


def public(each):
    """The names of a class's attributes without an underscore in front."""
    return {name for name in dir(each) if name[0] != "_"}


def own_names(name, found):
    """The public names of a class beyond those of its root, if it has one."""
    each = found[name]
    roots = [found[root] for root in ROOTS if root != name and issubclass(each, found[root])]
    return public(each).difference(*map(public, roots))


def main():
    found, by_names = classes(), {}
    for name in sorted(found):
        by_names.setdefault(" ".join(sorted(own_names(name, found))), []).append(name)
    FILE.write_text(json.dumps({" ".join(each): names for names, each in by_names.items()}, indent=1) + "\n")


if __name__ == "__main__":
    main()
