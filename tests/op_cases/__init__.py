"""Tables of operations: what is checked, on which inputs. `tests/golden/make_ops.py` gives them to MindSpore."""

import importlib

from .case import NAMES, OpCase

_TABLES = """
    activation arithmetic array axes choosing creation diagonal division elementwise gathering joining linalg logic loss
    methods products rearrange reduction scattering selection sorting statistics writing
"""

TABLES = {name: importlib.import_module(f".{name}", __name__).CASES for name in _TABLES.split()}
CASES = [case for table in TABLES.values() for case in table]

__all__ = ["CASES", "NAMES", "TABLES", "OpCase"]
