"""Cells around a network: its loss, its gradients, a training step."""
