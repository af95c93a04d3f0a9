"""Loss functions."""

from .cross_entropy import *
from .dice_loss import *
from .margin_loss import *
from .regression import *
from .sampled_softmax import *
