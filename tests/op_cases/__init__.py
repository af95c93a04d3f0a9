"""Tables of operations: what is checked, on which inputs. `tests/golden/make_ops.py` gives them to MindSpore."""

from . import activation, array, elementwise, linalg, reduction
from .case import NAMES, OpCase

CASES = elementwise.CASES + activation.CASES + reduction.CASES + array.CASES + linalg.CASES

__all__ = ["CASES", "NAMES", "OpCase"]
