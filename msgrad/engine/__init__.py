"""Handles, recordings, Programs and their execution. `README.md` here is a one-page tour."""

from .execute import report
from .lifting import cast

__all__ = ["cast", "report"]
