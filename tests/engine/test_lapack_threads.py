"""LAPACK computes with one thread until a program has large matrices."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
import numpy as np
import msgrad as ms
from msgrad.engine.openblas import thread_functions
from scipy.linalg import cython_lapack
count, put = thread_functions(cython_lapack)
put(2)
seen = []
for length in 8, 2048, 8:
    ms.jit(ms.ops.cholesky)(ms.Tensor(np.eye(length, dtype=np.float32))).asnumpy()
    seen.append(count())
print(*seen)
"""


@pytest.mark.parametrize(("settings", "expected"), [({}, "1 2 2"), ({"OPENBLAS_NUM_THREADS": "3"}, "2 2 2")])
def test_one_thread_until_a_matrix_is_large(settings, expected):
    pytest.importorskip("scipy")
    others = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    environment = others | {"GLOG_v": "4", "MSGRAD_QUIET": "1", "MSGRAD_TIERS": "off"} | settings
    result = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
    assert (result.stdout.strip(), result.returncode) == (expected, 0), result.stderr
