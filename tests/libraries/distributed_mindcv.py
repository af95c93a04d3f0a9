"""mindcv's training loop over several processes, as its ``train.py`` has it, on images drawn here.

    pip install --target FOLDER --no-deps mindcv==0.3.0 PyYAML tqdm pillow
    PYTHONPATH=FOLDER msgrad launch --worker_num=2 tests/libraries/distributed_mindcv.py IMAGES WEIGHTS.npz
    PYTHONPATH=FOLDER msgrad run tests/libraries/distributed_mindcv.py IMAGES WEIGHTS.npz

The second run has the joint batch in one process, and compares: the losses are the means of the processes', the weights
the same. SqueezeNet has no batch norm, whose statistics would be each process's own.
"""

import os
import pathlib
import sys

import mindspore as ms
import numpy as np
from mindcv.data import create_dataset, create_loader, create_transforms
from mindcv.loss import create_loss
from mindcv.models import create_model
from mindcv.optim import create_optimizer
from mindcv.scheduler import create_scheduler
from mindcv.utils import create_trainer
from mindspore.communication import get_group_size, get_rank, init
from PIL import Image

CLASSES, BATCH, EPOCHS = 4, 8, 2
images, weights = pathlib.Path(sys.argv[1]), sys.argv[2]
distribute = int(os.environ.get("RANK_SIZE", "1")) > 1
ms.set_context(mode=ms.GRAPH_MODE)
if distribute:
    init()
    device_num, rank_id = get_group_size(), get_rank()
    ms.set_auto_parallel_context(device_num=device_num, parallel_mode="data_parallel", gradients_mean=True)
else:
    device_num, rank_id = 1, None


def draw():
    """Images of the classes, in a folder for each."""
    draws = np.random.default_rng(0)
    for number in range(24):
        folder = images / "train" / f"class{number % CLASSES}"
        folder.mkdir(parents=True, exist_ok=True)
        pixels = draws.integers(0, 256, (64, 64, 3)).astype(np.uint8) // (1 + number % CLASSES)
        Image.fromarray(pixels).save(folder / f"{number:02}.png")


class Losses(ms.Callback):
    """Keeps the loss of each step."""

    def __init__(self):
        super().__init__()
        self.found = []

    def on_train_step_end(self, run_context):
        self.found.append(float(run_context.original_args().net_outputs))


if not (images / "train").exists():
    draw()
ms.set_seed(1)
dataset = create_dataset(
    root=str(images), split="train", shuffle=False, num_shards=device_num if distribute else None, shard_id=rank_id
)
transforms = create_transforms("imagenet", image_resize=64, is_training=False)
loader = create_loader(
    dataset, BATCH // device_num, drop_remainder=True, is_training=True, transform=transforms, num_classes=CLASSES
)
network = create_model("squeezenet1_1", num_classes=CLASSES, drop_rate=0.0)
loss = create_loss("CE", label_smoothing=0.1)
steps = loader.get_dataset_size()
rate = create_scheduler(
    steps, scheduler="cosine_decay", lr=0.001, min_lr=0.0001, warmup_epochs=1, decay_epochs=EPOCHS - 1
)
optimizer = create_optimizer(network.trainable_params(), opt="momentum", lr=rate, weight_decay=1e-4, momentum=0.9)
trainer = create_trainer(
    network, loss, optimizer, {}, amp_level="O0", amp_cast_list=None, loss_scale_type="fixed", loss_scale=1.0
)
losses = Losses()
trainer.train(EPOCHS, loader, callbacks=[losses], dataset_sink_mode=False)
found = {each.name: each.asnumpy() for each in network.trainable_params()}
if distribute:
    total = ms.ops.AllReduce()(ms.Tensor(losses.found, ms.float32)).asnumpy() / device_num
    if rank_id == 0:
        np.savez(weights, losses=total, **found)
        print("losses", total.tolist())
else:
    kept = np.load(weights)
    print("losses", losses.found)
    print("largest relative difference of losses", np.abs(kept["losses"] / losses.found - 1).max())
    print("largest difference of weights", max(np.abs(kept[name] - value).max() for name, value in found.items()))
