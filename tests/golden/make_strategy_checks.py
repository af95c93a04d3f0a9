"""Writes ``strategy_checks.json``: which strategies of ``tests/parallel/strategy_cases.py`` MindSpore accepts.

    GLOG_v=4 ORACLE_PYTHON tests/golden/make_strategy_checks.py

A row has those of one case, and what the others raise besides RuntimeError. See `_pretended_devices` for how a build
without devices can tell. ``layouts`` are those of the Parameters, in strategy files that MindSpore writes: for each
case of ``LAYOUTS`` and each strategy the device matrix and the tensor map of each operand.
"""

import importlib.util
import itertools
import json
import pathlib
import re
import sys
import tempfile

import mindspore as ms
import numpy as np
from _pretended_devices import is_accepted, pretend
from mindspore import Tensor
from mindspore.common.api import _cell_graph_executor

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "parallel"))

from strategy_cases import CASES, DEVICES, KINDS, LAYOUTS, shape_of, strategies  # noqa: E402  (beside this folder)

FOLDER = pathlib.Path(tempfile.mkdtemp())
COUNT = itertools.count()
NETWORK = """
import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

class Net(nn.Cell):
    def __init__(self, strategy, result, parameters):
        super().__init__()
        self.op = {made}.shard(strategy, result) if result else {made}.shard(strategy)
        for name, value in parameters.items():
            setattr(self, name, Parameter(value, name=name))

    def construct(self{names}):
        return self.op({call})
"""


def main():
    pretend(DEVICES)
    accepted = [json.dumps(judged(*case)) for case in CASES]
    layouts = [json.dumps([layout(*case[:3], strategy) for strategy in case[3]]) for case in LAYOUTS]
    blocks = [
        f'"{name}": [\n' + ",\n".join(rows) + "\n]" for name, rows in {"accepted": accepted, "layouts": layouts}.items()
    ]
    (HERE / "strategy_checks.json").write_text("{\n" + ",\n".join(blocks) + "\n}\n")


def settings(**more):
    ms.reset_auto_parallel_context()
    mode = {"device_num": DEVICES, "global_rank": 0, "parallel_mode": "semi_auto_parallel", "full_batch": True}
    ms.set_auto_parallel_context(**mode, **more)


def judged(made, call, inputs, asked=None):
    """A row: the accepted strategies, and the types of the exceptions that are not RuntimeErrors."""
    settings()
    accepted, kinds = [], {}
    for strategy, result in strategies(inputs, asked):
        error = error_of(made, call, inputs, strategy, result, "p")
        if is_accepted(error):
            accepted.append(str((strategy, result) if result else strategy))
        elif type(error) is not RuntimeError:
            kinds[str(strategy)] = type(error).__name__
    return [made, call, inputs, accepted, kinds]


def error_of(made, call, inputs, strategy, result, of_parameters):
    """The error of compiling a network of one Primitive; Tensors of the kinds ``of_parameters`` are Parameters."""
    values = dict(zip("xyzwv", inputs.split(), strict=False))
    values = {name: (each[0], Tensor(np.ones(shape_of(each), KINDS[each[0]]))) for name, each in values.items()}
    parameters = {name: value for name, (kind, value) in values.items() if kind in of_parameters}
    names = "".join([f", {name}" for name in values if name not in parameters])
    call = re.sub(rf"\b({'|'.join(parameters) or '-'})\b", r"self.\1", call)
    source = NETWORK.format(made=made, call=call, names=names)
    path = FOLDER / f"network{next(COUNT)}.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    sys.modules[path.stem] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    net = module.Net(strategy, result, parameters)
    net.set_train()
    operands = [value for name, (_, value) in values.items() if name not in parameters]
    try:
        _cell_graph_executor.compile(net, *operands, phase="train")
    except Exception as error:
        return error
    return None  # nothing is left to run


def layout(made, call, inputs, strategy):
    """The device matrix and the tensor map of each operand, all of which are Parameters."""
    path = FOLDER / f"strategy{next(COUNT)}.json"
    settings(strategy_ckpt_config={"save_file": str(path), "only_trainable_params": False})
    error = error_of(made, call, inputs, strategy, None, "fib")
    assert is_accepted(error), error
    items = json.loads(path.read_text())["parallel_layout_item"]
    return {name: [items[name]["dev_matrix"], items[name]["tensor_map"]] for name in sorted(items)}


if __name__ == "__main__":
    main()
