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
from joint_batch import Losses, compare
from mindspore import Tensor, nn
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
compare(net, losses, weights, size, rank)
