"""Tables of operations: checks and their inputs. `tests/golden/make_ops.py` runs them on MindSpore."""

import importlib

from .case import NAMES, OpCase

_TABLES = """
    activation arithmetic array axes blocks choosing clipping convolution counting creation diagonal division dropping
    elementwise embedding factoring gathering image_parts images index_write joining linalg logic loss methods names
    normalization numpy_arrays numpy_elementwise numpy_numbers optimizers passing pooling products ragged rearrange
    recurrent reduction scattering scipy searching segments selection sequences slopes sorting sparse_steps special
    statistics writing
"""

_MODULES = {name: importlib.import_module(f".{name}", __name__) for name in _TABLES.split()}
TABLES = {name: module.CASES for name, module in _MODULES.items()}
CASES = [case for table in TABLES.values() for case in table]
# (expression, exception, what its text contains)
ERRORS = [row for module in _MODULES.values() for row in getattr(module, "ERRORS", [])]

__all__ = ["CASES", "ERRORS", "NAMES", "TABLES", "OpCase"]
