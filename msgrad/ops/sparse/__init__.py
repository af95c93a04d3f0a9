"""Sparse Tensors."""
