"""Layers over images: the order of pixels, patches, resizing, similarity."""

from .pixels import *
from .similarity import *
