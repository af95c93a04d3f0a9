"""What ``mindspore.train.loss_scale_manager`` shows beside its classes."""

from __future__ import absolute_import  # noqa: UP010  the name itself
