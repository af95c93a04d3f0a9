"""The version of MindSpore that msgrad reproduces, and msgrad's own."""

__version__ = "2.10.0"
__msgrad_version__ = "0.1.0"
