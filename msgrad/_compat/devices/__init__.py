"""Hints for devices: streams, events, cores."""
