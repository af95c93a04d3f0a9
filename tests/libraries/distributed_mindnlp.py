"""mindnlp 0.4.1's Trainer over several processes, on token ids drawn here.

    pip install --no-deps mindnlp==0.4.1, and its dependencies but MindSpore, with NumPy 2
    MULTI_NPU=true msgrad launch --worker_num=2 tests/libraries/distributed_mindnlp.py WEIGHTS.npz
    msgrad run tests/libraries/distributed_mindnlp.py WEIGHTS.npz

The second run has the joint batch in one process, and compares. The Trainer's own step over processes divides the pair
that ``comm_func.all_reduce`` returns, a TypeError in MindSpore 2.7 and 2.10 too; a subclass takes the Tensor.
"""

import os
import sys
import tempfile

import mindspore as ms
import numpy as np
from mindnlp.engine import Trainer, TrainingArguments
from mindnlp.transformers import GPT2Config, GPT2LMHeadModel
from mindspore.communication import get_group_size, get_rank
from mindspore.communication.comm_func import all_reduce
from mindspore.dataset import GeneratorDataset
from small_models import weight

BATCH, WORDS, LENGTH = 4, 20, 6
file, distribute = sys.argv[1], int(os.environ.get("RANK_SIZE", "1")) > 1
size, rank = (get_group_size(), get_rank()) if distribute else (1, 0)


class AveragingTrainer(Trainer):
    """Averages the gradients over the processes."""

    def update_gradient_by_distributed_type(self, model):
        if size > 1:
            for parameter in model.parameters():
                parameter.grad = all_reduce(parameter.grad)[0] / size


config = GPT2Config(
    vocab_size=WORDS, n_embd=16, n_layer=2, n_head=2, n_positions=32, resid_pdrop=0, embd_pdrop=0, attn_pdrop=0
)
net = GPT2LMHeadModel(config)
for name, parameter in net.named_parameters():
    parameter.assign_value(ms.Tensor(weight(name, parameter.shape)))
ids = np.random.default_rng(0).integers(0, WORDS, (16, LENGTH))
shard = {"shuffle": False, "num_shards": size, "shard_id": rank}
rows = GeneratorDataset(list(zip(ids, ids, strict=True)), ["input_ids", "labels"], **shard)
with tempfile.TemporaryDirectory() as folder:
    options = {"learning_rate": 0.01, "lr_scheduler_type": "constant", "logging_steps": 1, "save_strategy": "no"}
    arguments = TrainingArguments(folder, num_train_epochs=3, disable_tqdm=True, **options)
    trainer = AveragingTrainer(model=net, args=arguments, train_dataset=rows.batch(BATCH // size))
    trainer.train()
losses = np.array([entry["loss"] for entry in trainer.state.log_history if "loss" in entry])
weights = {name: parameter.asnumpy() for name, parameter in net.named_parameters()}
if size > 1:
    losses = ms.ops.AllReduce()(ms.Tensor(losses, ms.float32)).asnumpy() / size
    if rank == 0:
        np.savez(file, losses=losses, **weights)
        print("losses", losses.tolist())
else:
    kept = np.load(file)
    print("losses", losses.tolist())
    print("largest relative difference of losses", np.abs(kept["losses"] / losses - 1).max())
    print("largest difference of weights", max(np.abs(kept[name] - value).max() for name, value in weights.items()))
