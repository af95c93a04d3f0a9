"""JAX's options are the user's: msgrad's hold while it traces, compiles and launches, in each thread, and only then."""

import os
import subprocess
import sys
import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.engine import jax_options

PROGRAM = """
import threading
import jax
import jax.numpy as jnp

def seen():
    key = jax.random.key(0)
    made = jnp.ones(2), jax.random.normal(key, (2,)), jnp.arange(3.0), jnp.arange(3), jnp.asarray(2.5)
    text = str(jax.make_jaxpr(lambda x: jnp.sin(x) @ x)(jnp.ones(2)))
    return {**jax.config.values, "dtypes": [each.dtype for each in made], "jaxpr": text}

before = seen()
import numpy as np
import msgrad as ms
from msgrad import Tensor, nn, ops
assert seen() == before, "import"

def use():
    x = Tensor(np.ones((2, 3)))
    net = nn.SequentialCell(nn.Dense(3, 4, dtype=ms.float64), nn.ReLU(), nn.Dense(4, 1, dtype=ms.float64))
    optimizer = nn.Adam(net.trainable_params(), 0.1)
    step = ms.value_and_grad(lambda x: net(x).sum(), None, optimizer.parameters)
    for _ in range(4):
        loss, gradients = step(x)
        optimizer(gradients)
    assert loss.dtype == gradients[0].dtype == net(x).dtype == ms.float64
    assert ops.argmax(x, 1).dtype == ops.unique(Tensor([1, 2, 1]))[1].dtype == ms.int64
    assert ops.randn(3).dtype == ms.float32 and ops.matmul(x, x.T).asnumpy().dtype == np.float64
    try:
        ops.add(x, Tensor(np.ones(7)))
    except ValueError:
        pass
    assert seen() == before, "use"

def run(failures):
    try:
        use()
    except BaseException as error:
        failures.append(error)

for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
    ms.set_context(mode=mode)
    ms.set_device("CPU")
    use()
    failures = []
    threads = [threading.Thread(target=run, args=(failures,)) for _ in range(2)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not failures, failures
assert seen() == before, "end"
print("as before")
"""


