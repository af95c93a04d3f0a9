"""Further names of ``mindspore.train.loss_scale_manager``."""

from __future__ import absolute_import  # noqa: UP010  the name itself
