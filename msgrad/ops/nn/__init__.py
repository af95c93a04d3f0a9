"""Layers as functions: activations, normalization, dropout, convolution, pooling, attention."""

from . import (  # noqa: F401  each registers its operations
    activation,
    adaptive_pooling,
    attention,
    attention_parts,
    convolution,
    deformable,
    dropout,
    fractional_pooling,
    mixture_of_experts,
    normalization,
    pool_functions,
    pooling,
    random_pooling,
    softmax,
    sync_batch_norm,
    transposed_convolution,
    unpooling,
)
