"""Compares small models of mindnlp 0.4.1 with those of transformers on torch; not part of the suite, for it needs both.

    TORCH_PYTHON tests/libraries/compare_mindnlp.py torch FOLDER [MODEL ...]
    MINDNLP_PYTHON -m msgrad run tests/libraries/compare_mindnlp.py mindnlp FOLDER [MODEL ...]
    python tests/libraries/compare_mindnlp.py compare FOLDER

The first two write ``FOLDER/MODEL_torch.npz`` and ``FOLDER/MODEL_mindnlp.npz``: the gradients of the first of five
steps of AdamW, and the losses of all. The third prints the largest differences.
"""

import pathlib
import sys

import numpy as np

_SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
_PLAIN = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
_TEXT = {**_SIZES, "vocab_size": 50, "max_position_embeddings": 32}
_PICTURE = {**_SIZES, "image_size": 16, "patch_size": 4}
_T5 = {"vocab_size": 50, "d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 2, "num_heads": 2, "dropout_rate": 0.0}
_GPT2 = {"vocab_size": 50, "n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 32}
_UNDROPPED = {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0}

# The model, its configuration with values, and the inputs by the names below.
MODELS = {
    "bert": ("BertForSequenceClassification", "BertConfig", {**_TEXT, **_PLAIN, "num_labels": 3},
             "input_ids labels=kinds"),
    "roberta": ("RobertaForMaskedLM", "RobertaConfig", {**_TEXT, **_PLAIN, "pad_token_id": 1},
                "input_ids labels=input_ids"),
    "gpt2": ("GPT2LMHeadModel", "GPT2Config", {**_GPT2, **_UNDROPPED}, "input_ids labels=input_ids"),
    "llama": ("LlamaForCausalLM", "LlamaConfig", {**_TEXT, "num_key_value_heads": 1}, "input_ids labels=input_ids"),
    "mixtral": ("MixtralForCausalLM", "MixtralConfig",
                {**_TEXT, "num_key_value_heads": 1, "num_local_experts": 4, "num_experts_per_tok": 2},
                "input_ids labels=input_ids"),
    "t5": ("T5ForConditionalGeneration", "T5Config", {**_T5, "decoder_start_token_id": 0, "pad_token_id": 0},
           "input_ids labels=answers"),
    "vit": ("ViTForImageClassification", "ViTConfig", {**_PICTURE, **_PLAIN, "num_labels": 3},
            "pixel_values labels=kinds"),
    "clip": ("CLIPModel", "CLIPConfig", {"text_config": _TEXT, "vision_config": _PICTURE, "projection_dim": 8},
             "input_ids pixel_values return_loss"),
}  # fmt: skip


def inputs():
    """Arrays by name, the same in both programs."""
    rng = np.random.RandomState(0)
    return {
        "input_ids": rng.randint(3, 50, (2, 7)),
        "answers": rng.randint(3, 50, (2, 5)),
        "pixel_values": rng.randn(2, 3, 16, 16).astype(np.float32),
        "kinds": np.array([0, 2]),
        "return_loss": True,
    }


def weight(name, shape):
    """The value of a Parameter: small numbers by its name, about 1 for the weights of norms."""
    drawn = np.asarray(np.random.RandomState(sum(map(ord, name))).randn(*shape) * 0.05, np.float32)
    return drawn + np.float32("norm" in name.lower() and name.endswith("weight"))


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
    kind, config, values, asked = MODELS[model]
    net = getattr(library, kind)(getattr(library, config)(**values)).eval()
    parameters = dict(net.named_parameters())
    for name, parameter in parameters.items():
        made = tensor(weight(name, parameter.shape))
        parameter.data.copy_(made) if program == "torch" else parameter.assign_value(made)
    given, known = {}, inputs()
    for each in asked.split():
        name, _, source = each.partition("=")
        found = known[source or name]
        given[name] = tensor(found) if isinstance(found, np.ndarray) else found
    optimizer = optim.AdamW(list(parameters.values()), lr=0.01)

    def forward():
        return net(**given).loss

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
