"""Sparse Tensors: contents, operations on them and dense Tensors, gradients."""

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import COOTensor, CSRTensor, RowTensor, SparseTensor, Tensor, ops
from msgrad.ops.sparse import elementwise as sparse_values

from ..helpers import assert_close

DENSE = np.array([[0.0, 1.5, 0.0, 0.5], [0.0, 0.0, -2.0, 0.0], [0.0, 0.0, 0.0, 0.0]], np.float32)
OTHER = np.arange(12, dtype=np.float32).reshape(3, 4) + 1
VECTOR = np.array([[1.0], [2.0], [3.0], [4.0]], np.float32)
VALUES = np.array([1.5, 0.5, -2.0], np.float32)


def coo(values=VALUES, dtype=np.int64):
    return COOTensor(Tensor(np.argwhere(DENSE).astype(dtype)), Tensor(values), (3, 4))


def csr(values=VALUES, dtype=np.int32):
    return CSRTensor(Tensor(np.array([0, 2, 3, 3], dtype)), Tensor(np.array([1, 3, 2], dtype)), Tensor(values), (3, 4))


def rows():
    return RowTensor(Tensor([2, 0]), Tensor([[1.0, 2.0], [3.0, 4.0]]), (3, 2))


def softmax_of_rows():
    powers = np.where(DENSE != 0, np.exp(DENSE), 0)
    return powers / np.maximum(powers.sum(1, keepdims=True), 1e-30)


