"""Contracts of parameters, checks, signatures and docstrings, for operations, layers and everything above."""
