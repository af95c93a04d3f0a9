"""Batch, instance, layer and group norm."""
