"""``mindspore.nn.transformer`` of 1.x, later ``parallel._transformer``: layers for clusters, now in MindFormers."""

import sys

from ...ops.legacy.left_out import leave_out

_WENT = ("MindSpore gave it to MindFormers, a package of its own", "Use the layers of mindspore.nn: {}.")


def instead(names):
    """The reason and alternative of an unsupported layer, which the layers ``names`` of `nn` replace."""
    return _WENT[0], _WENT[1].format(names)


_LAYERS = instead("TransformerEncoderLayer, MultiheadAttention, Dense, LayerNorm")
_CONFIG = instead("one device needs no plan of how to share them")
_CHECKS = instead("these check their arguments themselves")

leave_out(
    sys.modules[__name__],
    "nn.transformer",
    [
        ("AttentionMask(seq_length, parallel_config=None)", instead("ops.tril makes the mask")),
        ("CrossEntropyLoss(parallel_config=None)", instead("CrossEntropyLoss")),
        ("EmbeddingOpParallelConfig(data_parallel=1, model_parallel=1, vocab_emb_dp=True)", _CONFIG),
        ("FeedForward", _LAYERS),
        ("FixedSparseAttention", _LAYERS),
        ("FlashAttention", instead("MultiheadAttention, or ops.flash_attention_score")),
        ("MoE", _LAYERS),
        ("MoEConfig", _CONFIG),
        ("MoEParallelConfig", _CONFIG),
        ("MultiHeadAttention", _LAYERS),
        ("OpParallelConfig(data_parallel=1, model_parallel=1)", _CONFIG),
        ("Transformer", instead("Transformer")),
        ("TransformerDecoder", instead("TransformerDecoder")),
        ("TransformerDecoderLayer", instead("TransformerDecoderLayer")),
        ("TransformerEncoder", instead("TransformerEncoder")),
        ("TransformerEncoderLayer", instead("TransformerEncoderLayer")),
        ("TransformerOpParallelConfig", _CONFIG),
        ("TransformerRecomputeConfig", _CONFIG),
        ("VocabEmbedding", instead("Embedding")),
        ("_LayerInputCheck", _CHECKS),
        ("_check_config", _CONFIG),
        ("_check_input_dtype", _CHECKS),
        ("_check_moe_config", _CONFIG),
        ("_check_past_none_input_none", _CHECKS),
        ("_get_lambda_func", _CONFIG),
        ("default_dpmp_config", _CONFIG),
        ("default_moe_config", _CONFIG),
        ("default_transformer_config", _CONFIG),
    ],
)
