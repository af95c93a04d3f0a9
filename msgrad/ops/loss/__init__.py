"""Losses."""

from . import classification_losses, ctc, margin_losses, regression_losses, transducer  # noqa: F401  each registers its operations
