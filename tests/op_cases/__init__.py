"""Tables of operations: what is checked, on which inputs. `tests/golden/make_ops.py` gives them to MindSpore."""

from . import activation, array, elementwise, gathering, linalg, reduction, scattering, selection, sorting, writing
from .case import NAMES, OpCase

TABLES = {
    module.__name__.rpartition(".")[2]: module.CASES
    for module in (
        activation,
        array,
        elementwise,
        gathering,
        linalg,
        reduction,
        scattering,
        selection,
        sorting,
        writing,
    )
}
CASES = [case for table in TABLES.values() for case in table]

__all__ = ["CASES", "NAMES", "TABLES", "OpCase"]
