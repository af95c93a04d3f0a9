"""Handles, recordings, Programs and their execution. `README.md` here is a one-page tour."""

__all__ = ["report"]


def __getattr__(name):
    # Not imported at once: launchers need `processes` alone, and not JAX.
    if name == "report":
        from .execution.execute import report

        return report
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
