"""Recordings: found again by structure, host reads give the right values, failures leave no trace."""

import gc
import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.engine import report
from msgrad.engine.handle import scope
from msgrad.engine.recording.trace import Trace


def compiled():
    """How many programs and operations this process has compiled."""
    counts = report()
    return counts["programs compiled"], counts["operations compiled"]


def second_pass_compiles_nothing(step, *passes):
    """Runs ``step`` once for each of ``passes``, and asserts that only the first one compiled anything."""
    step(*passes[0])
    before = compiled()
    for arguments in passes[1:]:
        step(*arguments)
    assert compiled() == before


def x32(*values):
    return Tensor(np.array(values, np.float32))


def test_the_second_gradient_through_the_same_code_compiles_nothing():
    step = ms.value_and_grad(lambda x: (ops.sin(x) * x).sum())
    second_pass_compiles_nothing(step, (x32(1, 2),), (x32(3, 4),), (x32(5, 6),))


def test_a_changing_number_compiles_nothing():
    step = ms.grad(lambda x, rate: (x * x * rate).sum())
    second_pass_compiles_nothing(step, (x32(1), 0.1), (x32(1), 0.2), (x32(1), 1.0))


def test_state_written_in_the_function_compiles_nothing_and_is_kept():
    mean = Parameter(Tensor(np.zeros(2, np.float32)), name="mean", requires_grad=False)

    def forward(x):
        ops.assign(mean, mean * 0.5 + x)
        return (x * mean).sum()

    second_pass_compiles_nothing(ms.grad(forward), (x32(1, 2),), (x32(1, 2),), (x32(1, 2),))
    assert mean.asnumpy().tolist() == [1.75, 3.5]


def test_an_optimizer_step_compiles_once_even_when_the_learning_rate_changes():
    net = nn.Dense(3, 2)
    optimizer = nn.SGD(net.trainable_params(), learning_rate=0.1, momentum=0.9)
    step = ms.value_and_grad(lambda x: net(x).sum(), None, optimizer.parameters)

    def train(rate):
        optimizer.learning_rate.set_data(Tensor(rate, ms.float32))
        optimizer(step(Tensor(np.ones((4, 3), np.float32)))[1])

    train(0.1)
    second_pass_compiles_nothing(train, (0.1,), (0.05,), (0.02,))


def test_a_changed_constant_is_used():
    scale = [2.0]
    step = ms.grad(lambda x: x * scale[0])
    assert step(x32(1)).asnumpy().tolist() == [2.0]
    scale[0] = 5.0
    assert step(x32(1)).asnumpy().tolist() == [5.0]


def test_branches_and_loops_follow_values():
    def f(x):
        while x.sum() < 100:
            x = x * x
        return x if x.sum() > 1000 else x * 2

    assert ms.grad(f)(x32(3)).asnumpy().tolist() == [8 * 3.0**7]
    assert ms.grad(f)(x32(11)).asnumpy().tolist() == [44.0]


def test_a_tensor_kept_in_a_list_has_its_value_afterwards():
    kept = []

    def f(x):
        kept.append(x * 3)
        return x * x

    ms.grad(f)(x32(2))
    assert kept[0].asnumpy().tolist() == [6.0]


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_a_tensor_made_in_a_call_stays_what_it_is(mode):
    class Net(nn.Cell):
        def construct(self, x):
            indices = ops.arange(3)
            doubled = x * 2
            if doubled.sum() > 0:  # a look at a value: what comes before is run and dropped
                doubled = doubled + 1
            return doubled * indices, indices

    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        result, positions = Net()(x32(1, 2, 3))
    finally:
        ms.set_context(mode=before)
    assert result.asnumpy().tolist() == [0.0, 5.0, 14.0]
    assert positions.asnumpy().tolist() == [0, 1, 2]


def test_a_tensor_made_in_a_differentiated_function_has_its_value_afterwards():
    _, indices = ms.grad(lambda x: ((x * x).sum(), ops.arange(3)), has_aux=True)(x32(2))
    assert indices[0].asnumpy().tolist() == [0, 1, 2]


def test_a_failed_call_leaves_parameters_as_they_were():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(x32(1, 2), name="w")

        def construct(self, x):
            ops.assign(self.w, self.w + 1)
            return ops.matmul(x, Tensor(np.ones((7, 7), np.float32)))

    net = Net()
    for call in (net, ms.grad(net)):
        with pytest.raises(RuntimeError, match="MatMul"):
            call(Tensor(np.ones((2, 2), np.float32)))
        assert scope.trace is None
        assert net.w.asnumpy().tolist() == [1.0, 2.0]


