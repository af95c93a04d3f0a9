"""``mindspore.onnx``: networks as ONNX models."""

from ...train._onnx.exporting import export

__all__ = ["export"]