@pytest.mark.parametrize("tiers", ["on", "off"])
def test_options_and_dtypes_of_the_users_stay(tiers, tmp_path):
    environment = {**os.environ, "MSGRAD_TIERS": tiers, "MSGRAD_CACHE": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
    assert ran.stdout.strip() == "as before", ran.stderr


def test_values_keep_64_bits_under_options_of_the_users(mode):
    x, net = Tensor([1.0, 2.0], ms.float64), nn.Dense(2, 2, dtype=ms.float64)

    def results():
        y = net(x * 1.5)
        return [y, ops.cumsum(y, 0), ops.argmax(y), ms.grad(lambda x: (net(x) ** 2).sum())(x), ops.sort(y)[1]]

    expected = [each.asnumpy() for each in results()]
    for options in (jax.enable_x64(True), jax.numpy_dtype_promotion("strict"), jax.numpy_rank_promotion("raise")):
        with options:
            actual = [each.asnumpy() for each in results()]
        for one, other in zip(actual, expected, strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other)


def test_an_error_leaves_the_options():
    before = jax.config.values
    for wrong in (lambda: ops.matmul(Tensor([1.0, 2.0]), Tensor([1.0])), lambda: ops.svd(Tensor([1.0]))):
        with pytest.raises((ValueError, TypeError, RuntimeError)):
            wrong()
    assert jax.config.values == before and not jax_options.is_own()


def test_a_thread_has_its_own_options():
    inside, outside, seen = threading.Event(), threading.Event(), []

    def work():
        with jax_options.Tracing():
            inside.set()
            outside.wait(10)
            seen.append(jnp.ones(2).dtype)

    thread = threading.Thread(target=work)
    thread.start()
    inside.wait(10)
    seen.append(jnp.ones(2).dtype)
    outside.set()
    thread.join()
    assert seen == [np.float32, np.float64]


@pytest.mark.filterwarnings("ignore:Explicitly requested dtype:UserWarning")  # JAX's own, of its basis vectors
@pytest.mark.parametrize("dtype", [ms.float32, ms.float64])
def test_jax_transforms_take_functions_of_tensors(dtype):
    x = Tensor([1.0, 2.0], dtype)
    f = lambda x: ops.sum(ops.sin(x) * x)  # noqa: E731
    with_aux = lambda x: (f(x), {"twice": x * 2})  # noqa: E731
    slope = np.sin(x.asnumpy()) + x.asnumpy() * np.cos(x.asnumpy())
    curvature = np.diag(2 * np.cos(x.asnumpy()) - x.asnumpy() * np.sin(x.asnumpy()))
    value, gradient = jax.value_and_grad(f)(x)
    (_, aux), gradient_beside = jax.value_and_grad(with_aux, has_aux=True)(x)
    cases = {
        "value_and_grad": (value, f(x).asnumpy()),
        "its gradient": (gradient, slope),
        "grad": (jax.grad(f)(x), slope),
        "jit of grad": (jax.jit(jax.grad(f))(x), slope),
        "grad, has_aux": (jax.grad(with_aux, has_aux=True)(x)[0], slope),
        "value_and_grad, has_aux": (gradient_beside, slope),
        "aux": (aux["twice"], 2 * x.asnumpy()),
        "argnums": (jax.grad(lambda x, y: ops.sum(x * y), argnums=1)(x, x), x.asnumpy()),
        "grad of grad": (jax.grad(lambda x: jax.grad(f)(x).sum())(x), np.diag(curvature)),
        "vmap of grad": (jax.vmap(jax.grad(lambda x: ops.sin(x) * x))(x), slope),
        "hessian": (jax.hessian(f)(x), curvature),
        "jacrev": (jax.jacrev(lambda x: ops.sin(x) * x)(x), np.diag(slope)),
        "jacfwd": (jax.jacfwd(lambda x: ops.sin(x) * x)(x), np.diag(slope)),
        "jvp": (jax.jvp(lambda x: ops.sin(x) * x, (x,), (x,))[1], slope * x.asnumpy()),
        "vjp": (jax.vjp(lambda x: ops.sin(x) * x, x)[1](x)[0], slope * x.asnumpy()),
    }
    for name, (actual, expected) in cases.items():
        assert type(actual) is Tensor and actual.dtype == dtype, name
        tolerance = 1e-5 if dtype == ms.float32 else 1e-12
        np.testing.assert_allclose(actual.asnumpy(), expected, tolerance, err_msg=name)


def test_jax_still_refuses_results_that_are_no_scalars():
    with pytest.raises(TypeError, match=r"had shape: \(2,\)"):
        jax.grad(lambda x: x * 2)(Tensor([1.0, 2.0]))
    with pytest.raises(TypeError, match="Gradient only defined for scalar-output functions"):
        jax.grad(lambda x: (x, x))(Tensor(1.0))


def test_under_jit_of_the_users_64_bits_stay_in_values_and_gradients():
    x = Tensor([[3.0, 1.0], [2.0, 5.0]], ms.float64)
    net = nn.Dense(2, 2, dtype=ms.float64)
    functions = [  # with rules that JAX applies when it lowers the program, in which it makes constants
        lambda x: ops.argmax(x, 1),
        lambda x: ops.cumsum(x, 0),
        lambda x: ops.sort(x)[1],
        lambda x: ops.topk(x, 1)[0],
        lambda x: ops.erfinv(x / 10),
        lambda x: ops.lgamma(x),
        lambda x: ops.inverse(x),
        lambda x: ops.gather(x, Tensor([1]), 0),
        lambda x: net(x),
    ]
    for fn in functions:
        expected = fn(x)
        result = jax.jit(fn)(x)
        assert result.dtype == expected.dtype
        np.testing.assert_allclose(result.asnumpy(), expected.asnumpy(), rtol=1e-12)
        if expected.dtype == ms.float64:
            gradient = jax.jit(jax.grad(lambda x, fn=fn: fn(x).sum()))(x)
            np.testing.assert_allclose(gradient.asnumpy(), ms.grad(lambda x, fn=fn: fn(x).sum())(x).asnumpy(), 1e-10)


def test_functions_of_the_users_have_their_options():
    made = ms.from_jax(lambda x: (jnp.ones(2), jnp.arange(3), x * 2))
    for expected in (ms.float32, ms.float64):
        with jax.enable_x64(expected == ms.float64):
            ones, numbers, twice = made(Tensor([1.0], ms.float64))
        assert ones.dtype == expected and twice.dtype == ms.float64
        assert numbers.dtype == (ms.int32 if expected == ms.float32 else ms.int64)
