"""Arguments of operations: the canonical form of static ones, and caches of earlier calls."""

import threading

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad._contracts.contracts import Array, Axis
from msgrad.ops._core.define import op
from msgrad.ops._core.faces import Dialect
from msgrad.tools.instrumentation import recording_of

HERE = Dialect("mindspore.here")
X = Tensor(np.arange(24, dtype=np.float32).reshape(2, 3, 4))
W = Tensor(np.ones((2, 3, 1, 1), np.float32))
IMAGE = Tensor(np.ones((1, 3, 4, 4), np.float32))
SCOPE = {"ms": ms, "mint": ms.mint, "nn": nn, "np": np, "ops": ops, "x": X, "w": W, "image": IMAGE}

# Forms of one operation, which are compiled once.
SAME = [
    ("ops.softmax(x, 0)", "x.softmax(0)", "ops.softmax(x, axis=0)", "ops.Softmax(0)(x)", "nn.Softmax(0)(x)"),
    ("ops.softmax(x)", "ops.softmax(x, -1)", "x.softmax(-1)", "ops.Softmax()(x)", "ops.softmax(axis=-1, input=x)"),
    ("ops.log_softmax(x, 1)", "ops.LogSoftmax(1)(x)", "nn.LogSoftmax(1)(x)"),
    ("ops.sum(x, 1)", "x.sum(1)", "x.sum(axis=1, keepdims=False)", "ops.sum(x, dim=1)", "mint.sum(x, 1)"),
    ("ops.sum(x)", "x.sum()", "x.sum(None)", "mint.sum(x)"),
    ("ops.cumsum(x, 1)", "ops.cumsum(x, axis=1, dtype=None)", "ops.cumsum(x, np.int64(1))"),
    ("ops.transpose(x, (0, 2, 1))", "ops.transpose(x, [0, 2, 1])", "ops.Transpose()(x, (0, 2, 1))"),
    ("ops.concat([x, x], 1)", "ops.cat((x, x), axis=1)", "ops.Concat(1)((x, x))", "ops.concat(axis=1, tensors=[x, x])"),
    ("ops.leaky_relu(x, 0.5)", "ops.leaky_relu(x, alpha=0.25)", "nn.LeakyReLU(0.75)(x)"),
    ("ops.gelu(x)", "ops.gelu(x, 'none')", "ops.gelu(input=x, approximate='none')"),
    ("ops.conv2d(image, w)", "ops.conv2d(image, w, None, 1)", "ops.conv2d(image, w, stride=(1, 1), groups=1)"),
    ("ops.matmul(w, w)", "ops.matmul(input=w, other=w)", "ops.matmul(other=w, input=w)"),
]


def program_of(text):
    """What is recorded for an expression: one object for equal recordings."""
    return recording_of(lambda: eval(text, SCOPE), (), text)[0]


@pytest.mark.parametrize("forms", SAME, ids=lambda forms: forms[0])
def test_all_forms_of_a_call_are_one_operation(forms):
    programs = [program_of(form) for form in forms]
    assert all(program is programs[0] for program in programs), [str(program) for program in programs]


def defined(**kinds):
    """An operation ``told(x, value=None)`` that notes each ``value`` it is traced for, and the list of these."""
    told = []

    def told_of(x: Array, value=None):
        told.append(value)
        return x + 0

    told_of.__annotations__.update(kinds)
    return op(name=f"_told_{len(HERE.functions)}", dialect=HERE)(told_of), told


def test_values_that_are_equal_to_python_are_told_apart():
    face, told = defined()
    values = [1, True, 1.0, 0, False, 0.0, -0.0, "1", (1,), (True,), (1.0,), [1], [True], (), [], float("nan"), None]
    values += [((1, 0), (0, 1)), ((True, 0), (0, 1)), ((1, 0), (0, (1,))), ((1, 0), [0, 1]), ((1, 0.0), (0, 1))]
    for value in values * 2:
        face(X, value)
    assert sorted(map(repr, told)) == sorted(map(repr, values))


def test_a_list_counts_as_it_is_at_the_call():
    axes = [0]
    assert [ops.sum(X, axes).shape, ops.sum(X, axes).shape] == [(3, 4)] * 2
    axes[0] = 1
    assert ops.sum(X, axes).shape == (2, 4)
    axes.append(2)
    assert ops.sum(X, axes).shape == (2,)


def test_an_operand_counts_after_a_call_without_it():
    logits, labels, weight = Tensor([0.5]), Tensor([1.0]), Tensor([3.0])
    reduction = "sum"  # the same object at each call
    plain = ops.binary_cross_entropy(logits, labels, None, reduction).item()
    assert ops.binary_cross_entropy(logits, labels, None, reduction).item() == plain
    weighted = ops.binary_cross_entropy(logits, labels, weight, reduction).item()
    assert weighted == pytest.approx(3 * plain)
    assert ops.binary_cross_entropy(logits, labels, None, reduction).item() == plain


def test_arrays_and_functions_with_values_inside_are_not_remembered():
    face, told = defined()
    array = np.arange(3)
    for value in (array, [array], lambda: array):
        face(X, value)
        assert not face.op.arguments.known
    assert len(told) == 3


