"""mindyolo's training loop over several processes, as its ``train.py`` has it, on images drawn here.

    pip install "msgrad[vision]"; pip install --target FOLDER --no-deps mindyolo==0.5.0 PyYAML tqdm pycocotools
    PYTHONPATH=FOLDER msgrad launch --worker_num=2 tests/libraries/distributed_mindyolo.py WEIGHTS.npz FOLDER MODE
    PYTHONPATH=FOLDER msgrad run tests/libraries/distributed_mindyolo.py WEIGHTS.npz FOLDER MODE

MODE is ``graph`` or ``pynative``. Checkpoints are written to FOLDER. A process's batch norms have its own statistics,
and the loss its own normalization: so the second run, in one process, computes the loss of each half of the batch by
itself, and compares.
"""

import os
import sys

import numpy as np
from joint_batch import compare
from mindspore import Tensor, nn
from mindspore.dataset import GeneratorDataset
from mindyolo.models import create_loss, create_model
from mindyolo.optim import EMA, create_group_param, create_lr_scheduler, create_optimizer
from mindyolo.utils.callback import BaseCallback
from mindyolo.utils.config import Config
from mindyolo.utils.train_step_factory import create_train_step_fn, get_gradreducer, get_loss_scaler
from mindyolo.utils.trainer_factory import create_trainer
from mindyolo.utils.utils import set_default, set_seed

CLASSES, BATCH, SIZE, BOXES, EPOCHS = 3, 4, 64, 5, 2
NETWORK = Config({
    "model_name": "yolov8", "nc": CLASSES, "depth_multiple": 0.33, "width_multiple": 0.125, "max_channels": 1024,
    "stride": [8, 16, 32], "reg_max": 16, "sync_bn": False,
    "backbone": [
        [-1, 1, "ConvNormAct", [64, 3, 2]], [-1, 1, "ConvNormAct", [128, 3, 2]], [-1, 3, "C2f", [128, True]],
        [-1, 1, "ConvNormAct", [256, 3, 2]], [-1, 3, "C2f", [256, True]], [-1, 1, "ConvNormAct", [512, 3, 2]],
        [-1, 3, "C2f", [512, True]], [-1, 1, "ConvNormAct", [1024, 3, 2]], [-1, 3, "C2f", [1024, True]],
        [-1, 1, "SPPF", [1024, 5]],
    ],
    "head": [
        [-1, 1, "Upsample", ["None", 2, "nearest"]], [[-1, 6], 1, "Concat", [1]], [-1, 3, "C2f", [512]],
        [-1, 1, "Upsample", ["None", 2, "nearest"]], [[-1, 4], 1, "Concat", [1]], [-1, 3, "C2f", [256]],
        [-1, 1, "ConvNormAct", [256, 3, 2]], [[-1, 12], 1, "Concat", [1]], [-1, 3, "C2f", [512]],
        [-1, 1, "ConvNormAct", [512, 3, 2]], [[-1, 9], 1, "Concat", [1]], [-1, 3, "C2f", [1024]],
        [[15, 18, 21], 1, "YOLOv8Head", ["nc", "reg_max", "stride"]],
    ],
})  # fmt: skip
file, folder, mode = sys.argv[1:]
distribute = int(os.environ.get("RANK_SIZE", "1")) > 1
of_values = Tensor.max
Tensor.max = lambda self, axis=None, **options: of_values(self, axis=axis, **options)  # its losses want no indices


class Losses(BaseCallback):
    """Keeps the loss of each step."""

    losses = []

    def on_train_step_end(self, run_context):
        self.losses.append(float(run_context.loss[0]))


class Halves(nn.Cell):
    """The network, or the mean loss, of every other row of a batch and of the rest, as two processes have them."""

    def __init__(self, part):
        super().__init__(auto_prefix=False)
        self.part = part

    def construct(self, x, *targets):
        if not targets:
            return [self.part(x[k::2]) for k in range(2)]
        (a, first), (b, second) = [self.part(x[k], *[each[k::2] for each in targets]) for k in range(2)]
        return (a + b) / 2, (first + second) / 2


