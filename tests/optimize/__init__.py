"""Tests of ``mindspore.scipy.optimize``."""
