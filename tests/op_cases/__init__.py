"""Tables of operations: checks and their inputs. `tests/golden/make_ops.py` runs them on MindSpore."""

import importlib

from .case import NAMES, OpCase

_TABLES = """
    activation aliases arithmetic array axes clamp concatenation control convolution creation decompositions
    diagonals division dropout elementwise embedding gathering gradient_clipping gradient_primitives histograms
    image_windows images index_write linalg logic loss matmul methods normalization numpy_arrays numpy_elementwise
    numpy_numbers optimizers pooling ragged rearrange recurrent reduction scatter_write scattering scipy search
    segments selection sequence_losses sorting space_to_depth sparse_steps special statistics
"""

_MODULES = {name: importlib.import_module(f".{name}", __name__) for name in _TABLES.split()}
TABLES = {name: module.CASES for name, module in _MODULES.items()}
CASES = [case for table in TABLES.values() for case in table]
# (expression, exception, what its text contains)
ERRORS = [row for module in _MODULES.values() for row in getattr(module, "ERRORS", [])]

__all__ = ["CASES", "ERRORS", "NAMES", "TABLES", "OpCase"]
