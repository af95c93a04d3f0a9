"""Recurrent networks and their cells; a layer applied at each time step."""

from .cells import *
from .rnn import *
from .time_distributed import *
