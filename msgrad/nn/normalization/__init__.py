"""Batch, instance, layer and group norm."""

from .batch_norm import *
from .norm import *