@pytest.mark.parametrize("value", [(2, 3), ((1, 0), (0, (1, None))), np.dtype(np.float32), np.float32, ms.float32])
def test_tuples_and_dtypes_are_remembered(monkeypatch, value):
    face, _ = defined()
    face(X, value)
    monkeypatch.setattr(face.op.arguments, "_sorted", None)
    face(X, value)
    assert face.op.arguments.known


def test_few_calls_are_remembered():
    face, _ = defined(value=Axis | None)
    for value in range(2 * face.op.arguments.maximum):
        face.op.arguments.sort((X, value), {})
    assert 0 < len(face.op.arguments.known) <= face.op.arguments.maximum


def test_what_does_not_fit_is_refused_after_what_fits_too():
    for _ in range(2):
        ops.softmax(X, 0)
        with pytest.raises(TypeError, match="multiple values for argument 'axis'"):
            ops.softmax(X, 0, axis=0)
        with pytest.raises(TypeError, match=r"^softmax\(\) got an unexpected keyword argument 'dim'"):
            ops.softmax(X, dim=0)
        with pytest.raises(TypeError, match=r"^softmax\(\) takes from 1 to 2 positional arguments but 4"):
            ops.softmax(X, 0, None, 1)
        with pytest.raises(TypeError, match=r"^softmax\(\) missing 1 required positional argument: 'input'"):
            ops.softmax(axis=0)
        with pytest.raises(TypeError, match="For 'softmax', the 'axis' must be an int"):
            ops.softmax(X, True)
        with pytest.raises(ValueError, match="For 'Softmax', the 'axis' must be in the range"):
            ops.softmax(X, 3)
        with pytest.raises(TypeError, match="For 'softmax', the 'input' must be a Tensor"):
            ops.softmax([1.0], 0)
        with pytest.raises(TypeError, match="'input_indices' must be a Tensor of int16 or int32 or int64"):
            ops.gather(X, X, 0)
        ops.gather(X, Tensor([0]), 0)


def test_numbers_are_checked_at_each_call_and_compile_nothing():
    one, other = program_of("ops.leaky_relu(x, 0.5)"), program_of("ops.leaky_relu(x, 0.25)")
    assert one is other
    assert [ops.leaky_relu(Tensor([-1.0]), slope).tolist() for slope in (0.5, 0.25)] == [[-0.5], [-0.25]]
    with pytest.raises(TypeError, match="'alpha' must be"):
        ops.leaky_relu(X, "0.5")


def test_numbers_that_are_the_same_objects_follow_the_tensor():
    low, high, zero, negative = 0.5, 1.5, 0.0, -0.0
    tensors = Tensor([0.0, 2.0]), Tensor([0, 2]), Tensor([0.0, 2.0], ms.float16)
    clamped = [ops.clamp(x, low, high) for x in tensors for _ in range(3)]
    assert [each.dtype for each in clamped[::3]] == [ms.float32, ms.float32, ms.float16]
    assert all(each.tolist() == [0.5, 1.5] for each in clamped)
    assert [np.signbit(ops.clamp(Tensor([-1.0]), each, high).asnumpy())[0] for each in (zero, negative) * 2] == [
        0,
        1,
    ] * 2
    gradient = ms.grad(lambda x: (ops.clamp(x, low, high) * x).sum())
    assert [gradient(Tensor([1.0, 2.0])).tolist() for _ in range(2)] == [[2.0, 1.5]] * 2
    assert ops.clamp(Tensor([0.0, 2.0]), low, Tensor(1.0)).tolist() == [0.5, 1.0]


def test_a_method_of_several_signatures_tells_equal_arguments_apart():
    axes = [0]
    for _ in range(3):
        assert [X.sum(axis).shape for axis in (0, 1, None, (0, 1), axes)] == [(3, 4), (2, 4), (), (4,), (3, 4)]
        assert X.sum(1, True).shape == X.sum(1, keepdims=True).shape == X.sum(axis=1, keepdims=True).shape == (2, 1, 4)
        assert X.mean(0).shape == (3, 4) and X.reshape(4, 6).shape == X.reshape((4, 6)).shape == (4, 6)
        assert X.sum(dtype=ms.int32).dtype is ms.int32 and X.sum().dtype is ms.float32
        with pytest.raises(TypeError):
            X.sum(True)
        with pytest.raises(ValueError):
            X.sum(3)
    axes[0] = 1
    assert X.sum(axes).shape == (2, 4)
    assert (X > 0).sum().item() == 23 and (X > 0).sum(0).dtype is ms.int64


def test_an_attribute_that_is_changed_counts():
    concat = ops.Concat(0)
    assert concat((X, X)).shape == (4, 3, 4)
    concat.axis = 1
    assert concat((X, X)).shape == (2, 6, 4)
    concat.add_prim_attr("axis", 2)
    assert concat((X, X)).shape == (2, 3, 8)
    concat.axis = 3
    with pytest.raises(ValueError, match="in the range"):
        concat((X, X))
    layer = nn.Softmax(0)
    before = layer(X).asnumpy()
    layer.axis = 1
    assert not np.array_equal(layer(X).asnumpy(), before)


def test_threads_share_what_is_remembered():
    face, _ = defined(value=Axis | None)
    wrong = []

    def work(first):
        for value in range(first, first + 300):
            _, static = face.op.arguments.sort((X, value), {})
            if static[0][1] != value:
                wrong.append(value)

    threads = [threading.Thread(target=work, args=(200 * k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
