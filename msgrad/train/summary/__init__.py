"""Summaries of training for TensorBoard: scalars, Tensors, images, histograms and graphs in event files."""

from .record import SummaryRecord

__all__ = ["SummaryRecord"]
