"""Every row can be mapped, and lowers for CPU, CUDA and TPU (no such device is needed), or says why it cannot."""

import jax
import jax.export
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor
from msgrad.engine.errors import NoValueError

from ..helpers import assert_close, assert_each
from ..op_cases import CASES
from .rows import RTOL, by_name, free_inputs, make_free_row, make_row, tensors

PURE = [case for case in CASES if not case.parameters and not case.looks]


# Calls of libraries that JAX may change, so that it does not export them by itself: eigenvectors by CUDA's.
UNSTABLE = [jax.export.DisabledSafetyCheck.custom_call(f"cuhybrid_eig_{kind}") for kind in ("real", "comp")]
TOGETHER = 8  # rows that are lowered as one program, in half of the time that they take one by one
BATCHES = [
    cases[start : start + TOGETHER]
    for platforms in sorted({case.platforms for case in PURE})
    for cases in [[case for case in PURE if case.platforms == platforms]]
    for start in range(0, len(cases), TOGETHER)
]


@pytest.mark.parametrize("cases", BATCHES, ids=lambda cases: ",".join([case.name for case in cases]))
def test_lowers(cases):
    try:
        check_lowers(*cases)
    except Exception:
        assert_each(check_lowers, {case.name: (case,) for case in cases})
        raise


def check_lowers(*cases):
    functions, platforms = [make_row(case).function for case in cases], cases[0].platforms
    run = jax.jit(lambda inputs: [function(*arguments) for function, arguments in zip(functions, inputs, strict=True)])
    exported = jax.export.export(run, platforms=platforms, disabled_checks=UNSTABLE)(
        [tensors(case.inputs()) for case in cases]
    )
    assert exported.platforms == platforms


@by_name([case for case in PURE if free_inputs(case, case.inputs())])
def test_vmap_is_a_loop(case):
    inputs = case.inputs()
    row = make_free_row(case, inputs)
    batches = [np.stack([array, array[..., ::-1] if array.ndim else array]) for array in free_inputs(case, inputs)]
    mapped = ms.vmap(row)(*tensors(batches)).asnumpy()
    for k in range(2):
        expected = row(*[Tensor(batch[k]) for batch in batches]).asnumpy()
        assert_close(mapped[k], expected, rtol=max(case.rtol, RTOL.get(expected.dtype.name, 0)), atol=1e-6)


@by_name([case for case in CASES if case.looks])
def test_that_it_looks_at_values_is_said(case):
    function, inputs = make_row(case).function, tensors(case.inputs())
    with pytest.raises((NoValueError, ValueError), match="The value of a tensor is needed"):
        jax.jit(function)(*inputs)