def test_tensors_that_outlive_a_failed_recording_have_values(mode):
    kept = []

    class Net(nn.Cell):
        def construct(self, x):
            kept.append(x * 7)
            return ms.grad(fails)(x)

    def fails(x):
        kept.extend([x, x * 2])
        raise KeyError("at the user's line")

    x = x32(1, 2)
    for call in (Net(), ms.grad(fails)):
        with pytest.raises(KeyError):
            call(x)
    assert [(tensor + 1).asnumpy().tolist() for tensor in kept] == [[8, 15], [2, 3], [3, 5], [2, 3], [3, 5]]

    def recovers(x):
        with pytest.raises(KeyError):
            ms.grad(fails)(x)
        return (kept[-1] * x).sum()

    assert ms.grad(recovers)(x).asnumpy().tolist() == [2.0, 4.0]


def test_a_block_left_open_by_a_generator_does_no_harm():
    generators = []

    def constant(x):
        with ms._no_grad():
            yield x * x

    def f(x):
        generators.append(constant(x))
        return x * next(generators[-1])

    x = x32(1, 2)
    assert ms.grad(f)(x).asnumpy().tolist() == [0.0, 0.0]  # MindSpore's: the block is still open
    generators.clear()
    assert scope.trace is None
    assert ms.grad(lambda x: x * x)(x).asnumpy().tolist() == [2.0, 4.0]


def test_a_no_grad_block_is_its_threads_own():
    results = []
    with ms._no_grad():
        thread = threading.Thread(target=lambda: results.append(ms.grad(lambda x: x * x)(x32(3))))
        thread.start()
        thread.join()
    assert results[0].asnumpy().tolist() == [6.0]


@pytest.mark.parametrize("hold", [lambda p: None, lambda p: p.asnumpy()], ids=["free", "lent"])
def test_a_parameter_used_twice_has_one_gradient_whoever_sees_its_memory(mode, hold):
    cell = nn.Dense(2, 2, weight_init="ones", has_bias=False)
    held = hold(cell.weight)

    def f(x):
        return cell(cell(cell(x))).sum()

    gradient = ms.grad(f, None, cell.trainable_params())(x32([1, 1]))[0]
    assert gradient.asnumpy().tolist() == [[12.0, 12.0], [12.0, 12.0]], held


