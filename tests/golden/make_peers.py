"""Which peer's checkpoint MindSpore 2.10 finds, for tests/train/test_transforming.py.

GLOG_v=4 ORACLE tests/golden/make_peers.py
"""

import base64
import json
import os
import pathlib
import tempfile

import mindspore as ms
from make_strategies import LAYOUTS, strategy
from mindspore.train import _utils, serialization

# Indices of layouts, one for each Parameter of a file.
FILES = [(0,), (1,), (2,), (3,), (4,), (5,), (6,), (7,), (0, 3), (3, 0), (0, 1), (2, 3), (2, 7), (5, 0), (13,), (14,)]


def main():
    os.chdir(tempfile.mkdtemp())
    for rank in range(8):
        os.mkdir(f"rank_{rank}")
    results = []
    for indices in FILES:
        data = strategy({f"w{k}": LAYOUTS[index] for k, index in enumerate(indices)})
        pathlib.Path("strategy.ckpt").write_bytes(data)
        results.append([base64.b64encode(data).decode(), [peers(rank) for rank in range(8)]])
    rows = ",\n".join(map(json.dumps, results))
    (pathlib.Path(__file__).parent / "checkpoint_peers.json").write_text(f"[\n{rows}\n]\n")


def peers(rank):
    """The ranks whose checkpoints are found for a rank, each with those before it missing."""
    serialization.get_rank = _utils.get_rank = lambda: rank
    paths = [pathlib.Path(f"rank_{other}/net.ckpt") for other in range(8)]
    for path in paths:
        path.touch()
    paths[rank].unlink()
    results = []
    while (path := ms.get_ckpt_path_with_strategy(f"rank_{rank}/net.ckpt", "strategy.ckpt")) is not None:
        results.append(int(path[5]))
        paths[results[-1]].unlink()
    return results


if __name__ == "__main__":
    main()