def rows():
    """Images with boxes: number of the image (filled in by `numbered`), class, centre, size."""
    draws = np.random.default_rng(0)
    for _ in range(3 * BATCH):
        boxes = draws.uniform(0.2, 0.6, (BOXES, 4))
        labels = np.concatenate([np.zeros((BOXES, 1)), draws.integers(0, CLASSES, (BOXES, 1)), boxes], 1)
        yield draws.uniform(size=(3, SIZE, SIZE)).astype(np.float32), labels.astype(np.float32)


def numbered(images, labels, info):
    for number, each in enumerate(labels):
        each[:, 0] = number // (2 // args.rank_size)
    return images, labels


settings = {
    "ms_mode": 0 if mode == "graph" else 1, "max_call_depth": 2000, "device_target": "CPU",
    "is_parallel": distribute, "sync_bn": False, "auto_accumulate": False, "accumulate": 1, "nbs": BATCH,
    "epochs": EPOCHS, "optimizer": {}, "opencv_threads_num": 1, "single_cls": False, "save_dir": folder,
    "data": {"nc": CLASSES, "names": ["a", "b", "c"]}, "log_level": "WARNING", "enable_modelarts": False,
}  # fmt: skip
args = Config(settings | {"per_batch_size": BATCH if not distribute else BATCH // 2})
set_seed(1)
set_default(args)
network = create_model("yolov8", model_cfg=NETWORK, num_classes=CLASSES, sync_bn=False)
average = create_model("yolov8", model_cfg=NETWORK, num_classes=CLASSES, sync_bn=False)
ema = EMA(network, average)
ema.clone_from_model()
shards = {"num_shards": args.rank_size, "shard_id": args.rank} if distribute else {}
data = GeneratorDataset(list(rows()), ["images", "labels"], shuffle=False, **shards)
loader = data.batch(args.per_batch_size, per_batch_map=numbered).repeat(EPOCHS)
steps = loader.get_dataset_size() // EPOCHS
rate = create_lr_scheduler(
    lr_init=0.0005, lr_scheduler=None, start_factor=1.0, end_factor=0.1, epochs=EPOCHS, steps_per_epoch=steps
)
groups = create_group_param(network.trainable_params(), gp_weight_decay=5e-4, group_param="filter_bias_and_bn")
optimizer = create_optimizer(groups, optimizer="momentum", lr=rate, momentum=0.9, nesterov=False)
loss = create_loss("YOLOv8Loss", box=7.5, cls=0.5, dfl=1.5, stride=[8, 16, 32], nc=CLASSES, reg_max=16)
reducer = get_gradreducer(args.is_parallel, optimizer.parameters)
scaler = get_loss_scaler("dynamic", scale_value=1024.0)
network.set_train(True)
step = create_train_step_fn(
    "detect", network if distribute else Halves(network), loss if distribute else Halves(loss), optimizer, 1.0,
    scaler, reducer, ema=ema, ms_jit=mode == "graph", clip_grad=True, clip_grad_value=10.0,
)  # fmt: skip
losses = Losses()
trainer = create_trainer(
    model_name="yolov8", train_step_fn=step, scaler=scaler, network=network, loss_fn=loss, ema=ema,
    optimizer=optimizer, dataloader=loader, steps_per_epoch=steps, callback=[losses], reducer=reducer,
    data_sink=False, profiler=None,
)  # fmt: skip
trainer.train(
    EPOCHS, args.rank == 0, save_dir=args.save_dir, ms_jit=mode == "graph", rank_size=args.rank_size,
    loss_item_name=loss.loss_item_name,
)  # fmt: skip
compare(network, losses, file, args.rank_size, args.rank)
