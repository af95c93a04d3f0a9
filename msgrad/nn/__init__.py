"""Neural networks: Cell, containers, layers, losses, optimizers, wrappers.

Each file lists its public names in its own ``__all__``.
"""

import types

from ..autodiff import Jvp, Vjp  # noqa: F401
from .activation import *
from .adaptive_pool import *
from .basic import *
from .cell import *
from .containers import *
from .conv import *
from .cross_entropy import *
from .dense import *
from .dice_loss import *
from .dropout import *
from .embedding import *
from .learning_rate_schedule import *
from .loss import *
from .margin_loss import *
from .multihead_attention import *
from .norm import *
from .optim import *
from .pool import *
from .recurrent import *
from .recurrent_cells import *
from .sampled_softmax import *
from .transformer import *
from .wrap import *

__all__ = sorted(
    name for name, value in globals().items() if name[0] != "_" and not isinstance(value, types.ModuleType)
)
