"""Execution: Programs are compiled, cached and launched, by XLA or by NumPy."""
