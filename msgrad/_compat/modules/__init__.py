"""Rarely used public modules of MindSpore; also available as ``msgrad.hal`` and so on."""
