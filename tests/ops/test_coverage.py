"""Every operation has a row: no function, Primitive or Tensor method is defined without one."""

import collections
import pathlib
import re

from msgrad import scipy
from msgrad.ops._core.faces import FUNCTIONS, METHODS, PRIMITIVES

from ..expressions import CASES as EXPRESSIONS
from ..op_cases import CASES, random_ops
from .test_control import TRIED
from .test_float_status import TRIED as TRIED_STATUS
from .test_inplace import OTHERS
from .test_inplace import ROWS as IN_PLACE
from .test_process_group import TRIED as TRIED_PROCESSES
from .test_sparse import TRIED as TRIED_SPARSE

SCIPY = (scipy.fft, scipy.linalg)
FACES = "\n".join(
    [each for case in CASES + random_ops.CASES for each in (case.expression, *case.faces)]
    + TRIED
    + TRIED_PROCESSES
    + TRIED_STATUS
    + TRIED_SPARSE
)
PROGRAMS = pathlib.Path(__file__).parents[1] / "distributed" / "programs"  # what they call needs several processes
SEVERAL = "\n".join(path.read_text() for path in sorted(PROGRAMS.glob("*.py")))
NAMED = set(re.findall(r"\b(?:ops|mint\.distributed|dist)\.(\w+)", FACES + SEVERAL))
CALLED = set(re.findall(r"\.(\w+)", FACES + "\n".join(each for table in EXPRESSIONS.values() for each in table)))
CALLED |= {f"{name}_" for name in (*IN_PLACE, *OTHERS)} | {"zero_", "register_hook"}  # hooks: tests/autodiff


def test_each_operation_has_a_row():
    assert not {name for name in {*FUNCTIONS, *PRIMITIVES} if not name.startswith("_")} - NAMED


def test_each_method_has_a_row():
    # Without the names with an underscore, which are in the table once their file is imported: tests/names.
    assert not {name for name in METHODS if not name.startswith("_")} - CALLED


def test_each_function_of_scipy_has_a_row():
    modules = {part: part.__name__.partition(".")[2] for part in SCIPY}  # of msgrad's or of MindSpore's name
    names = [f"{module}.{name}" for part, module in modules.items() for name in part.__all__]
    assert not [name for name in names if not re.search(rf"\bms\.{name}\b", FACES)]


def test_rows_have_names_of_their_own():
    assert not [name for name, count in collections.Counter(case.name for case in CASES).items() if count > 1]
