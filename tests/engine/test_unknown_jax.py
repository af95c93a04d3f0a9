"""A version of JAX without any of the private interfaces that msgrad knows: it runs, with one warning."""

import subprocess
import sys

_PROGRAM = """
import importlib, sys, warnings

found = importlib.import_module

def hide(name, package=None):
    of_msgrad = sys._getframe(1).f_globals["__name__"] == "msgrad.engine._jax_private"
    if HIDDEN and of_msgrad and name.partition(".")[0] in ("jax", "jaxlib"):
        raise ImportError(name)
    return found(name, package)

importlib.import_module = hide
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import msgrad as ms
print("warnings", sum("private interfaces" in str(each.message) for each in caught))
warnings.simplefilter("error")

import jax
import numpy as np
from msgrad import Tensor, nn, ops

ms.set_seed(1)
x = Tensor(np.linspace(-1, 1, 6).reshape(2, 3), ms.float32)
print(ops.softmax(x) @ x.T, Tensor([1, 2]).dtype, ops.topk(x, 2)[1], x[0], x.astype(ms.float64).sum())
net = nn.Dense(3, 2, weight_init="ones")
optimizer = nn.Adam(net.trainable_params(), 0.1)
step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
    ms.set_context(mode=mode)
    for count in range(4):
        print(mode, step(x, ops.ones((2, 2))))
print(net.weight.asnumpy(), ms.jacfwd(ops.sin)(x[0]), ms.vmap(lambda v: v.cumsum(0))(x))
print(ms.value_and_grad(lambda v: v.sum() if v.sum() > 0 else (v * v).sum())(x))
print(jax.jit(lambda t: ops.tanh(t))(x))
print(jax.numpy.arange(3).dtype, ops.svd(x)[0], ops.sort(x)[0], ops.arange(3).dtype)
"""


def run(hidden):
    program = _PROGRAM.replace("HIDDEN", str(hidden))
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert not ran.returncode, ran.stderr[-3000:]
    return ran.stdout


def test_without_private_interfaces_the_results_are_the_same_and_one_warning_says_so():
    known, unknown = run(False), run(True)
    assert known.splitlines()[0] == "warnings 0"
    assert unknown == known.replace("warnings 0", "warnings 1")
