"""mindspore-rec's training loop over several processes, on rows drawn here.

    pip install --target FOLDER --no-deps mindspore-rec==0.3.0
    PYTHONPATH=FOLDER msgrad launch --worker_num=2 tests/libraries/distributed_recommender.py WEIGHTS.npz
    PYTHONPATH=FOLDER msgrad run tests/libraries/distributed_recommender.py WEIGHTS.npz

The second run has the joint batch in one process, and compares: the losses are the means of the processes', the weights
the same.
"""

import os
import sys

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.communication import get_group_size, get_rank, init
from mindspore_rec import RecModel

BATCH, FIELDS, WORDS = 8, 6, 50
weights, distribute = sys.argv[1], int(os.environ.get("RANK_SIZE", "1")) > 1
ms.set_context(mode=ms.GRAPH_MODE)
size, rank = 1, 0
if distribute:
    init()
    size, rank = get_group_size(), get_rank()
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)


class WideAndDeep(nn.Cell):
    """Click-through rates: a weight for each word, and a network of the words' vectors."""

    def __init__(self):
        super().__init__()
        self.wide, self.vectors = nn.Embedding(WORDS, 1), nn.Embedding(WORDS, 8)
        self.deep = nn.SequentialCell(nn.Dense(FIELDS * 8, 16), nn.ReLU(), nn.Dense(16, 1))

    def construct(self, words):
        deep = self.deep(self.vectors(words).reshape(words.shape[0], -1))
        return self.wide(words).sum(axis=1) + deep


class Losses(ms.Callback):
    """Keeps the loss of each step."""

    def __init__(self):
        super().__init__()
        self.found = []

    def on_train_step_end(self, run_context):
        self.found.append(float(run_context.original_args().net_outputs))


draws = np.random.default_rng(0)
words = draws.integers(0, WORDS, (48, FIELDS)).astype(np.int32)
clicks = draws.integers(0, 2, (48, 1)).astype(np.float32)
data = ds.NumpySlicesDataset((words, clicks), ["words", "clicks"], shuffle=False, num_shards=size, shard_id=rank)
ms.set_seed(1)
net = WideAndDeep()
for number, each in enumerate(net.trainable_params()):
    each.set_data(Tensor(0.3 * np.random.default_rng(number).normal(size=each.shape), ms.float32))
losses = Losses()
model = RecModel(net, nn.BCEWithLogitsLoss(), nn.Adam(net.trainable_params(), 0.01))
model.train(3, data.batch(BATCH // size), callbacks=[losses], dataset_sink_mode=False)
found = {each.name: each.asnumpy() for each in net.trainable_params()}
if distribute:
    total = ops.AllReduce()(Tensor(losses.found, ms.float32)).asnumpy() / size
    if rank == 0:
        np.savez(weights, losses=total, **found)
        print("losses", total.tolist())
else:
    kept = np.load(weights)
    print("losses", losses.found)
    print("largest relative difference of losses", np.abs(kept["losses"] / losses.found - 1).max())
    print("largest difference of weights", max(np.abs(kept[name] - value).max() for name, value in found.items()))