def test_a_value_looked_at_in_between_leaves_one_gradient(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(x32(1, 1), name="w")

        def construct(self, x):
            ops.assign(self.w, self.w + 1)

            def f(x):
                a = x * self.w
                return (a if self.w.sum() > 0 else -a) + x * self.w

            return ms.grad(f, None, self.w)(x)

    assert Net()(x32(1, 2)).asnumpy().tolist() == [2.0, 4.0]


def test_memory_seen_by_numpy_gets_what_a_call_wrote_when_it_ends(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(x32(1, 1), name="w")
            self.c = x32(9, 9)

        def construct(self, a, fails):
            b = a * self.w
            ops.assign(self.w, self.c)
            if fails:
                raise KeyError("after the write")
            return b + a * self.w

    net = Net()
    seen = net.w.asnumpy()
    with pytest.raises(KeyError):
        net(x32(1, 2), True)
    assert seen.tolist() == net.w.asnumpy().tolist() == [1.0, 1.0]
    assert net(x32(1, 2), False).asnumpy().tolist() == [10.0, 20.0]
    assert seen.tolist() == net.w.asnumpy().tolist() == [9.0, 9.0]


def test_positions_that_differ_each_time_become_operands(mode):
    rows = Tensor(np.arange(60, dtype=np.float32).reshape(30, 2))
    row = ms.grad(lambda x, i: (rows[i] * x).sum())
    piece = ms.grad(lambda x, i: (rows[i : i + 2] * x).sum())
    before = compiled()[0]
    for i in range(28):
        assert row(x32(1, 2), i).asnumpy().tolist() == [2 * i, 2 * i + 1]
        assert piece(x32(1, 2), i).asnumpy().tolist() == [4 * i + 2, 4 * i + 4]
    assert compiled()[0] - before < 20


def test_a_call_site_that_never_settles_says_so_where_it_is():
    def f(x, steps):
        for _ in range(steps):
            x = x * 1.5
        return x.sum()

    gradient = ms.grad(f)
    with pytest.warns(RuntimeWarning, match="'f' needed .* the number of its operations changes") as warned:
        for steps in range(1, 30):
            assert gradient(x32(1), steps).asnumpy().tolist() == [pytest.approx(1.5**steps, rel=1e-6)]
    assert [warning.filename for warning in warned] == [__file__]


def test_equal_arrays_in_two_parameters_have_separate_gradients():
    shared = Tensor(np.ones(2, np.float32))
    a, b = Parameter(shared, name="a"), Parameter(shared, name="b")
    b.set_data(a)
    by_a, by_b = ms.grad(lambda x: x * a + 5 * b, None, [a, b])(x32(2, 3))
    assert by_a.asnumpy().tolist() == [2.0, 3.0]
    assert by_b.asnumpy().tolist() == [5.0, 5.0]


def test_threads_record_on_their_own():
    results, barrier = {}, threading.Barrier(4)

    def work(n):
        def f(x):
            barrier.wait(timeout=30)
            return x**n

        results[n] = ms.grad(f)(x32(2)).asnumpy().tolist()

    threads = [threading.Thread(target=work, args=(n,)) for n in (1, 2, 3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {1: [1.0], 2: [4.0], 3: [12.0], 4: [32.0]}


def test_jax_transforms_pass_through():
    def f(x):
        return jnp.asarray(ops.sin(Tensor._wrap(x)).sum()._array_())

    x = jnp.asarray([0.5, 1.0], jnp.float32)
    np.testing.assert_allclose(jax.jit(f)(x), np.sin([0.5, 1.0]).sum(), rtol=1e-6)
    np.testing.assert_allclose(jax.grad(f)(x), np.cos([0.5, 1.0]), rtol=1e-6)


def test_a_cell_is_a_pytree_under_jax():
    net = nn.Dense(3, 2)
    x = jnp.ones((4, 3), jnp.float32)

    def loss(net, x):
        return jnp.sum(jnp.asarray(net(Tensor._wrap(x))._array_()) ** 2)

    gradients = jax.grad(loss)(net, x)
    weight, bias = net.weight.asnumpy(), net.bias.asnumpy()
    out = np.asarray(x) @ weight.T + bias
    np.testing.assert_allclose(jax.jit(loss)(net, x), (out**2).sum(), rtol=1e-5)
    np.testing.assert_allclose(np.asarray(gradients.weight._array_()), 2 * out.T @ np.asarray(x), rtol=1e-5)


def test_a_program_can_be_read():
    trace = Trace("listing")
    scope.trace = trace
    try:
        x = trace.input(x32(*range(7)))  # a shape of its own: equal programs keep the line that a tool saw first
        y = ops.sin(x) * x
        index = trace.place(y)
    finally:
        scope.trace = None
    program = trace.step.close()
    assert str(program).splitlines() == [
        "leaf 0: float32[7]",
        "%0: float32[7] = Sin(leaf 0)",
        "%1: float32[7] = Mul(%0, leaf 0)",
    ]
    assert index == 1
    assert "sin" in str(program.jaxpr())


@pytest.mark.parametrize("has_jaxpr", [True, False])
def test_an_operation_is_one_function_for_all_of_its_uses(has_jaxpr):
    """Also without its jaxpr, as if it were from the disk: programs of several sizes must have one structure."""
    trace = Trace("shared")
    scope.trace = trace
    try:
        x = trace.input(x32(*range(5)))
        for _ in range(3):
            x = ops.softsign(x)
    finally:
        scope.trace = None
    program = trace.step.close()
    if not has_jaxpr:
        program.nodes[0].fn.drop()
    functions = [each.params["jaxpr"] for each in program.jaxpr().eqns if "jaxpr" in each.params]
    assert len(functions) == 3 and len(set(map(id, functions))) == 1  # so JAX differentiates and lowers it once


def test_vmap_has_no_single_value():
    with pytest.raises(RuntimeError, match="inside 'vmap'"):
        ms.vmap(lambda x: x if x.asnumpy() > 0 else -x)(x32(1, -2))


def test_a_recording_is_gone_when_its_call_is_over():
    def recordings():
        return sum(isinstance(each, Trace) for each in gc.get_objects())

    class Ruled(nn.Cell):
        def construct(self, x):
            return x * 2

        def bprop(self, x, out, dout):
            return (dout * 3,)

    gradient, net, ruled, x = ms.grad(lambda x: x * x), nn.Dense(2, 2), Ruled(), x32(1, 2)
    looking = ms.grad(lambda x: x * 2 if x.sum() > 0 else x)
    by_rule = ms.grad(lambda x: ruled(x * 2) * 3)
    gc.collect()
    gc.disable()
    try:
        before = recordings()
        for _ in range(3):
            gradient(x), net(x32(1, 2).reshape(1, 2)), looking(x), by_rule(x)
        assert recordings() == before
    finally:
        gc.enable()
