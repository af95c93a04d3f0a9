"""Activations, fully connected and embedding layers, dropout, and layers that are one operation."""
