"""Training: checkpoints."""

from .serialization import load_param_into_net

__all__ = ["load_param_into_net"]
