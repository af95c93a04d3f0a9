"""What MindSpore 2.10 makes of checkpoints under other strategies, for tests/train/test_transforming.py.

GLOG_v=4 ORACLE tests/golden/make_strategies.py
"""

import base64
import itertools
import json
import math
import pathlib
import tempfile

import mindspore as ms
import numpy as np
from mindspore import Tensor
from mindspore.train import node_strategy_pb2 as messages

WHOLE = np.arange(128, dtype=np.float32).reshape(16, 8)

# Device matrix, tensor map, and the optimizer's step and size.
LAYOUTS = [
    ([2, 2, 2], [2, 0], 0, 0), ([2, 2, 2], [-1, 1], 0, 0), ([4, 2], [0, -1], 0, 0), ([8], [-1, -1], 0, 0),
    ([8], [-1, -1], 1, 8), ([8], [-1, -1], 1, 4), ([2, 4], [0, -1], 4, 2), ([4, 2], [-1, 0], 2, 2),
    ([2, 2, 2], [1, -1], 1, -1), ([2, 2, 2], [-1, 1], 1, 4), ([2, 4], [[1, 0], -1], 0, 0),
    ([4, 2], [[0, 1], -1], 0, 0), ([2, 2, 2], [[2, 1], -1], 1, 2), ([2], [0, -1], 0, 0), ([4], [-1, 0], 0, 0),
]  # fmt: skip


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    actual = {"files": [], "parts": [], "changes": []}
    for layout in LAYOUTS:
        data = strategy({"w": layout})
        actual["files"].append([layout, base64.b64encode(data).decode()])
        actual["parts"].append(parts_under(folder, data, {0: saved(folder / "whole.ckpt", WHOLE)}, None))
    for src, dst in itertools.permutations(range(0, len(LAYOUTS), 2), 2):
        source = {rank: saved(folder / f"{rank}.ckpt", cut(part)) for rank, part in enumerate(actual["parts"][src])}
        data, other = (base64.b64decode(actual["files"][k][1]) for k in (dst, src))
        try:
            assert parts_under(folder, data, source, other) == actual["parts"][dst]
            actual["changes"].append([src, dst])
        except ValueError as error:
            print(src, dst, error)
    for stage in range(2):
        (folder / "stages").mkdir(exist_ok=True)
        data = strategy({f"w{stage}": LAYOUTS[0], "shared": LAYOUTS[2]}, stage)
        (folder / "stages" / f"{stage}.ckpt").write_bytes(data)
    ms.merge_pipeline_strategys(str(folder / "stages"), str(folder / "merged.ckpt"))
    merged = (folder / "merged.ckpt").read_bytes()
    actual["merged"] = base64.b64encode(merged).decode()
    actual["merged names"] = sorted(ms.build_searched_strategy(str(folder / "merged.ckpt")))
    actual["merged slices"] = merging(folder)
    lines = [f"{json.dumps(key)}: {json.dumps(value, default=int)}" for key, value in actual.items()]
    (pathlib.Path(__file__).parent / "strategies.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def strategy(layouts, stage=0):
    """The bytes of a file of strategies."""
    whole = messages.ParallelStrategyMap()
    whole.current_stage = 1
    node = whole.parallel_strategy_item.add()
    node.node_name, node.parallel_strategys.stage = "node", stage
    node.parallel_strategys.parallel_strategy.add().dim.extend([1, 1])
    for name, (devices, axes, step, size) in layouts.items():
        item = whole.parallel_layout_item.add()
        item.param_name, layout = name, item.parallel_layouts
        layout.field, layout.opt_weight_shard_step, layout.opt_weight_shard_size = 0, step, size
        layout.dev_matrix.add().dim.extend(devices)
        if any(isinstance(axis, list) for axis in axes):
            for axis in axes:
                layout.tensor_map.add().dim.extend(axis if isinstance(axis, list) else [axis])
        else:
            layout.tensor_map.add().dim.extend(axes)
        layout.param_split_shape.add()
        layout.indices_offset.add()
    return whole.SerializeToString()


def saved(path, values):
    ms.save_checkpoint([{"name": "w", "data": Tensor(values)}], str(path))
    return str(path)


def parts_under(folder, data, source, other):
    """For each rank where its part begins and what shape it has."""
    (folder / "dst.ckpt").write_bytes(data)
    if other is not None:
        (folder / "src.ckpt").write_bytes(other)
    parts, message = [], messages.ParallelStrategyMap()
    message.ParseFromString(data)
    devices = math.prod(message.parallel_layout_item[0].parallel_layouts.dev_matrix[0].dim)
    for rank in range(devices):
        made = str(folder / "made.ckpt")
        files = None if other is None else str(folder / "src.ckpt")
        ms.transform_checkpoint_by_rank(rank, source, made, files, str(folder / "dst.ckpt"))
        part = ms.load_checkpoint(made)["w"].asnumpy()
        first = int(part.flat[0])
        parts.append([first // 8, first % 8, *part.shape])
        np.testing.assert_array_equal(part, cut(parts[-1]))
    return parts


def cut(part):
    row, column, rows, columns = part
    return WHOLE[row : row + rows, column : column + columns]


def merging(folder):
    """What is merged of slices by layouts without an optimizer's shards, and of slices of other lengths."""
    cases = []
    for k in (0, 1, 2, 14):
        path = str(folder / "merge.ckpt")
        pathlib.Path(path).write_bytes(strategy({"w": LAYOUTS[k]}))
        layouts = ms.build_searched_strategy(path)
        slices = [ms.Parameter(Tensor(cut(part)), "w") for part in PARTS[k]]
        np.testing.assert_array_equal(ms.merge_sliced_parameter(slices, layouts).asnumpy(), WHOLE)
        cases.append(k)
    return cases


PARTS = {
    0: [[8 * (r // 4), 4 * (r % 2), 8, 4] for r in range(8)],
    1: [[0, 4 * (r // 2 % 2), 16, 4] for r in range(8)],
    2: [[8 * (r % 2), 0, 8, 8] for r in range(8)],
    14: [[0, 2 * r, 16, 2] for r in range(4)],
}

if __name__ == "__main__":
    main()
