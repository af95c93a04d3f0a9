"""Compares small models of mindnlp 0.5.1 with those of transformers on torch, outside of the suite, as it needs both.

    TORCH_PYTHON tests/libraries/compare_mindnlp_05.py torch FOLDER [MODEL ...]
    MINDNLP_PYTHON -m msgrad run tests/libraries/compare_mindnlp_05.py mindnlp FOLDER [MODEL ...]
    MINDSPORE_PYTHON tests/libraries/compare_mindnlp_05.py mindspore FOLDER [MODEL ...]
    python tests/libraries/compare_mindnlp_05.py compare FOLDER

MINDSPORE_PYTHON has MindSpore 2.7.0 and mindnlp 0.5.1. Each run writes ``FOLDER/MODEL_RUN.npz``: the output and the
gradients of the first of ten steps of gradient descent, the losses of all, and generated tokens: greedy, of three
beams, sampled. The last command prints the largest differences.
"""

import pathlib
import sys

import numpy as np
from small_models import MODELS, arguments_of, weight

STEPS, RATE = 10, 0.1
DECODINGS = {
    "greedy": {"do_sample": False},
    "beams": {"do_sample": False, "num_beams": 3},
    "sampled": {"do_sample": True},
}


def drawn(probabilities, num_samples):
    """``torch.multinomial`` of numbers that are the same in all runs: MindSpore's own cannot be seeded here."""
    import torch

    parts = np.cumsum(probabilities.detach().numpy(), -1)
    indices = [np.searchsorted(row, draw) for row, draw in zip(parts, _DRAWS.rand(len(parts)), strict=True)]
    return torch.tensor(np.array(indices, np.int64)[:, None])


_DRAWS = np.random.RandomState(1)


def run(program, model):
    """What the file of a run holds, by name."""
    if program != "torch":
        import mindnlp  # noqa: F401  makes ``torch`` its own
    import torch
    import transformers

    torch.multinomial = drawn
    kind, config, values, asked, prompt = MODELS[model]
    net = getattr(transformers, kind)(getattr(transformers, config)(**values)).eval()
    parameters = dict(net.named_parameters())
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(torch.tensor(weight(name, parameter.shape)))
    arguments = arguments_of(asked, torch.tensor)
    results = {}
    if prompt:
        for decoding, options in DECODINGS.items():
            _DRAWS.seed(1)
            tokens = net.generate(arguments[prompt], max_new_tokens=8, pad_token_id=0, **options)
            results[f"tokens {decoding}"] = tokens.numpy()

    def forward():
        output = net(**arguments)
        return output.loss, output.logits if "logits" in output else output.logits_per_image

    if program == "torch":

        def step():
            loss, logits = forward()
            loss.backward()
            return loss, logits
    else:
        step = torch.autograd.value_and_grad(forward, tuple(parameters.values()), has_aux=True)
    losses = []
    for number in range(STEPS):
        net.zero_grad()
        loss, logits = step()
        if number == 0:
            logits = logits[0] if isinstance(logits, tuple) else logits
            results["logits"] = logits.detach().numpy()
            for name, each in parameters.items():
                if each.grad is not None:
                    results[f"gradient {name}"] = each.grad.numpy().copy()
        # By hand: what the steps of mindnlp 0.5.1's optimizers call, it has on Ascend alone.
        with torch.no_grad():
            for each in parameters.values():
                if each.grad is not None:
                    each.add_(each.grad, alpha=-RATE)
        losses.append(float(loss.detach().numpy()))
    return {**results, "losses": np.array(losses)}


def _apart(left, right):
    return np.abs(np.asarray(left, np.float64) - right).max()


def compare(folder):
    """Prints how far msgrad's and MindSpore's runs are from torch's, by model."""
    for model in MODELS:
        paths = {each: folder / f"{model}_{each}.npz" for each in ("torch", "mindnlp", "mindspore")}
        runs = {each: np.load(path) for each, path in paths.items() if path.exists()}
        for name in [each for each in runs if each != "torch" and "torch" in runs]:
            expected, actual = runs["torch"], runs[name]
            gradients = [each for each in expected.files if each.startswith("gradient ")]
            absent = [each for each in gradients if each not in actual.files]
            # Below 1e-8 a gradient is rounding: that of the bias of keys is 0.
            parts = {each: _apart(actual[each], expected[each]) / max(np.abs(expected[each]).max(), 1e-8)
                     for each in gradients if each not in absent}  # fmt: skip
            worst = sorted(parts, key=parts.get)[-2:]
            print(
                f"{model} {name}: logits {_apart(actual['logits'], expected['logits']):.1e}, losses",
                f"{_apart(actual['losses'], expected['losses']):.1e}, gradients",
                ", ".join(f"{parts[each]:.1e} ({each[9:]})" for each in worst),
                f"absent {absent}" if absent else "",
            )
            tokens = [each for each in expected.files if each.startswith("tokens")]
            print("   ", ", ".join(f"{each} equal: {np.array_equal(actual[each], expected[each])}" for each in tokens))
        if "mindspore" in runs and "mindnlp" in runs:
            ours, theirs = runs["mindnlp"], runs["mindspore"]
            tokens = [each for each in theirs.files if each.startswith("tokens")]
            same = {each: np.array_equal(ours[each], theirs[each]) for each in tokens}
            parts = {each: _apart(ours[each], theirs[each]) / max(np.abs(theirs[each]).max(), 1e-8)
                     for each in theirs.files if each.startswith("gradient ")}  # fmt: skip
            worst = sorted(parts, key=parts.get)[-2:]
            print(
                f"    mindnlp to mindspore: losses {_apart(ours['losses'], theirs['losses']):.1e}, gradients",
                ", ".join(f"{parts[each]:.1e} ({each[9:]})" for each in worst),
                same,
            )


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[2])
    if sys.argv[1] == "compare":
        compare(folder)
    else:
        for chosen in sys.argv[3:] or MODELS:
            np.savez(folder / f"{chosen}_{sys.argv[1]}.npz", **run(sys.argv[1], chosen))
