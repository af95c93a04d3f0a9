"""Datasets read from files."""
