"""Datasets that are read from files."""