NAMES = {
    "ops": ops, "ms": ms, "np": np, "Tensor": Tensor, "c": coo(), "r": csr(), "w": rows(), "d": Tensor(OTHER),
    "v": Tensor(VECTOR), "coo": coo, "csr": csr,
    "twice": COOTensor(Tensor([[1, 0], [0, 1], [1, 0]]), Tensor([1.0, 2.0, 3.0]), (2, 2)),
}  # fmt: skip
# expression, and the dense Tensor that it is or stands for
DENSE_FORMS = [
    ("c", DENSE),
    ("r", DENSE),
    ("c.to_csr()", DENSE),
    ("r.to_coo()", DENSE),
    ("ops.csr_to_coo(r)", DENSE),
    ("ops.csr_to_dense(r)", DENSE),
    ("ms.SparseTensor(c.indices, c.values, c.shape)", DENSE),
    ("ms.COOTensor(coo_tensor=c)", DENSE),
    ("ms.CSRTensor(csr_tensor=r)", DENSE),
    ("ops.make_coo_tensor(c.indices, c.values, c.shape)", DENSE),
    ("ops.make_sparse_tensor(c.indices, c.values, c.shape)", DENSE),
    ("ops.make_csr_tensor(r.indptr, r.indices, r.values, r.shape)", DENSE),
    ("ops.dense_to_sparse_coo(c.to_dense())", DENSE),
    ("ops.dense_to_sparse_csr(c.to_dense())", DENSE),
    ("c.astype(ms.float64)", DENSE.astype(np.float64)),
    ("r.astype(ms.float16)", DENSE.astype(np.float16)),
    ("c.add(other=c, thresh=Tensor(0.0))", 2 * DENSE),
    ("-c", -DENSE),
    ("-r", -DENSE),
    ("c + c", 2 * DENSE),
    ("c - c", 0 * DENSE),
    ("c + d", DENSE + OTHER),
    ("c - d", DENSE - OTHER),
    ("c * d", DENSE * OTHER),
    ("d * c", DENSE * OTHER),
    ("c / d", DENSE / OTHER),
    ("r + r", 2 * DENSE),
    ("r - r", 0 * DENSE),
    ("r * d", DENSE * OTHER),
    ("r / d", DENSE / OTHER),
    ("ops.csr_mul(r, d)", DENSE * OTHER),
    ("ops.csr_mul(r, d[:, :1])", DENSE * OTHER[:, :1]),
    ("ops.csr_div(r, d)", DENSE / OTHER),
    ("ops.csr_add(r, r, Tensor(1.0), Tensor(2.0))", 3 * DENSE),
    ("r.add(r, Tensor(1.0), Tensor(-2.0))", -DENSE),
    ("ops.csr_add(r, ops.dense_to_sparse_csr(d), 1, 2)", DENSE + 2 * OTHER),
    ("ops.coo_add(c, ops.dense_to_sparse_coo(d).astype(ms.float32), 0)", DENSE + OTHER),
    ("c.add(c, Tensor(2.0))", np.where(np.abs(2 * DENSE) >= 2, 2 * DENSE, 0)),
    ("twice", np.array([[0, 2], [4, 0]], np.float32)),
    ("twice.coalesce()", np.array([[0, 2], [4, 0]], np.float32)),
    ("ops.coo_concat((c, c))", np.concatenate([DENSE, DENSE])),
    ("ops.coo_concat((c, c), 1)", np.concatenate([DENSE, DENSE], 1)),
    ("ops.csr_mv(r, v)", DENSE @ VECTOR),
    ("r.mv(v)", DENSE @ VECTOR),
    ("r.mm(d.T)", DENSE @ OTHER.T),
    ("r.mm(ops.dense_to_sparse_csr(d.T))", DENSE @ OTHER.T),
    ("ops.csr_mm(r, r, trans_b=True)", DENSE @ DENSE.T),
    ("ops.csr_mm(r, r, adjoint_a=True)", DENSE.T @ DENSE),
    ("ops.csr_reduce_sum(r, 1)", DENSE.sum(1, keepdims=True)),
    ("r.sum(-1)", DENSE.sum(1, keepdims=True)),
    ("ops.csr_softmax(r, ms.float32)", softmax_of_rows()),
    ("ops.row_tensor_add(w, Tensor(np.ones((3, 2), np.float32)))", np.array([[4, 5], [1, 1], [2, 3]], np.float32)),
]
PARTS = [
    ("c.indices", [[0, 1], [0, 3], [1, 2]]),
    ("ops.coo_tensor_get_indices(c)", [[0, 1], [0, 3], [1, 2]]),
    ("ops.coo_tensor_get_values(c)", [1.5, 0.5, -2.0]),
    ("ops.csr_tensor_get_indptr(r)", [0, 2, 3, 3]),
    ("ops.csr_tensor_get_indices(r)", [1, 3, 2]),
    ("ops.csr_tensor_get_values(r)", [1.5, 0.5, -2.0]),
    ("ops.csr_gather(r.indptr, r.indices, d, r.shape)", [2.0, 4.0, 7.0]),
    ("ops.csr2coo(r.indptr, 3)", [0, 0, 1]),
    ("ops.coo2csr(c.indices[:, 0], 3)", [0, 2, 3, 3]),
    ("twice.coalesce().values", [2.0, 4.0]),
    ("ops.row_tensor_get_indices(w)", [2, 0]),
    ("ops.row_tensor_get_values(w)", [[1.0, 2.0], [3.0, 4.0]]),
    ("ops.make_row_tensor(w.indices, w.values, (3, 2)).values", [[1.0, 2.0], [3.0, 4.0]]),
    ("ops.make_row_tensor_inner(w.indices, w.values, (3, 2)).indices", [2, 0]),
    ("r * 2", [3.0, 1.0, -4.0]),
    ("r.to_tuple()[1]", [1, 3, 2]),
]
FACTS = [
    ("c.shape", (3, 4)),
    ("c.size", 3),
    ("c.ndim", 2),
    ("c.itemsize", 4),
    ("c.dtype", ms.float32),
    ("w.dense_shape", (3, 2)),
    ("c.to_tuple()[2]", (3, 4)),
    ("ops.coo_tensor_get_dense_shape(c)", (3, 4)),
    ("ops.csr_tensor_get_dense_shape(r)", (3, 4)),
    ("ops.row_tensor_get_dense_shape(w)", (3, 2)),
    ("isinstance(c, Tensor)", False),
    (
        "repr(coo(dtype=np.int32))",
        "COOTensor(shape=[3, 4], dtype=Float32, "
        "indices=Tensor(shape=[3, 2], dtype=Int32, value=\n[[0 1]\n [0 3]\n [1 2]]), "
        "values=Tensor(shape=[3], dtype=Float32, value=[ 1.50000000e+00  5.00000000e-01 -2.00000000e+00]))",
    ),
]
ERRORS = [
    ("ms.COOTensor(1, c.values, (3, 4))", TypeError, "For 'COOTensor', the 'indices' must be a Tensor, but got int"),
    ("ms.COOTensor(c.indices, c.values, [3, 4])", TypeError, "the 'shape' must be a tuple of ints, but got list"),
    ("ms.COOTensor(c.indices, c.values)", TypeError, "the 'shape' must be a tuple of ints, but got NoneType"),
    (
        "ms.COOTensor(c.values, c.values, (3, 4))",
        TypeError,
        "must be a Tensor of int16, int32 or int64, but got",
    ),
    ("ms.COOTensor(r.indices, c.values, (3, 4))", ValueError, "the 'indices' must be a Tensor of 2 axes"),
    ("ms.COOTensor(c.indices, c.values[:2], (3, 4))", ValueError, "the 'values' must be 3 numbers"),
    ("ms.COOTensor(c.indices, c.values, (3,))", ValueError, "the 'shape' must be 2 lengths"),
    ("ms.CSRTensor(r.indices, r.indices, r.values, (3, 4))", ValueError, "the 'indptr' must be 4 numbers, but got 3"),
    ("ms.CSRTensor(r.indptr, r.indptr, r.values, (3, 4))", ValueError, "the 'indices' must be 3 numbers"),
    ("ms.CSRTensor(r.indptr, r.indices, r.values, (3,))", ValueError, "the 'values' must be of 0 axes"),
    ("c * 2", TypeError, "the 'other' must be a Tensor, but got 2"),
    ("c * v", ValueError, "the 'other' must be of shape (3, 4)"),
    ("r.sum(0)", ValueError, "the 'axis' must be 1, the columns"),
    ("ops.csr_mv(r, d)", ValueError, "the 'dense' must be of shape (4, ...)"),
    ("ops.coo_abs(r)", TypeError, "For 'coo_abs', the 'x' must be a COOTensor, but got CSRTensor"),
    ("ops.relu(c)", TypeError, "For 'ReLU', the 'input' must be a Tensor, but got COOTensor"),
]
ELEMENTWISE = [(name, function) for *names, function in sparse_values._ROWS for name in names]
TRIED = [row[0] for row in DENSE_FORMS + PARTS + FACTS + ERRORS] + [f"ops.{name}" for name, _ in ELEMENTWISE]


