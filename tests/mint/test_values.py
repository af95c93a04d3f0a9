"""Values, dtypes and shapes of every row of `cases`, in both modes."""

import json
import pathlib

import numpy as np
import pytest

from msgrad import Parameter, Tensor, mint
from msgrad.mint._dialect import DISTRIBUTED, FUNCTIONAL, LINALG, MINT, SPECIAL
from msgrad.ops._core.faces import OPS

from ..golden._figures import decoded
from ..helpers import assert_close
from ..op_cases import NAMES
from ..ops.rows import by_name, make_row, tensors
from .cases import CASES, ERRORS

GOLDEN = json.loads((pathlib.Path(__file__).resolve().parents[1] / "golden" / "mint.json").read_text())
# Names without a row: other tests have them, and `distributed` does nothing.
ELSEWHERE = {
    "equal", "item", "allclose", "unique", "index_add", "addr_", "bernoulli", "multinomial", "normal", "rand", "randn",
    "rand_like", "randn_like", "randint", "randint_like", "randperm", "qr", "elu_", "hardtanh_", "relu_", "sigmoid_",
    "threshold_",
}  # fmt: skip


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


@by_name(CASES)
def test_value(case, mode):
    golden = GOLDEN.get(case.name, {})
    actual = [each.asnumpy() for each in as_tuple(make_row(case)(*tensors(case.inputs())))]
    if "values" in golden:
        expected = [decoded(each) for each in golden["values"]]
        assert [each.dtype for each in actual] == [each.dtype for each in expected]
    else:
        expected = as_tuple(eval(case.reference, {"np": np, **dict(zip(NAMES, case.inputs(), strict=False))}))
        expected = [np.asarray(each) for each in expected]
    for ours, theirs in zip(actual, expected, strict=True):
        assert_close(ours, theirs.astype(ours.dtype), rtol=3e-5, atol=3e-6)
    if "infers" in golden:
        assert [[each.dtype.name, list(each.shape)] for each in actual] == golden["infers"]


@pytest.mark.parametrize("dialect", [MINT, FUNCTIONAL, LINALG, SPECIAL], ids=lambda each: each.path)
def test_every_function_has_a_row_or_is_one_of_ops(dialect):
    prefix = dialect.path.removeprefix("mindspore.")
    rows = "\n".join(case.expression for case in CASES)
    shared = (
        [*OPS.functions.values(), *FUNCTIONAL.functions.values()]
        if dialect is not FUNCTIONAL
        else [*OPS.functions.values()]
    )
    missing = [
        name
        for name, made in dialect.public().items()
        if f"{prefix}.{name}(" not in rows and not any(made is each for each in shared) and name not in ELSEWHERE
    ]
    assert not missing


@pytest.mark.parametrize("expression, error, text", ERRORS, ids=[row[0] for row in ERRORS])
def test_refused(expression, error, text):
    names = {
        "mint": mint,
        "Tensor": Tensor,
        "X": Tensor([[1.0, 2.0], [3.0, 4.0]]),
        "P": Parameter(Tensor([1.0]), name="p"),
    }
    with pytest.raises(error) as raised:
        eval(expression, names)
    assert text in str(raised.value)


@pytest.mark.parametrize("name", sorted(DISTRIBUTED.public()))
def test_of_one_process(name):
    assert getattr(mint.distributed, name) is DISTRIBUTED.functions[name]
