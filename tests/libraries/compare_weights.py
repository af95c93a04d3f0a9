"""Loads weights of torch's models into MindSpore's; not part of the suite, as it needs both sides' libraries.

    TORCH_PYTHON tests/libraries/compare_weights.py torch FOLDER
    LIBRARY_PYTHON -m msgrad run tests/libraries/compare_weights.py load FOLDER [MODEL ...]
    TORCH_PYTHON tests/libraries/compare_weights.py back FOLDER

The first writes a state dict with random weights and moving statistics, and the logits of some inputs, of each model:
of torchvision ResNet-18, MobileNet v2, DenseNet, ConvNeXt and ViT, of transformers BERT and GPT-2. The
second loads each into the models of mindcv, mindvision and mindnlp that are installed, prints the report and the
largest difference of the logits, and writes the weights back under torch's names. The third loads what was written
back into torch's models.
"""

import pathlib
import sys

import numpy as np
from small_models import MODELS, arguments_of

CLASSES = 10
# Models of torchvision, the names of mindcv's, and the side of the images.
TORCHVISION = {
    "resnet18": ("resnet18", 64), "mobilenet_v2": ("mobilenet_v2_100", 64), "densenet121": ("densenet121", 64),
    "convnext_tiny": ("convnext_tiny", 64), "vit_b_32": ("vit_b_32_224", 224),
}  # fmt: skip
IN_MINDVISION = ("resnet18", "mobilenet_v2")
TRANSFORMERS = ("bert", "gpt2")


def images_of(model):
    """Two images, of the size that the model takes."""
    side = TORCHVISION[model][1]
    return np.random.RandomState(3).randn(2, 3, side, side).astype(np.float32)


def of_torch(model):
    """A model of torch in evaluation mode, and its logits."""
    import torch

    torch.manual_seed(0)
    if model in TORCHVISION:
        import torchvision

        net = getattr(torchvision.models, model)(num_classes=CLASSES)
    else:
        import transformers

        kind, config, values, *_ = MODELS[model]
        net = getattr(transformers, kind)(getattr(transformers, config)(**values))
    randomise(net, torch)
    net.eval()
    return net, logits_of(net, model)


def logits_of(net, model):
    """What a model of torch gives for the inputs."""
    import torch

    with torch.no_grad():
        if model in TORCHVISION:
            return net(torch.tensor(images_of(model))).numpy()
        return net(**arguments_of("input_ids", torch.tensor)).logits.numpy()


def randomise(net, torch):
    """Gives every Parameter and moving statistic random values: those of norms begin with zeros and ones."""
    draw = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for name, value in net.state_dict().items():
            if not value.is_floating_point():
                continue
            if value.ndim < 2:
                drawn = torch.rand(value.shape, generator=draw) * 0.5
                value.copy_(drawn + 0.75 if name.endswith(("weight", "running_var")) else drawn - 0.25)
            else:
                value.copy_(torch.randn(value.shape, generator=draw) * (1.5 / value[0].numel()) ** 0.5)


def write(folder, model):
    """Writes a model's state dict in three formats, and its logits."""
    import safetensors.torch
    import torch

    net, logits = of_torch(model)
    state = net.state_dict()
    torch.save(state, folder / f"{model}.pth")
    torch.save({"model": state, "epoch": 3}, folder / f"{model}_old.pth", _use_new_zipfile_serialization=False)
    safetensors.torch.save_file({name: value.clone() for name, value in state.items()}, folder / f"{model}.safetensors")
    np.save(folder / f"{model}.npy", logits)


def set_as_in_torch(net):
    """Gives a network what torchvision's has where mindcv's and mindvision's differ: it is in no file of weights.

    ResNets pad before their pooling at one side only, GELU is approximate, and ViT's norms have another epsilon.
    """
    from mindspore import nn, ops

    for _, cell in list(net.cells_and_names()):
        for name, each in cell.name_cells().items():
            if isinstance(each, nn.MaxPool2d) and each.pad_mode.lower() == "same":
                setattr(cell, name, nn.MaxPool2d(3, 2, pad_mode="pad", padding=1))
            if isinstance(each, nn.GELU):
                each.approximate = "none"
            if isinstance(each, nn.LayerNorm):
                each.layer_norm = ops.LayerNorm(-1, -1, 1e-6)


def load_back(folder, model):
    """Loads what `load` wrote into torch's model, all of whose names must be there, and compares its logits."""
    import safetensors.torch
    import torch

    net, expected = of_torch(model)
    for path in sorted(folder.glob(f"back_*_{model}.*")):
        with torch.no_grad():
            for value in net.state_dict().values():
                value.zero_()
        is_safe = path.suffix == ".safetensors"
        state = safetensors.torch.load_file(path) if is_safe else torch.load(path, weights_only=True)
        net.load_state_dict(state, strict=True)
        print(f"{path.name}: logits differ by {_apart(logits_of(net, model), expected):.1e} of the largest")


def _apart(actual, expected):
    return np.abs(actual - expected).max() / np.abs(expected).max()


def networks(model):
    """``(library, network)`` of each library that is installed."""
    if model in TORCHVISION:
        try:
            import mindcv

            yield "mindcv", mindcv.create_model(TORCHVISION[model][0], num_classes=CLASSES)
        except ImportError as error:
            print(f"{model}: mindcv is not there ({error})")
        if model not in IN_MINDVISION:
            return
        try:
            from mindvision.classification import models

            yield "mindvision", getattr(models, model)(num_classes=CLASSES)
        except ImportError as error:
            print(f"{model}: mindvision is not there ({error})")
    else:
        try:
            from mindnlp import transformers
        except ImportError as error:
            print(f"{model}: mindnlp is not there ({error})")
            return
        kind, config, values, *_ = MODELS[model]
        yield "mindnlp", getattr(transformers, kind)(getattr(transformers, config)(**values))


def load(folder, model):
    """Loads each file of a model into each library's network, and prints how far its logits are from torch's."""
    import mindspore as ms

    from msgrad import weights

    expected = np.load(folder / f"{model}.npy")
    for library, net in networks(model):
        if model in TORCHVISION:
            set_as_in_torch(net)
        net.set_train(False)
        for file in (f"{model}.pth", f"{model}_old.pth", f"{model}.safetensors"):
            for parameter in net.get_parameters():
                parameter.set_data(ms.ops.zeros_like(parameter))
            try:
                print(weights.load(net, str(folder / file)))
            except ValueError as error:
                print(f"{model}, {library}, {file}: {error}\n")
                continue
            if model in TORCHVISION:
                logits = net(ms.Tensor(images_of(model)))
            else:
                logits = net(**arguments_of("input_ids", ms.Tensor))
            logits = logits[0] if isinstance(logits, tuple) else getattr(logits, "logits", logits)
            apart = _apart(logits.asnumpy(), expected)
            print(f"{model}, {library}, {file}: logits differ by {apart:.1e} of the largest\n")
            if "_old" not in file:
                weights.save(net, str(folder / f"back_{library}_{file}"), like=str(folder / file))


if __name__ == "__main__":
    command, folder, *models = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    for model in models or (*TORCHVISION, *TRANSFORMERS):
        {"torch": write, "load": load, "back": load_back}[command](folder, model)
