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


def _convolutional(name, title, *images):
    return Row(f"{title}, training step", ".convolutional", sizes={"network": name, "images": images})


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
    "resnet18": _convolutional("resnet18", "ResNet-18, 32 images of 32 x 32", 32, 3, 32, 32),
    "resnext": _convolutional("resnext", "ResNeXt, 32 groups, 8 images of 160 x 160", 8, 3, 160, 160),
    "mobilenet": _convolutional("mobilenet", "MobileNetV2, 8 images of 160 x 160", 8, 3, 160, 160),
    "densenet": _convolutional("densenet", "DenseNet, 8 images of 128 x 128", 8, 3, 128, 128),
    "convnext": _convolutional("convnext", "ConvNeXt, 2 and 2 blocks, 8 images of 128 x 128", 8, 3, 128, 128),
    "vgg": _convolutional("vgg", "VGG-like, 8 images of 128 x 128", 8, 3, 128, 128),
    "dcgan": _convolutional("dcgan", "DCGAN-like, 16 images of 64 x 64", 16, 64, 8, 8),
    "group_norm": _convolutional("group_norm", "Convolutions, GroupNorm and SiLU, 8 images of 64 x 64", 8, 3, 64, 64),
}