def dense(value):
    return (value if isinstance(value, Tensor) else value.to_dense()).asnumpy()


@pytest.mark.parametrize("expression, expected", DENSE_FORMS, ids=[row[0] for row in DENSE_FORMS])
def test_dense_form(expression, expected):
    assert_close(dense(eval(expression, NAMES)), expected, rtol=1e-3 if expected.dtype == np.float16 else 1e-6)


@pytest.mark.parametrize("expression, expected", PARTS, ids=[row[0] for row in PARTS])
def test_parts(expression, expected):
    assert eval(expression, NAMES).tolist() == expected


@pytest.mark.parametrize("expression, expected", FACTS, ids=[row[0] for row in FACTS])
def test_facts(expression, expected):
    assert eval(expression, NAMES) == expected


@pytest.mark.parametrize("expression, error, text", ERRORS, ids=[row[0] for row in ERRORS])
def test_refused(expression, error, text):
    with pytest.raises(error) as raised:
        eval(expression, NAMES)
    assert text in str(raised.value)


@pytest.mark.parametrize("name, function", ELEMENTWISE)
def test_functions_of_one_number(name, function):
    values = np.array([0.3, 0.6, 0.9], np.float32) + (1 if function == "acosh" else 0)
    result = getattr(ops, name)((coo if name.startswith("coo") else csr)(values))
    assert type(result) is (COOTensor if name.startswith("coo") else CSRTensor)
    assert_close(result.values.asnumpy(), getattr(ops, function)(Tensor(values)).asnumpy(), rtol=0)


USES = {
    "coo": lambda values: (coo(values) * Tensor(OTHER)).to_dense().sum(),
    "coo sum": lambda values: ((coo(values) + coo(values)).values ** 2).sum(),
    "csr product": lambda values: (ops.csr_mv(csr(values), Tensor(VECTOR)) ** 2).sum(),
    "csr softmax": lambda values: (ops.csr_softmax(csr(values), ms.float32).values ** 2).sum(),
    "csr rows": lambda values: (csr(values).sum(1) ** 3).sum(),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_gradients(use, mode):
    gradient = ms.grad(use)(Tensor(VALUES)).asnumpy()
    step = 1e-2
    for k, e in enumerate(np.eye(3, dtype=np.float32)):
        ahead, behind = (use(Tensor(VALUES + sign * step * e)).asnumpy() for sign in (1, -1))
        assert abs(gradient[k] - (ahead - behind) / (2 * step)) < 2e-2 * max(1, abs(gradient[k]))


@pytest.mark.parametrize(
    "use",
    [
        lambda values, factor: csr(values).mv(dense_vector=factor * Tensor(VECTOR)),
        lambda values, factor: csr(values).mm(factor * Tensor(OTHER.T)),
        lambda values, factor: csr(factor * values).sum(1),
        lambda values, factor: ops.csr_softmax(csr(factor * values), ms.float32).values,
        lambda values, factor: (csr(values) + csr(factor * values)).to_dense(),
        lambda values, factor: (coo(values) * (factor * Tensor(OTHER))).to_dense(),
        lambda values, factor: coo(values).abs().to_csr().to_dense() * factor,
    ],
)
def test_mapped(use, mode):
    values, factors = Tensor(np.stack([VALUES, VALUES**2])), Tensor([2.0, 3.0])
    alone = np.stack([use(*each).asnumpy() for each in zip(values, factors, strict=True)])
    assert_close(ms.vmap(use)(values, factors).asnumpy(), alone)


@pytest.mark.parametrize("make", [coo, csr])
def test_gradient_by_a_sparse_argument_is_that_by_its_values(make, mode):
    gradient = ms.grad(lambda x: (x.abs().to_dense() ** 2).sum())(make())
    assert gradient.tolist() == (2 * VALUES).tolist()
    by_all = ops.GradOperation(get_all=True)(lambda x, y: (x.to_dense() * y).sum())(make(), Tensor(OTHER))
    assert by_all[0].tolist() == OTHER[DENSE != 0].tolist()
    assert by_all[1].tolist() == DENSE.tolist()


def test_sparse_tensors_are_pytrees():
    doubled = jax.tree.map(lambda part: part * 2, csr())
    assert type(doubled) is CSRTensor and doubled.values.tolist() == (2 * VALUES).tolist()
    assert jax.jit(lambda x: x.to_dense())(coo()).tolist() == DENSE.tolist()


def test_sparse_tensor_is_a_former_name():
    assert isinstance(SparseTensor(Tensor([[0, 1]]), Tensor([2.0]), (1, 3)), COOTensor)
