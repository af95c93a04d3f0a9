"""Versions: of the MindSpore that is answered for, and of msgrad itself."""

__version__ = "2.10.0"
__msgrad_version__ = "0.1.0"
