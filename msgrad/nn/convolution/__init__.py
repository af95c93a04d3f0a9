"""Convolution, pooling and padding layers."""

from .adaptive_pool import *
from .combined import *
from .conv import *
from .pad import *
from .pool import *
