"""Files of a network's operator strategies: written after the first call, or followed from the first call on."""

import json
import os

from .. import _upcalls
from .._sharding.layout import Layout
from .._sharding.partition import OperatorFile
from ..engine.calls import staging
from ..engine.processes.world import World
from ..engine.refusal import refuse
from ..nn._cell.inner_strategies import followed
from ..ops._core.primitive import Primitive

_OWNER = "set_op_strategy_config"
_SYSTEM = ("/etc", "/usr", "/bin", "/sbin", "/boot", "/proc", "/sys")  # MindSpore's list
_INPUTS, _RESULTS = "parallel_strategy_item", "parallel_out_strategy_item"
_PER_MACHINE = 8  # MindSpore writes the file on the first device of each machine
_MSG_UNFIT = "For '{}', the strategies of {} cannot be followed: {}. Save them again by this network."


def set_op_strategy_config(mode="SAVE", path=""):
    """Saves the strategies of operators to a JSON file, or follows those of such a file, in MindSpore's format.

    It concerns the Primitives that are attributes of a network's Cells (``self.matmul = ops.MatMul()``), and those in
    layers (``dense.matmul``), with ``parallel_mode='auto_parallel'`` and ``search_mode='sharding_propagation'``. Saved
    are the strategies that the program gives, since msgrad searches for none; strategies by `Layout` are left out.
    Operators of the file that the network does not have are ignored.

    Args:
        mode (str): ``'SAVE'``: after the network's first call; ``'LOAD'``: before it. Default: ``'SAVE'``.
        path (str): an absolute path that ends in ``.json``. Default: ``''``.
    Raises:
        KeyError: for another ``mode`` or ``path``.
        PermissionError: for a path in a folder of the system.
        RuntimeError: at the call, if the file is missing, damaged, or has no operator of the network.
    Example:
        >>> mindspore.parallel.set_op_strategy_config("SAVE", "strategy.json")
        Traceback (most recent call last):
        KeyError: "For 'set_op_strategy_config', the 'path' must be an absolute path, but got 'strategy.json' (str)."
    Source: mindspore.parallel.set_op_strategy_config
    """
    if not os.path.isabs(path):
        refuse(KeyError, _OWNER, "path", "an absolute path", path)
    if os.path.splitext(path)[1] != ".json":
        refuse(KeyError, _OWNER, "path", "a path that ends in .json", path)
    if os.path.realpath(path).startswith(_SYSTEM):
        refuse(PermissionError, _OWNER, "path", "outside of the system's folders", path)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    if mode not in ("SAVE", "LOAD"):
        refuse(KeyError, _OWNER, "mode", "'SAVE' or 'LOAD'", mode)
    OperatorFile.of_program.set(mode, path)


def save(network, path):
    """Writes the strategies of a network's Primitives."""
    inputs, results = {}, {}
    for name, primitive in _named(network).items():
        for rows, strategy in zip((inputs, results), vars(primitive).get("partition_strategy", ()), strict=False):
            if strategy and not isinstance(strategy[0], Layout):
                rows[name] = {"stage": 0, "parallel_strategy": strategy}
    if World.rank % _PER_MACHINE == 0:
        contents = {"current_stage": 0, _INPUTS: inputs} | ({_RESULTS: results} if results else {})
        with open(path, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            json.dump(contents, file)


def load(network, path):
    """Gives the Primitives of a network the strategies of a file."""
    try:
        with open(path) as file:
            contents = json.load(file)
        inputs, results = [
            {name: tuple(map(tuple, row["parallel_strategy"])) for name, row in contents.get(key, {}).items()}
            for key in (_INPUTS, _RESULTS)
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RuntimeError(_MSG_UNFIT.format(_OWNER, path, error)) from None
    primitives = _named(network)
    names = [name for name in inputs if name in primitives]
    if not names:
        raise RuntimeError(_MSG_UNFIT.format(_OWNER, path, f"none of its operators is among {sorted(primitives)}"))
    for name in names:
        primitives[name].shard(inputs[name], results.get(name))
    staging.invalidate()


def _named(network):
    """The Primitives that are attributes of a network's Cells, by name: scope, kind, and number in the scope."""
    network.generate_scope()
    named = {}
    for _, cell in network.cells_and_names():
        primitives = [each for each in vars(cell).values() if isinstance(each, Primitive)]
        primitives += [each for each in followed(cell) if all(each is not other for other in primitives)]
        counts = {}
        for each in primitives:
            number = counts[each.name] = counts.get(each.name, -1) + 1
            named[f"{cell.get_scope() or 'Default'}/{each.name}-op{number}"] = each
    return named


_upcalls.fill(save_operator_strategies=save, load_operator_strategies=load)
