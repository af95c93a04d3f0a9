"""Elementwise mathematics, reductions, statistics, order and transforms."""
