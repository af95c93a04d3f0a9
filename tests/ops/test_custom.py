"""`Custom`: functions of NumPy and of compiled libraries; expected values are MindSpore 2.10's."""

import shutil
import subprocess

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops

X = np.arange(6, dtype=np.float32).reshape(2, 3)
SOURCE = """
#include <stdint.h>
#include <string.h>
int weighted(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *stream, void *extra) {
  int64_t n = 1;
  if (nparam != 3 || stream || extra) return 1;
  for (int k = 0; k < 3; k++) if (strcmp(dtypes[k], "float32")) return 2;
  for (int k = 0; k < ndims[2]; k++) n *= shapes[2][k];
  for (int64_t k = 0; k < n; k++) ((float *)params[2])[k] = ((float *)params[0])[k] + 2 * ((float *)params[1])[k];
  return 0;
}
int owned(int nparam, void **params) { return 0; }
int ownedInit(int *ndims) { return 0; }
"""


def same(*arguments):
    return arguments[0]


def rows(function, shape, dtype):
    return ops.Custom(function, shape, dtype, "pyfunc")(Tensor(X))


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (lambda: rows(lambda x: x.sum(1), (2,), ms.float32), X.sum(1)),
        (lambda: rows(lambda x: x.sum(1), [2], ms.float32), X.sum(1)),
        (lambda: rows(lambda x: x.sum(), (), ms.float32), np.float32([15])),
        (lambda: rows(lambda x: 3.5, (), ms.float32), np.float32([3.5])),
        (lambda: rows(lambda x: x.reshape(-1), (3, 2), ms.float32), X.reshape(3, 2)),
        (lambda: rows(lambda x: x.astype(np.int32), same, lambda dtype: ms.int32), X.astype(np.int32)),
        (lambda: ops.Custom(lambda x, k: x + np.float32(k), same, same)(Tensor(X), 2), X + 2),
        (lambda: ops.Custom(np.invert, same, same)(Tensor([True])), np.array([False])),
    ],
)
def test_functions_of_numpy(made, expected, mode):
    made = made()
    assert made.asnumpy().dtype == expected.dtype and np.array_equal(made.asnumpy(), expected)


def test_several_results(mode):
    sums, twice = rows(lambda x: (x.sum(1), x * 2), ((2,), (2, 3)), (ms.float32, ms.float32))
    assert np.array_equal(sums.asnumpy(), X.sum(1)) and np.array_equal(twice.asnumpy(), 2 * X)


def test_what_computes_shapes_and_dtypes_is_told_those_of_the_inputs():
    told = []

    def keep(*arguments):
        told.append(arguments)
        return arguments[0]

    ops.Custom(lambda x, k: x, keep, keep)(Tensor(X), 2)
    assert told == [([2, 3], []), (ms.float32, ms.int64)]


