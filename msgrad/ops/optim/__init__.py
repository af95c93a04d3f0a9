"""Optimizer steps, gradient clipping and loss scaling."""
