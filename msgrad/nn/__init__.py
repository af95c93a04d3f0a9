"""Neural networks: Cell, containers, layers, losses, optimizers, wrappers.

Each file lists its public names in its own ``__all__``.
"""

import types

from ..autodiff import Jvp, Vjp  # noqa: F401
from ._left_out import __getattr__  # noqa: F401
from .activation import *
from .adaptive_pool import *
from .basic import *
from .batch_norm import *
from .cell import *
from .combined import *
from .containers import *
from .conv import *
from .cross_entropy import *
from .dense import *
from .dropout import *
from .dynamic_lr import *
from .embedding import *
from .graph_cell import *
from .image import *
from .learning_rate_schedule import *
from .loss import *
from .math import *
from .matrix import *
from .norm import *
from .optim import *
from .pad import *
from .pool import *
from .similarity import *
from .sparse import *
from .time_distributed import *
from .utils import *
from .wrap import *

__all__ = sorted(
    name for name, value in globals().items() if name[0] != "_" and not isinstance(value, types.ModuleType)
)
