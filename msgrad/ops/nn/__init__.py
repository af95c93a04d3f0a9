"""Layers as functions: activations, normalization, dropout, convolution, pooling, attention."""
