"""mindcv's training loop over several processes, as its ``train.py`` has it, on images drawn here.

    pip install "msgrad[vision]"; pip install --target FOLDER --no-deps mindcv==0.3.0 PyYAML tqdm pillow
    PYTHONPATH=FOLDER msgrad launch --worker_num=2 tests/libraries/distributed_mindcv.py IMAGES WEIGHTS.npz MODE
    PYTHONPATH=FOLDER msgrad run tests/libraries/distributed_mindcv.py IMAGES WEIGHTS.npz MODE

MODE is ``graph`` or ``pynative``. The second run has the joint batch in one process, and compares: the losses are the
means of the processes', the weights the same. SqueezeNet has no batch norm, whose statistics would be each process's
own.
"""

import os
import pathlib
import sys

import mindspore as ms
import numpy as np
from joint_batch import Losses, compare
from mindcv.data import create_dataset, create_loader, create_transforms
from mindcv.loss import create_loss
from mindcv.models import create_model
from mindcv.optim import create_optimizer
from mindcv.scheduler import create_scheduler
from mindcv.utils import create_trainer
from mindspore.communication import get_group_size, get_rank, init
from PIL import Image

CLASSES, BATCH, EPOCHS = 4, 8, 2
images, weights, mode = pathlib.Path(sys.argv[1]), *sys.argv[2:]
distribute = int(os.environ.get("RANK_SIZE", "1")) > 1
ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
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
compare(network, losses, weights, device_num, rank_id)
