"""The rows: a network, its sizes, and whether it is trained."""

import importlib
from typing import NamedTuple

VERSIONS = ("torch", "jax", "graph", "pynative")


class Row(NamedTuple):
    """One line of the table; ``work`` names the module of a network, as `accelerator.training` takes it."""

    title: str
    work: str
    precision: str = "float32"
    is_trained: bool = True
    sizes: dict = {}  # other than the module's own (`FULL`)

    def load(self):
        """The module and the sizes."""
        work = importlib.import_module(self.work, __package__)
        return work, work.FULL | self.sizes

    def versions(self):
        """The names of its versions: JAX's has no forward pass of its own, and not all networks are written in it."""
        by_hand = self.is_trained and hasattr(self.load()[0], "jax_loss")
        return [version for version in VERSIONS if by_hand or version != "jax"]


_RESNET = {"work": "..accelerator.resnet50", "sizes": {"batch": 8}}

ROWS = {
    "llama": Row("Llama-like, 0.37 B weights, 128 tokens, forward, bfloat16", ".llama", "bf16", False),
    "resnet50_forward": Row("ResNet-50, 8 images of 224 x 224, forward", is_trained=False, **_RESNET),
    "resnet50": Row("ResNet-50, 8 images of 224 x 224, training step", **_RESNET),
    "resnet50_bf16": Row("ResNet-50, 8 images of 224 x 224, training step, bfloat16", precision="bf16", **_RESNET),
    "bert": Row("BERT-base, 4 x 128 words, training step", ".bert"),
    "unet": Row("U-Net, 32 to 512 channels, 4 images of 128 x 128, training step", ".unet"),
    "yolo": Row("YOLO-like detector, 4 images of 256 x 256, training step", ".yolo"),
    "lstm": Row("LSTM, 2 layers of 512, 16 sequences of 64, training step", ".lstm"),
}
