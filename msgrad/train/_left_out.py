"""Names of ``mindspore.train`` that can be imported and say on use why msgrad leaves them out."""

import types

from ..ops.left_out import leave_out

_THOR = (
    "it rewrites networks for THOR, a second-order optimizer for clusters",
    "Train the network with a first-order optimizer of mindspore.nn.",
)
NAMES = leave_out(types.SimpleNamespace(), "train", [("ConvertModelUtils()", _THOR), ("ConvertNetUtils()", _THOR)])
