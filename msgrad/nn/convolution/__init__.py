"""Convolution, pooling and padding layers."""
