"""``grad``, ``value_and_grad``, ``GradOperation``: which gradients they return, and in which structure."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops


def x32(*values):
    return Tensor(np.array(values, np.float32))


X, Y, S = (1.0, 2.0), (3.0, 4.0), (10.0, 100.0)


def plain(value):
    """``value`` with every Tensor as a list, for comparison."""
    if isinstance(value, Tensor):
        return value.asnumpy().tolist()
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def squared_times(a, b):
    return a * a * b


class Scaled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(x32(5, 7), name="w")
        self.b = Parameter(x32(0, 1), name="b")

    def construct(self, a):
        return a * self.w + self.b


D_A, D_B = [6.0, 16.0], [1.0, 4.0]  # of squared_times at X, Y


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (0, D_A),
        (1, D_B),
        ((0,), D_A),
        ((0, 1), (D_A, D_B)),
        ((1, 0), (D_B, D_A)),
    ],
)
def test_positions(mode, position, expected):
    assert plain(ms.grad(squared_times, position)(x32(*X), x32(*Y))) == expected


@pytest.mark.parametrize(
    ("pick", "expected"),
    [
        (lambda net: net.w, [1.0, 2.0]),
        (lambda net: [net.w], ([1.0, 2.0],)),
        (lambda net: [net.b, net.w], ([1.0, 1.0], [1.0, 2.0])),
        (lambda net: ms.ParameterTuple([net.w, net.b]), ([1.0, 2.0], [1.0, 1.0])),
        (lambda net: [net.w, net.w], ([1.0, 2.0], [1.0, 2.0])),
        (lambda net: [], ()),
    ],
)
def test_weights(mode, pick, expected):
    net = Scaled()
    assert plain(ms.grad(net, None, pick(net))(x32(*X))) == expected
    assert plain(ms.grad(net, 0, pick(net))(x32(*X))) == ([5.0, 7.0], expected)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((None,), "The 'grad_position' and the 'weights' must not both be None: give at least one of them."),
        ((-1,), "For 'F.grad', the 'grad_position' must be non-negative, but got -1 (int)."),
        (((0, -1),), "For 'F.grad', the 'grad_position' must be non-negative, but got (0, -1) (tuple)."),
        (((0, 0),), "For 'F.grad', the 'grad_position' must be without repeated positions, but got (0, 0) (tuple)."),
    ],
)
def test_bad_positions(arguments, message):
    with pytest.raises(ValueError) as caught:
        ms.grad(squared_times, *arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize("position", [[0], 0.0, "0", {0}])
def test_positions_of_a_wrong_type(position):
    with pytest.raises(TypeError, match="For 'F.grad', the 'grad_position' must be an int or a tuple of ints"):
        ms.grad(squared_times, position)


def test_a_position_past_the_inputs():
    with pytest.raises(RuntimeError, match="The 'grad_position' 2 is beyond the 2 arguments of the call."):
        ms.grad(squared_times, 2)(x32(*X), x32(*Y))


def test_the_value_comes_as_the_function_returned_it(mode):
    def f(a):
        return [a * a, {"k": 3 * a}, 7, None]

    value, gradient = ms.value_and_grad(f)(x32(*X))
    assert plain(value) == [[1.0, 4.0], {"k": [3.0, 6.0]}, 7, None]
    assert plain(gradient) == [5.0, 7.0]


@pytest.mark.parametrize("output", [1, None, "s", (1, "s")])
def test_constant_outputs_have_zero_gradients(mode, output):
    assert plain(ms.grad(lambda a: output)(x32(*X))) == [0.0, 0.0]


def test_aux_is_returned_and_not_differentiated(mode):
    def f(a, b):
        return a * b, a + b, [b]

    gradient, aux = ms.grad(f, has_aux=True)(x32(*X), x32(*Y))
    assert plain(gradient) == list(Y)
    assert plain(aux) == ([4.0, 6.0], [list(Y)])


def test_return_ids(mode):
    net = Scaled()
    result = ms.grad(net, 0, [net.w], return_ids=True)(x32(*X))
    assert plain(result) == ((0, [5.0, 7.0]), (("w", [1.0, 2.0]),))
    assert plain(ms.get_grad(result, net.w)) == [1.0, 2.0]
    with pytest.raises(RuntimeError, match="There is no gradient for the position or Parameter 3"):
        ms.get_grad(result, 3)


def test_sens_is_the_cotangent(mode):
    gradient = ops.GradOperation(sens_param=True)(squared_times)(x32(*X), x32(*Y), x32(*S))
    assert plain(gradient) == [60.0, 1600.0]
    assert plain(ms.grad(squared_times, 0, True)(x32(*X), x32(*Y), x32(*S))) == [60.0, 1600.0]  # MindSpore 1.6


@pytest.mark.parametrize("sens", [Tensor(np.array([1, 2], np.int32)), x32(1, 2, 3)])
def test_sens_that_does_not_fit(mode, sens):
    with pytest.raises((TypeError, ValueError)):
        ms.grad(squared_times, 0, sens_param=True)(x32(*X), x32(*Y), sens)


def test_integers_have_integer_gradients(mode):
    ints = Tensor(np.array([1, 2], np.int32))
    gradient = ms.grad(lambda a: a * a)(ints)
    assert (gradient.dtype, plain(gradient)) == (ms.int32, [2, 4])
    gradient = ms.grad(lambda a: a.astype(ms.float32) * 2.5)(ints)
    assert (gradient.dtype, plain(gradient)) == (ms.int32, [2, 2])


def written_to(a, b):
    a = a * 1
    a[:2] = b
    return a


# Operations whose operands have one dtype: the constant one is a float, too, where gradients are computed.
OF_ONE_DTYPE = {
    "matmul": ops.matmul,
    "stack": lambda a, b: ops.stack([a[:2], b]),
    "IndexAdd": lambda a, b: ops.IndexAdd(0)(a * 1, Tensor([0, 2], ms.int32), b),
    "tensor_scatter_mul": lambda a, b: ops.tensor_scatter_mul(a, Tensor([[0], [2]], ms.int32), b),
    "slice_scatter": lambda a, b: ops.slice_scatter(a, b, 0, 0, 2),
    "masked_fill": lambda a, b: ops.masked_fill(a, a > 2, b[0, 0]),
    "cross": lambda a, b: ops.cross(a, ops.concat([b, b[:1]]), 0),
    "setitem": written_to,
}


@pytest.mark.parametrize("name", OF_ONE_DTYPE)
def test_integers_have_the_gradients_of_floats_beside_a_constant(name):
    f, a, b = OF_ONE_DTYPE[name], np.arange(6).reshape(3, 2), np.array([[1, 2], [3, 4]])
    for position in (0, 1):
        ints, floats = [
            ms.grad(f, position)(Tensor(a.astype(dtype)), Tensor(b.astype(dtype))) for dtype in (np.int32, np.float32)
        ]
        assert (ints.dtype, plain(ints)) == (ms.int32, plain(floats))


@pytest.mark.parametrize("dtype", [ms.int32, ms.bool_, ms.float16, ms.float64])
def test_a_cast_has_the_identity_as_gradient(mode, dtype):
    assert plain(ms.grad(lambda a: (a * a).astype(dtype))(x32(*X))) == [2.0, 4.0]


def test_values_that_are_no_tensors_are_dropped(mode):
    def f(a, scale, b):
        return a * scale * b

    assert plain(ms.grad(f, (0, 1, 2))(x32(*X), 3.0, x32(*Y))) == ([9.0, 12.0], [3.0, 6.0])
    assert plain(ms.grad(f, (0, 1))(x32(*X), 3.0, x32(*Y))) == [9.0, 12.0]
    assert ms.grad(f, 1)(x32(*X), 3.0, x32(*Y)) == ()


def test_equal_inputs_have_separate_gradients(mode):
    x = x32(*X)
    assert plain(ms.grad(lambda a, b: 2 * a + 3 * b, (0, 1))(x, x)) == ([2.0, 2.0], [3.0, 3.0])


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ((False, False), [5.0, 7.0]),
        ((True, False), ([5.0, 7.0],)),
        ((False, True), ([1.0, 2.0], [1.0, 1.0])),
        ((True, True), (([5.0, 7.0],), ([1.0, 2.0], [1.0, 1.0]))),
    ],
)
def test_grad_operation(mode, flags, expected):
    net = Scaled()
    weights = ms.ParameterTuple(net.trainable_params())
    assert plain(ops.GradOperation(*flags)(net, weights)(x32(*X))) == expected


def test_grad_operation_finds_the_weights_used():
    net = Scaled()
    assert plain(ops.GradOperation(get_by_list=True)(net)(x32(*X))) == ([1.0, 2.0], [1.0, 1.0])


def test_a_tied_weight_has_one_summed_gradient(mode):
    class Tied(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = Parameter(x32(2, 3), name="a")
            self.b = self.a

        def construct(self, x):
            return x * self.a + self.b

    net = Tied()
    assert len(net.trainable_params()) == 1
    assert plain(ms.grad(net, None, net.trainable_params())(x32(*X))) == ([2.0, 3.0],)


def test_higher_orders(mode):
    f, expected = lambda a: a * a * a * a, [4.0, 12.0, 24.0, 24.0, 0.0]
    for value in expected:
        f = ms.grad(f)
        assert plain(f(x32(1.0))) == [value]


def test_second_derivative_through_reductions(mode):
    assert plain(ms.grad(ms.grad(lambda a: a.sum() ** 2))(x32(*X))) == [4.0, 4.0]


def test_assignments_take_effect_once_and_stop_gradients(mode):
    class Counter(nn.Cell):
        def __init__(self):
            super().__init__()
            self.n = Parameter(x32(0), name="n", requires_grad=False)
            self.w = Parameter(x32(1), name="w")

        def construct(self, a):
            ops.assign(self.n, self.n + 1)
            ops.assign(self.w, a * 10)
            return a * self.w

    net = Counter()
    gradients = ms.grad(net, 0, [net.w])
    for count in (1, 2, 3):
        assert plain(gradients(x32(3))) == ([30.0], ([3.0],))
        assert (plain(net.n), plain(net.w)) == ([float(count)], [30.0])


@pytest.mark.parametrize(
    ("write", "by_input", "by_weight"),
    [(ops.assign, [0.0, 0.0], [3.0, 3.0]), (ops.assign_add, [6.0, 12.0], [3.0, 3.0])]
    + [(ops.assign_sub, [-6.0, -12.0], [3.0, 3.0])],
)
def test_the_result_of_an_assignment_has_a_gradient(mode, write, by_input, by_weight):
    w = Parameter(Tensor([1.0, 1.0]), name="w")

    def f(x):
        return write(w, x * x) * 3

    x = Tensor([1.0, 2.0])
    assert ms.grad(f)(x).asnumpy().tolist() == by_input
    assert ms.grad(f, None, w)(x).asnumpy().tolist() == by_weight


def test_complex_gradients_are_conjugate():
    z = Tensor(np.array([1 + 2j], np.complex64))
    (gradient,) = ms.grad(lambda a: ops.exp(a))(z).asnumpy()
    np.testing.assert_allclose(gradient, np.conj(np.exp(1 + 2j)), rtol=1e-5)


def test_a_parameter_as_input_and_as_weight():
    w = Parameter(Tensor(np.array([2.0, 3.0], np.float32)), name="w")
    by_input, (by_weight,) = ms.grad(lambda p: p * w, 0, [w])(w)
    assert by_input.asnumpy().tolist() == by_weight.asnumpy().tolist() == [4.0, 6.0]
