"""``mindspore.parallel._transformer`` of 2.0: inner layers. Libraries that look for them in ``nn.transformer`` of 1.x
have others to fall back on, so they are not there."""

import sys

from ...ops.legacy.left_out import leave_out
from .transformers import instead

leave_out(
    sys.modules[__name__],
    "parallel._transformer",
    [("_LayerNorm", instead("LayerNorm")), ("_Linear", instead("Dense"))],
)
