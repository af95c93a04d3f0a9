"""Multi-head attention and transformers."""

from .multihead_attention import *
from .transformer import *
