"""Compares small models of mindnlp 0.4.1 with those of transformers on torch, outside of the suite, as it needs both.

    TORCH_PYTHON tests/libraries/compare_mindnlp.py torch FOLDER [MODEL ...]
    MINDNLP_PYTHON -m msgrad run tests/libraries/compare_mindnlp.py mindnlp FOLDER [MODEL ...]
    python tests/libraries/compare_mindnlp.py compare FOLDER

The first two write ``FOLDER/MODEL_torch.npz`` and ``FOLDER/MODEL_mindnlp.npz``: the gradients of the first of five
steps of AdamW, and the losses of all. The third prints the largest differences.
"""

import pathlib
import sys

import numpy as np
from small_models import MODELS, arguments_of, weight


def run(program, model):
    """The gradients of the first step by Parameter, and the losses of five steps."""
    if program == "torch":
        import torch
        import transformers as library

        tensor, optim, value = torch.tensor, torch.optim, lambda x: x.detach().numpy()
    else:
        import mindspore
        from mindnlp import transformers as library
        from mindnlp.core import optim
        from mindnlp.core.autograd import value_and_grad

        tensor, value = mindspore.Tensor, lambda x: x.asnumpy()
    kind, config, values, asked, _ = MODELS[model]
    net = getattr(library, kind)(getattr(library, config)(**values)).eval()
    parameters = dict(net.named_parameters())
    for name, parameter in parameters.items():
        made = tensor(weight(name, parameter.shape))
        parameter.data.copy_(made) if program == "torch" else parameter.assign_value(made)
    arguments = arguments_of(asked, tensor)
    optimizer = optim.AdamW(list(parameters.values()), lr=0.01)

    def forward():
        return net(**arguments).loss

    step = forward if program == "torch" else value_and_grad(forward, tuple(parameters.values()))
    results, losses = {}, []
    for number in range(5):
        optimizer.zero_grad()
        loss = step()
        if program == "torch":
            loss.backward()
        if number == 0:
            results = {name: value(each.grad) for name, each in parameters.items() if each.grad is not None}
        optimizer.step()
        losses.append(float(value(loss)))
    return {**results, "losses": np.array(losses)}


def compare(folder):
    """Prints how far the two are apart, by model."""
    for model in MODELS:
        paths = [folder / f"{model}_{program}.npz" for program in ("torch", "mindnlp")]
        if not all(path.exists() for path in paths):
            continue
        expected, actual = map(np.load, paths)
        apart = {name: np.abs(actual[name] - expected[name]).max() for name in expected.files}
        losses = apart.pop("losses")
        # Below 1e-8 a gradient is rounding: that of the bias of keys is 0.
        parts = {name: far / max(np.abs(expected[name]).max(), 1e-8) for name, far in apart.items()}
        worst = sorted(parts, key=parts.get)[-2:]
        print(f"{model}: losses {losses:.1e}, gradients", ", ".join(f"{parts[name]:.1e} ({name})" for name in worst))


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[2])
    if sys.argv[1] == "compare":
        compare(folder)
    else:
        for chosen in sys.argv[3:] or MODELS:
            np.savez(folder / f"{chosen}_{sys.argv[1]}.npz", **run(sys.argv[1], chosen))
