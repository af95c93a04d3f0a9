"""Activations, fully connected and embedding layers, dropout, and layers that are one operation."""

from .activation import *
from .dense import *
from .dropout import *
from .embedding import *
from .math import *
from .matrix import *
from .reshaping import *
from .sparse import *