def test_the_gradient_is_that_of_the_rule(mode):
    class Net(nn.Cell):
        def __init__(self, rule):
            super().__init__()
            self.product = ops.Custom(np.multiply, same, same, "pyfunc", rule)

        def construct(self, x, y):
            return self.product(x, y) * 2

    x, y = Tensor(X), Tensor(X + 1)
    by_x, by_y = ms.grad(Net(lambda x, y, output, cotangent: (cotangent * y, cotangent * x)), (0, 1))(x, y)
    assert np.array_equal(by_x.asnumpy(), 2 * X + 2) and np.array_equal(by_y.asnumpy(), 2 * X)
    by_factor = ms.grad(lambda w: w * ops.Custom(np.square, same, same)(x))(y)  # of which it is not a function
    assert np.array_equal(by_factor.asnumpy(), X**2)
    with pytest.raises(RuntimeError, match="For 'Custom', the derivative of multiply is not known"):
        ms.grad(Net(None))(x, y)


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a compiler of C")
def test_functions_of_libraries(tmp_path, mode):
    (tmp_path / "a.c").write_text(SOURCE)
    library = str(tmp_path / "a.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, str(tmp_path / "a.c")], check=True)
    weighted = ops.Custom(f"{library}:weighted", same, same, "aot")
    assert np.array_equal(weighted(Tensor(X), Tensor(X)).asnumpy(), 3 * X)
    assert np.array_equal(weighted(Tensor(X.T), Tensor(X.T)).asnumpy(), 3 * X.T)
    with pytest.raises(RuntimeError, match="a.so:weighted returned the error code 2"):
        weighted(Tensor([1]), Tensor([2]))
    with pytest.raises(RuntimeError, match="there is no function 'nothing' in"):
        ops.Custom(f"{library}:nothing", same, same, "aot")(Tensor(X))
    with pytest.raises(NotImplementedError, match="ownedInit in"):
        ops.Custom(f"{library}:owned", same, same, "aot")(Tensor(X))
    with pytest.raises(RuntimeError, match="there is no function 'f' in"):
        ops.Custom("/nowhere.so:f", same, same, "aot")(Tensor(X))


@pytest.mark.parametrize(
    ("made", "error", "sentence"),
    [
        (
            lambda: rows(lambda x: x, (1,), ms.float32),
            RuntimeError,
            r"must be float32 of \(1,\) as .*float32 of \(2, 3\)",
        ),
        (lambda: rows(lambda x: x.astype(np.float64), same, same), RuntimeError, "but it is float64"),
        (
            lambda: rows(lambda x: (x,), ((2,), (2,)), (ms.float32, ms.float32)),
            RuntimeError,
            "must be a tuple of 2 as .* but it is a tuple of 1",
        ),
        (lambda: rows(lambda x: x, 3, ms.float32), TypeError, "'out_shape' must be a tuple"),
        (lambda: rows(lambda x: x, None, None), TypeError, "'out_shape' must be a tuple"),
        (lambda: rows(lambda x: x, same, None), TypeError, "'out_dtype' must be a mindspore dtype"),
        (lambda: rows(lambda x: 1 / 0, same, same), ZeroDivisionError, "division"),
        (lambda: ops.Custom(None, same, same), TypeError, "'func' must be a function"),
        (lambda: ops.Custom(same, same, same, "aot"), TypeError, "'func' must be a str, 'path:function'"),
        (lambda: ops.Custom(same, same, same, "julia"), ValueError, "'func_type' must be one of"),
        (lambda: ops.Custom(same, same, same, "tbe"), NotImplementedError, "'func_type' 'tbe' is left out"),
    ],
)
def test_what_does_not_fit_is_refused(made, error, sentence):
    with pytest.raises(error, match=sentence):
        made()


def test_what_is_said_for_the_compiler_is_kept():
    kind = ops.DataType.F32_Default
    collected = ops.CustomRegOp("add").input(0, "x").input(1, "y", "optional", shape="all").output(0, "z")
    info = collected.attr("k", "required", "all").dtype_format(kind, kind, kind).target("CPU").get_op_info()
    assert info == {
        "op_name": "add",
        "inputs": [
            {"index": 0, "name": "x", "paramType": "required"},
            {"index": 1, "name": "y", "paramType": "optional", "shape": "all"},
        ],
        "outputs": [{"index": 0, "name": "z", "paramType": "required"}],
        "attr": [{"name": "k", "paramType": "required", "type": "all"}],
        "fusion_type": "",
        "dtype_format": [(("float32", "DefaultFormat"),) * 3],
        "target": "CPU",
    }

    @ops.custom_info_register(info)
    def add(x, y):
        return x + y

    assert add(1, 2) == 3 and add.reg_info == (info,)
    assert ops.Custom(add, same, same, reg_info=info)(Tensor(X), Tensor(X)).shape == (2, 3)
    assert ops.DataType.I64_Default_List == ("int64", "DefaultFormat", "list") and ops.DataType.None_None == ("", "")
    with pytest.raises(ValueError, match="3 tuples of a dtype and a format"):
        collected.dtype_format(kind)
    with pytest.raises(TypeError, match="'index' must be"):
        collected.input("0")
    with pytest.raises(ValueError, match="'op_name' must be"):
        ops.CustomRegOp("")
