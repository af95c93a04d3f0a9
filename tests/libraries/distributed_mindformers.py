"""mindformers' Trainer over several processes, data-parallel or semi-automatic, on token ids drawn here.

    pip install --target FOLDER --no-deps mindformers==2.1.0 mindpet==1.0.4, and its other dependencies but MindSpore
    PYTHONPATH=FOLDER msgrad launch --worker_num=2 tests/libraries/distributed_mindformers.py WEIGHTS.npz KIND MODE
    PYTHONPATH=FOLDER msgrad run tests/libraries/distributed_mindformers.py WEIGHTS.npz KIND MODE

KIND is ``data``, ``batch`` (semi-automatic, the batch sharded), ``optimizer`` (and the optimizer, too) or ``tensor``
(the weights sharded); MODE is ``graph`` or ``pynative``. The second run has the joint batch in one process, and
compares.
"""

import os
import sys
import tempfile

import mindspore as ms
import numpy as np
from joint_batch import Losses, compare
from mindformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments, init_context
from mindformers.modules.transformer import TransformerOpParallelConfig
from mindspore.dataset import GeneratorDataset

BATCH, WORDS, LENGTH = 4, 20, 8
file, kind, mode = sys.argv[1:]
distribute = int(os.environ.get("RANK_SIZE", "1")) > 1
semi = distribute and kind != "data"
layout = {}
if semi:
    layout = {"model_parallel": 2} if kind == "tensor" else {"data_parallel": 2}
    settings = {
        "parallel_mode": "SEMI_AUTO_PARALLEL",
        "full_batch": True,
        "enable_parallel_optimizer": kind == "optimizer",
    }
else:
    settings = {"parallel_mode": "DATA_PARALLEL", "gradients_mean": True} if distribute else {}
rank, size = init_context(
    use_parallel=distribute,
    context_config={"mode": ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE, "device_target": "CPU"},
    parallel_config=settings,
)
shards = 1 if semi else size
config = LlamaConfig(
    batch_size=BATCH // shards,
    seq_length=LENGTH,
    vocab_size=WORDS,
    hidden_size=16,
    intermediate_size=32,
    num_layers=2,
    num_heads=2,
    use_rope_slice=True,
    use_flash_attention=False,
    pad_token_id=0,
    parallel_config=TransformerOpParallelConfig(recompute={"recompute": False}, **layout),
    **dict.fromkeys(
        "compute_dtype layernorm_compute_type softmax_compute_type rotary_dtype param_init_type".split(), "float32"
    ),
)
net = LlamaForCausalLM(config)
for _, cell in net.cells_and_names():
    if hasattr(cell, "repeat_loss"):  # its bprop makes up for a division by the model-parallel size in MindSpore
        cell.repeat_loss = 1
draws = np.random.default_rng(0)
for each in net.trainable_params():
    each.set_data(ms.Tensor(draws.normal(size=each.shape) * 0.05 + ("norm" in each.name), ms.float32))
ids = draws.integers(1, WORDS, (16, LENGTH + 1)).astype(np.int32)
rows = GeneratorDataset(
    [(row,) for row in ids], ["input_ids"], shuffle=False, num_shards=shards, shard_id=rank if shards > 1 else 0
)
losses = Losses()
with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(
        output_dir=folder,
        num_train_epochs=3,
        per_device_train_batch_size=BATCH // shards,
        learning_rate=0.01,
        lr_scheduler_type="constant_with_warmup",
        warmup_steps=0,
        optim="AdamW",
        max_grad_norm=1.0,
        sink_mode=False,
        save_strategy="no",
        logging_steps=1,
        use_parallel=distribute,
        parallel_mode=1 if semi else 0,
        full_batch=semi,
        enable_parallel_optimizer=semi and kind == "optimizer",
        **({"dataset_strategy": "full_batch"} if semi else {}),
        **layout,
    )
    data = rows.batch(BATCH // shards)
    Trainer(args=arguments, task="text_generation", model=net, train_dataset=data, callbacks=[losses]).train()
compare(net, losses, file, size, rank)
