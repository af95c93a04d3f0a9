"""The table of names: what libraries call the same thing."""

# The last part of a name, in MindSpore, Keras and old TensorFlow files, and torch's for it.
LEAVES = {
    "gamma": "weight",
    "beta": "bias",
    "moving_mean": "running_mean",
    "moving_variance": "running_var",
    "embedding_table": "weight",
    "w": "weight",  # of PReLU
}

# Numbers that modules keep beside their weights, and that a Cell computes or does not need.
NOT_WEIGHTS = {
    "num_batches_tracked": "counter of BatchNorm",
    "position_ids": "constant",
    "relative_position_index": "constant",
    "masked_bias": "constant",
    "inv_freq": "constant",
    "attn_mask": "constant",
}
MASKS = ("attn.bias", "attention.bias")  # GPT's causal mask, of 4 axes

# Query, key and value: three layers, or one of three times the width, in this order.
QUERY_KEY_VALUE = (
    ("query", "key", "value"),
    ("q", "k", "v"),
    ("q_proj", "k_proj", "v_proj"),
    ("to_q", "to_k", "to_v"),
    ("wq", "wk", "wv"),
    ("query_proj", "key_proj", "value_proj"),
    ("linear_q", "linear_k", "linear_v"),
    ("q_linear", "k_linear", "v_linear"),
    ("dense_q", "dense_k", "dense_v"),
)
# Of `query_key_value` the rows are those of the heads in turn, so it is not among these.
FUSED = ("qkv", "in_proj", "c_attn", "qkv_proj", "to_qkv")
FUSED_LEAVES = {"in_proj_weight": "weight", "in_proj_bias": "bias"}


def module_and_leaf(name):
    """``'layer.bn', 'gamma'`` of ``'layer.bn.gamma'``."""
    module, _, leaf = name.rpartition(".")
    return module, leaf


def is_of_layer(name):
    """Whether a name, as in torch, is that of a layer's weight, bias or moving statistic."""
    return module_and_leaf(name)[1] in ("weight", "bias", "running_mean", "running_var")


def as_in_torch(name):
    """A name with torch's last part."""
    module, leaf = module_and_leaf(name)
    leaf = LEAVES.get(leaf, leaf)
    return f"{module}.{leaf}" if module else leaf


def why_no_weight(name, entry):
    """Why an array that nothing matches is no weight; None if it may be one."""
    leaf = module_and_leaf(name)[1]
    if leaf in NOT_WEIGHTS:
        return NOT_WEIGHTS[leaf]
    if name.endswith(MASKS) and len(entry.shape) == 4:
        return "mask"
    return "not of floats" if entry.dtype.kind in "biu" and entry.dtype.name != "int8" else None
