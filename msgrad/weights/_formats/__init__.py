"""Formats of weights that other libraries write: torch's two, and Keras' HDF5."""
