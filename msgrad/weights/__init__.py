"""Weights of torch, safetensors and Keras, read into networks and written from them, without these libraries."""

from .loading import load
from .reading import read
from .report import Report
from .saving import save

__all__ = ["Report", "load", "read", "save"]
