"""Tables of layers: what is checked, on which inputs. `tests/golden/make_layers.py` gives them to MindSpore."""

import importlib

from .case import LayerCase

_TABLES = """
    activation attention basic conv image loss math norm pad pool recurrent
"""

_MODULES = {name: importlib.import_module(f".{name}", __name__) for name in _TABLES.split()}
TABLES = {name: module.CASES for name, module in _MODULES.items()}
CASES = [case for table in TABLES.values() for case in table]
# (expression, exception, what its text contains)
ERRORS = [row for module in _MODULES.values() for row in getattr(module, "ERRORS", [])]
# Those of values of Tensors, which a graph does not know while it is recorded.
ERRORS_OF_VALUES = [row for module in _MODULES.values() for row in getattr(module, "ERRORS_OF_VALUES", [])]

__all__ = ["CASES", "ERRORS", "ERRORS_OF_VALUES", "TABLES", "LayerCase"]
