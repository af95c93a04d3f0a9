"""Compares models of mindcv 0.3.0 in MindSpore and here; not part of the suite, since it needs both, and an hour.

    MINDSPORE_PYTHON tests/libraries/compare_mindcv.py run FOLDER [MODEL ...]
    python -m msgrad run tests/libraries/compare_mindcv.py run OTHER_FOLDER [MODEL ...]
    python tests/libraries/compare_mindcv.py compare FOLDER OTHER_FOLDER

Each run makes the models from one seed, and writes ``FOLDER/MODEL.npz``: sums of the initial weights, logits, and in
training mode without dropout the loss, the gradients by all Parameters and the losses of three steps of SGD.
"""

import pathlib
import sys

import numpy as np

SIZES = dict.fromkeys(
    "convnext_tiny densenet121 efficientnet_b0 ghostnet_050 googlenet mixnet_s mnasnet_050 "
    "mobilenet_v1_025 mobilenet_v2_035_224 mobilenet_v3_small_075 poolformer_s12 regnet_x_200mf repvgg_a0 res2net50 "
    "resnet18 rexnet_09 shufflenet_v2_x0_5 squeezenet1_0".split(),
    64,
)
SIZES |= dict.fromkeys(
    "coat_tiny convit_tiny pit_ti pvt_tiny pvt_v2_b0 swin_tiny visformer_tiny vit_b_32_224".split(), 224
)
SIZES |= {"crossvit_9": 240, "edgenext_xx_small": 256, "mobilevit_xx_small": 256, "swinv2_tiny_window8": 256}
STEPS, RATE = 3, 0.001


def run(folder, model):
    """Writes what a model gives."""
    import mindcv
    import mindspore as ms
    from mindspore import Tensor, nn, ops

    ms.set_seed(7)
    net = mindcv.create_model(model, num_classes=4)
    sums = [float(np.abs(each.asnumpy().astype(np.float64)).sum()) for each in net.get_parameters()]
    shape = (2, 3, SIZES[model], SIZES[model])
    images = Tensor(np.random.RandomState(3).randn(*shape).astype(np.float32))
    labels = Tensor(np.array([1, 3]), ms.int32)

    def logits():
        result = net(images)
        return result[0] if isinstance(result, tuple) else result

    net.set_train(False)
    evaluated = logits().asnumpy()
    net.set_train(True)
    for _, cell in net.cells_and_names():
        if "Drop" in type(cell).__name__:
            cell.set_train(False)
    step = ms.value_and_grad(lambda: ops.cross_entropy(logits(), labels), None, net.trainable_params())
    optimizer = nn.SGD(net.trainable_params(), RATE)
    losses, first = [], None
    for _ in range(STEPS):
        loss, gradients = step()
        first = first or [each.asnumpy().copy() for each in gradients]
        optimizer(gradients)
        losses.append(float(loss.asnumpy()))
    pairs = zip(net.trainable_params(), first, strict=True)
    gradients = {f"gradient {each.name}": gradient for each, gradient in pairs}
    np.savez(folder / f"{model}.npz", sums=sums, logits=evaluated, losses=losses, **gradients)


def compare(folder, other):
    """Prints the largest differences of each model that both folders have."""
    for file in sorted(folder.glob("*.npz")):
        if (other / file.name).is_file():
            ours, theirs = np.load(file), np.load(other / file.name)
            names = [name for name in ours if name.startswith("gradient ")]
            largest = max(np.abs(ours[name]).max() for name in names)
            kept = [name for name in names if np.abs(ours[name]).max() > 1e-6 * largest]  # the rest is rounding
            apart = [_apart(ours[name], theirs[name]) for name in kept]
            print(
                f"{file.stem}: weights {_apart(ours['sums'], theirs['sums']):.0e}, "
                f"logits {_apart(ours['logits'], theirs['logits']):.0e}, "
                f"losses {_apart(ours['losses'], theirs['losses']):.0e}, "
                f"gradients {max(apart):.0e} at most, {np.median(apart):.0e} in the median"
            )


def _apart(one, two):
    return np.abs(one - two).max() / np.abs(one).max()


if __name__ == "__main__":
    command, folder, *rest = sys.argv[1:]
    folder = pathlib.Path(folder)
    if command == "compare":
        compare(folder, pathlib.Path(rest[0]))
    else:
        folder.mkdir(exist_ok=True)
        for model in rest or SIZES:
            run(folder, model)
