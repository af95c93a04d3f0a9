"""``saved_tensors_hooks``: which Tensors are packed, when, and what unpacking does. Figures are MindSpore's own."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops

A, B = [1.0, 2.0, 3.0], [0.5, 0.75, 1.5]


class Seen:
    """Hooks that note what they are called with."""

    def __init__(self, pack=lambda x: x, unpack=lambda kept: kept):
        self.events = []
        self.pack, self.unpack = pack, unpack

    def hooks(self):
        def pack(x):
            self.events.append(("pack", x.asnumpy().tolist()))
            return self.pack(x)

        def unpack(kept):
            value = self.unpack(kept)
            self.events.append(("unpack", value.asnumpy().tolist()))
            return value

        return ms.saved_tensors_hooks(pack, unpack)

    def gradient(self, f, *inputs):
        def hooked(*args):
            with self.hooks():
                return f(*args)

        gradients = ms.grad(hooked, tuple(range(len(inputs))))(*[Tensor(np.float32(value)) for value in inputs])
        return [gradient.asnumpy() for gradient in (gradients if isinstance(gradients, tuple) else (gradients,))]


def each(*values):
    return [("pack", value) for value in values] + [("unpack", value) for value in values]


@pytest.mark.parametrize(
    "f, inputs, events, expected",
    [
        (lambda x, y: x * y, (A, B), each(A, B), [B, A]),
        (lambda x: x * x, (A,), each(A, A), [[2.0, 4.0, 6.0]]),
        (lambda x, y: x + y, (A, B), [], [[1.0] * 3, [1.0] * 3]),
        (lambda x: x * 2, (A,), [], [[2.0] * 3]),
        (ops.neg, (A,), [], [[-1.0] * 3]),
        (ops.sqrt, ([1.0, 4.0],), each([1.0, 2.0]), [[0.5, 0.25]]),
        (ops.reciprocal, ([1.0, 2.0],), each([1.0, 0.5]), [[-1.0, -0.25]]),
        (ops.square, (A,), each(A), [[2.0, 4.0, 6.0]]),
        (lambda x: x.sum(), (A,), [], [[1.0] * 3]),
        (lambda x: x[0], (A,), [], [[1.0, 0.0, 0.0]]),
        (lambda x, y: ops.cat((x, y)), (A, B), [], [[1.0] * 3, [1.0] * 3]),
        (lambda x, y: ops.where(x > y, x, y), (A, B), each([True] * 3), [[1.0] * 3, [0.0] * 3]),
        # what no gradient flows through is packed and never unpacked
        (lambda x: (x * x, x)[1], (A,), [("pack", A), ("pack", A)], [[1.0] * 3]),
    ],
)
def test_what_is_kept(f, inputs, events, expected):
    seen = Seen()
    gradients = seen.gradient(f, *inputs)
    assert seen.events == events
    for gradient, value in zip(gradients, expected, strict=True):
        np.testing.assert_array_equal(gradient, np.float32(value))


@pytest.mark.parametrize("name", ["exp", "tanh", "sigmoid", "sqrt", "rsqrt", "reciprocal", "relu"])
def test_kept_results_give_the_gradient(name, compiled):
    f = getattr(ops, name)
    x = np.float32([0.3, 0.6, 1.2])  # below 2, where the last digit of tanh changes 1 - tanh**2 by more than 1e-6
    seen = Seen()
    (gradient,) = seen.gradient(f, x)
    assert [value for _, value in seen.events] == [f(Tensor(x)).asnumpy().tolist()] * 2
    np.testing.assert_allclose(gradient, ms.grad(f)(Tensor(x)).asnumpy(), rtol=1e-6)


def test_backward_pass_unpacks_the_last_operation_first():
    seen = Seen()
    seen.gradient(lambda x: ops.sqrt(ops.square(x) * 4), [1.0, 2.0])
    assert [kind for kind, _ in seen.events] == ["pack", "pack", "unpack", "unpack"]
    assert [value for _, value in seen.events] == [[1.0, 2.0], [2.0, 4.0], [2.0, 4.0], [1.0, 2.0]]


@pytest.mark.parametrize(
    "pack, unpack, expected",
    [
        (lambda x: x * 2, lambda kept: kept, [4.0, 8.0, 12.0]),
        (lambda x: x.asnumpy(), Tensor, [2.0, 4.0, 6.0]),
        (lambda x: (x, 1), lambda kept: kept[0], [2.0, 4.0, 6.0]),
        (lambda x: x.astype(ms.float16), lambda kept: kept, [2.0, 4.0, 6.0]),
        (lambda x: None, lambda kept: Tensor(np.float32(B)), [1.0, 1.5, 3.0]),
    ],
    ids=["other value", "numpy", "tuple", "half", "nothing"],
)
def test_what_hooks_may_return(pack, unpack, expected):
    (gradient,) = Seen(pack, unpack).gradient(lambda x: x * x, A)
    assert gradient.dtype == np.float32
    assert gradient.tolist() == expected


def test_weights_and_layers():
    net = nn.Dense(3, 2, weight_init="ones")
    seen = Seen()

    def forward(x):
        with seen.hooks():
            return net(x)

    x = Tensor(np.float32([[1, 2, 3]]))
    value, (weight, bias) = ms.value_and_grad(forward, None, net.trainable_params())(x)
    assert [kind for kind, _ in seen.events] == ["pack", "pack", "unpack", "unpack"]
    assert seen.events[:2] == [("pack", [[1.0, 2.0, 3.0]]), ("pack", [[1.0] * 3] * 2)]
    assert weight.asnumpy().tolist() == [[1.0, 2.0, 3.0]] * 2 and bias.asnumpy().tolist() == [1.0, 1.0]
    assert value.shape == (1, 2)


def test_the_innermost_context_counts():
    outer, inner = Seen(), Seen()

    def f(x):
        with outer.hooks():
            y = ops.square(x)
            with inner.hooks():
                y = ops.square(y)
            return ops.square(y)

    assert ms.grad(f)(Tensor([2.0])).asnumpy().tolist() == [1024.0]
    assert inner.events == [("pack", [4.0]), ("unpack", [4.0])]
    assert outer.events == [("pack", [2.0]), ("pack", [16.0]), ("unpack", [16.0]), ("unpack", [2.0])]


def test_context_around_grad_and_outside_of_it():
    seen = Seen()
    with seen.hooks():
        assert (Tensor([3.0]) * Tensor([2.0])).asnumpy().tolist() == [6.0]
        assert seen.events == []
        assert ms.grad(ops.square)(Tensor([3.0])).asnumpy().tolist() == [6.0]
    assert seen.events == each([3.0])
    ms.grad(ops.square)(Tensor([3.0]))
    assert len(seen.events) == 2


def test_second_gradient_needs_the_packed_tensor_itself():
    x = Tensor([2.0])

    def second(unpack):
        def f(x):
            with ms.saved_tensors_hooks(lambda kept: kept, unpack):
                return x * x * x

        return ms.grad(ms.grad(f))(x)

    assert second(lambda kept: kept).asnumpy().tolist() == [12.0]
    with pytest.raises(RuntimeError, match="the packed Tensor itself"):
        second(lambda kept: kept * 1)


def _raise(x):
    raise ValueError("boo")


@pytest.mark.parametrize(
    "pack, unpack, error, message",
    [
        (_raise, lambda kept: kept, ValueError, "boo"),
        (lambda x: x, _raise, ValueError, "boo"),
        (lambda x: x, lambda kept: 3, RuntimeError, "'unpack_hook' must return a Tensor, but got int"),
        (lambda x: x, lambda kept: kept[:2], ValueError, r"shape \[3\], but got \[2\]"),
    ],
)
def test_errors(pack, unpack, error, message):
    def f(x):
        with ms.saved_tensors_hooks(pack, unpack):
            return x * x

    with pytest.raises(error, match=message):
        ms.grad(f)(Tensor(np.float32(A)))
    assert ms.grad(lambda x: x * x)(Tensor([1.0])).asnumpy().tolist() == [2.0]


def test_hooks_must_be_callable():
    with pytest.raises(TypeError, match="'unpack_hook' must be callable, but got int"):
        ms.saved_tensors_hooks(lambda x: x, 2)


def test_graph_mode_refuses(graph_mode):
    with pytest.raises(TypeError, match="PYNATIVE_MODE only"), ms.saved_tensors_hooks(lambda x: x, lambda kept: kept):
        pass
