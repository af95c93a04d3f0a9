"""Cells that wrap a network: with its loss, its gradients, or a training step."""
