"""Rows of layers whose module is ``mindspore.mint.nn``."""

import functools

from ...nn._rows import layer as layer_of

layer = functools.partial(layer_of, path="mindspore.mint.nn")
