"""Handles, recordings, Programs and their execution. `README.md` here is a one-page tour."""

from .execution.execute import report

__all__ = ["report"]
