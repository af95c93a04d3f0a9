"""Small models of transformers by their configurations, with the same weights and inputs in every library."""

import numpy as np

_SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
_PLAIN = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
_TEXT = {**_SIZES, "vocab_size": 50, "max_position_embeddings": 32}
_PICTURE = {**_SIZES, "image_size": 16, "patch_size": 4}
_T5 = {"vocab_size": 50, "d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 2, "num_heads": 2, "dropout_rate": 0.0}
_GPT2 = {"vocab_size": 50, "n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 32}
_UNDROPPED = {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0}
_WHISPER = {
    "vocab_size": 50, "d_model": 16, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 2,
    "decoder_attention_heads": 2, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32, "num_mel_bins": 8,
    "max_source_positions": 10, "max_target_positions": 16, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
    "decoder_start_token_id": 1, "begin_suppress_tokens": None,
}  # fmt: skip
_SWIN = {
    "image_size": 16, "patch_size": 2, "embed_dim": 8, "depths": [1, 2], "num_heads": [1, 2], "window_size": 4,
    "num_labels": 3, "drop_path_rate": 0.0, **_PLAIN,
}  # fmt: skip

# The model, its configuration with values, its inputs by the names below, and which of them `generate` takes.
MODELS = {
    "bert": ("BertForSequenceClassification", "BertConfig", {**_TEXT, **_PLAIN, "num_labels": 3},
             "input_ids labels=kinds", None),
    "gpt2": ("GPT2LMHeadModel", "GPT2Config", {**_GPT2, **_UNDROPPED, "bos_token_id": 1, "eos_token_id": 2},
             "input_ids labels=input_ids", "input_ids"),
    "llama": ("LlamaForCausalLM", "LlamaConfig", {**_TEXT, "num_key_value_heads": 1}, "input_ids labels=input_ids",
              "input_ids"),
    "t5": ("T5ForConditionalGeneration", "T5Config", {**_T5, "decoder_start_token_id": 0, "pad_token_id": 0},
           "input_ids labels=answers", "input_ids"),
    "vit": ("ViTForImageClassification", "ViTConfig", {**_PICTURE, **_PLAIN, "num_labels": 3},
            "pixel_values labels=kinds", None),
    "whisper": ("WhisperForConditionalGeneration", "WhisperConfig", _WHISPER, "input_features labels=answers",
                "input_features"),
    "swin": ("SwinForImageClassification", "SwinConfig", _SWIN, "pixel_values labels=kinds", None),
    "mixtral": ("MixtralForCausalLM", "MixtralConfig",
                {**_TEXT, "num_key_value_heads": 1, "num_local_experts": 4, "num_experts_per_tok": 2},
                "input_ids labels=input_ids", "input_ids"),
    "clip": ("CLIPModel", "CLIPConfig", {"text_config": _TEXT, "vision_config": _PICTURE, "projection_dim": 8},
             "input_ids pixel_values return_loss", None),
    "roberta": ("RobertaForMaskedLM", "RobertaConfig", {**_TEXT, **_PLAIN, "pad_token_id": 1},
                "input_ids labels=input_ids", None),
}  # fmt: skip


def inputs():
    """Arrays by name, the same in all runs."""
    rng = np.random.RandomState(0)
    return {
        "input_ids": rng.randint(3, 50, (2, 7)),
        "answers": rng.randint(3, 50, (2, 5)),
        "pixel_values": rng.randn(2, 3, 16, 16).astype(np.float32),
        "kinds": np.array([0, 2]),
        "input_features": rng.randn(2, 8, 20).astype(np.float32),
        "return_loss": True,
    }


def arguments_of(asked, tensor):
    """The arguments of a model's call: the inputs named by ``asked`` (``name``, ``name=input``), arrays as tensors."""
    known = inputs()
    pairs = [each.partition("=") for each in asked.split()]
    values = {name: known[source or name] for name, _, source in pairs}
    return {name: tensor(value) if isinstance(value, np.ndarray) else value for name, value in values.items()}


def weight(name, shape):
    """The value of a Parameter: small numbers by its name, about 1 for the weights of norms."""
    drawn = np.asarray(np.random.RandomState(sum(map(ord, name))).randn(*shape) * 0.05, np.float32)
    return drawn + np.float32("norm" in name.lower() and name.endswith("weight"))
