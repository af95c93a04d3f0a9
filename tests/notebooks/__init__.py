"""Notebooks on the subjects of MindSpore's tutorials, as Python files with a line ``# %%`` above each cell."""
