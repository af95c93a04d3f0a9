"""Multi-head attention and Transformers."""

from .case import rows

_LAYER = "nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0{})"
_DECODER = "nn.TransformerDecoderLayer(4, 2, 8, dropout=0.0{})"
_CAUSAL = "Tensor([[False, True, True], [False, False, True], [False, False, False]])"
_PADDING = "Tensor([[False, False, True], [False, False, False]])"


CASES = rows(
    [
        ("attention", "nn.MultiheadAttention(4, 2)", "f[3,2,4] f[5,2,4] f[5,2,4]"),
        ("attention_itself", "nn.MultiheadAttention(4, 2)", "f[3,2,4]", {"call": "layer(x, x, x)"}),
        (
            "attention_memory",
            "nn.MultiheadAttention(4, 2, 0.0, False)",
            "f[3,2,4] f[5,2,4]",
            {"call": "layer(x, y, y)"},
        ),
        ("attention_single", "nn.MultiheadAttention(4, 2)", "f[3,4] f[5,4] f[5,4]"),
        (
            "attention_sizes",
            "nn.MultiheadAttention(4, 2, kdim=3, vdim=5, batch_first=True)",
            "f[2,3,4] f[2,5,3] f[2,5,5]",
        ),
        (
            "attention_masks",
            "nn.MultiheadAttention(4, 2)",
            "f[3,2,4]",
            {"call": f"layer(x, x, x, {_PADDING}, attn_mask={_CAUSAL}, average_attn_weights=False)"},
        ),
        (
            "attention_added",
            "nn.MultiheadAttention(4, 2, batch_first=True)",
            "f[2,3,4] f[4,3,3] f[2,3]",
            {"call": "layer(x, x, x, z, False, y)"},
        ),
        (
            "attention_longer",
            "nn.MultiheadAttention(4, 2, add_bias_kv=True, add_zero_attn=True)",
            "f[3,2,4]",
            {"call": f"layer(x, x, x, attn_mask={_CAUSAL})"},
        ),
        ("attention_initial", "nn.MultiheadAttention(40, 2, kdim=50, add_bias_kv=True)", ""),
        ("encoder_layer", _LAYER.format(""), "f[3,2,4]"),
        (
            "encoder_layer_first",
            _LAYER.format(", activation='gelu', norm_first=True, batch_first=True, layer_norm_eps=1e-3"),
            "f[2,3,4]",
            {"call": f"layer(x, {_CAUSAL}, {_PADDING})"},
        ),
        ("encoder_layer_dropout", "nn.TransformerEncoderLayer(4, 2, 8)", "f[3,4]", {"phases": (False,)}),
        ("encoder_layer_initial", "nn.TransformerEncoderLayer(40, 2, 80)", ""),
        ("decoder_layer", _DECODER.format(""), "f[3,2,4] f[5,2,4]"),
        (
            "decoder_layer_first",
            _DECODER.format(", activation=ops.relu, norm_first=True, batch_first=True"),
            "f[2,3,4] f[2,5,4]",
            {"call": f"layer(x, y, {_CAUSAL}, None, {_PADDING}, None)"},
        ),
        ("encoder", f"nn.TransformerEncoder({_LAYER.format('')}, 2)", "f[3,2,4]", {"call": f"layer(x, {_CAUSAL})"}),
        (
            "encoder_norm",
            f"nn.TransformerEncoder({_LAYER.format(', norm_first=True')}, 2, nn.LayerNorm((4,)))",
            "f[3,2,4]",
        ),
        ("decoder", f"nn.TransformerDecoder({_DECODER.format('')}, 2, nn.LayerNorm((4,)))", "f[3,2,4] f[5,2,4]"),
        (
            "transformer",
            "nn.Transformer(4, 2, 1, 2, 8, 0.0)",
            "f[3,2,4] f[3,2,4]",
            {"call": f"layer(x, y, tgt_mask={_CAUSAL}, src_key_padding_mask={_PADDING})"},
        ),
        ("transformer_initial", "nn.Transformer(40, 2, 1, 1, 80)", ""),
    ],
    parameters=(-0.6, 0.6),
)

X = "ops.ones((3, 2, 4))"
ERRORS = [
    ("nn.MultiheadAttention(4, 3)", ValueError, "the 'embed_dim' must be divisible by 3"),
    (f"nn.MultiheadAttention(4, 2)({X}, {X}[:2], {X})", ValueError, "the 'value' must be of the lengths of 'key'"),
    (f"nn.MultiheadAttention(6, 2)({X}, {X}, {X})", ValueError, "the 'query' must be of 6 features"),
    (
        f"nn.MultiheadAttention(4, 2)({X}[:, :1], {X}, {X})",
        ValueError,
        "the 'key' must be as many as 'value', (3, 2, 4), and in batches as 'query', (3, 1, 4)",
    ),
    (f"nn.MultiheadAttention(4, 2)({X}, {X}[0], {X}[0])", ValueError, "the 'query' must be of 2 or 3 axes"),
    (
        f"nn.MultiheadAttention(4, 2)({X}, {X}, {X}, attn_mask=ops.ones((2, 2)))",
        ValueError,
        "the 'attn_mask' must be of shape (3, 3) or (4, 3, 3)",
    ),
    (
        f"nn.MultiheadAttention(4, 2)({X}, {X}, {X}, ops.ones((2, 3), ms.int32))",
        ValueError,
        "the 'key_padding_mask' must be of bool or floats",
    ),
    ("nn.TransformerEncoderLayer(4, 2, activation='x')", ValueError, "the 'activation' must be 'relu', 'gelu'"),
    ("nn.TransformerDecoderLayer(4, 2, activation=nn.Tanh())", ValueError, "the 'activation' must be"),
    (f"nn.Transformer(4, 2, 1, 1)({X}, {X}[:, :1])", ValueError, "the 'tgt' must be of the batch of 'src'"),
    (f"nn.Transformer(6, 2, 1, 1)({X}, {X})", ValueError, "the 'src' must be of 6 features"),
]
