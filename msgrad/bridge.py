"""Between MindSpore code and JAX functions: `to_jax` and `from_jax`."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from .engine._jax_private import jaxprs_inside
from .engine.calls import pure
from .engine.execution.donation import lend
from .engine.handle import Handle
from .engine.host import to_device
from .engine.jax_options import Launching, Users, spec, users
from .engine.pytrees import items_of, like
from .engine.recording.program import Op
from .engine.recording.results import wrap
from .engine.recording.trace import apply as record
from .engine.refusal import InWords, refuse
from .engine.static import freeze, thaw
from .nn._cell.flags import in_training
from .nn.cell import Cell

_MSG_PARAMS = "A step's new_state goes back into it: params = {**params, **new_state}."


def to_jax(fn):
    """Converts MindSpore code to a pure JAX function, for use with ``jax.jit``, ``jax.grad``, optax and orbax.

    The Python code runs at each call; under ``jax.jit`` it runs once for each signature. A branch on the values of a
    Tensor needs concrete values, so it fails under ``jax.jit``.

    Args:
        fn (Cell | function): takes and returns Tensors, also in tuples, lists and dicts, and any other values.
    Returns:
        For a function, ``apply(*arrays, rngs=None) -> output``.

        For a Cell, ``(apply, params)``. ``params`` is a dict of ``jax.Array`` by the names of the Parameters and the
        paths of the buffers, in the order of ``parameters_dict()``; a shared one appears once.
        ``apply(params, *arrays, training=False, rngs=None) -> (output, new_state)`` calls the Cell with these values,
        as after ``set_train(training)``. ``new_state`` is a dict of those that ``construct`` wrote to (the moving
        averages of BatchNorm in training), ready for ``{**params, **new_state}``. The Cell itself stays as it is.

        ``rngs`` is the JAX key for random operations (Dropout). Tensors in the output become arrays.
    Raises:
        RuntimeError: if a random operation runs without ``rngs``, if a Tensor outside ``params`` is written to, or if
            JAX differentiates through a ``bprop`` or a hook, which only msgrad's own gradients support.
        ValueError: if ``params`` has other names or shapes.
    Example:
        >>> apply, params = msgrad.to_jax(nn.Dense(2, 3, weight_init="ones", bias_init="zeros"))
        >>> output, new_state = jax.jit(apply)(params, jnp.ones((1, 2), "float32"))
        >>> output.tolist(), list(params), new_state
        ([[2.0, 2.0, 2.0]], ['weight', 'bias'], {})
        >>> jax.grad(msgrad.to_jax(lambda x: ops.sin(x)))(0.0).item()
        1.0
    """
    if isinstance(fn, Cell):
        return _cell_to_jax(fn)
    if not callable(fn):
        refuse(TypeError, "to_jax", "fn", "a Cell or a function", fn)

    @functools.wraps(fn)
    def apply(*arrays, rngs=None):
        output, _ = pure.call(fn, _handles(arrays), [], rngs, _name(fn))
        return output

    return apply


def _cell_to_jax(cell):
    cell.check_names_and_refresh_name()
    members = {each.name: each for each in cell.get_parameters()} | dict(cell.named_buffers())

    def apply(params, *arrays, training=False, rngs=None):
        _check(params, members)
        bound = [(member, _array(params[name])) for name, member in members.items()]
        with in_training(cell, training):
            output, written = pure.call(cell, _handles(arrays), bound, rngs, _name(cell))
        return output, {name: written[id(member)] for name, member in members.items() if id(member) in written}

    return apply, {name: lend(Handle._array_(member)) for name, member in members.items()}


def _check(params, members):
    if set(params) != set(members):
        names = ", ".join(sorted(set(params) ^ set(members)))
        got = InWords(f"one that differs by {names}")
        refuse(ValueError, "to_jax", "params", "a dict of the Cell's names", got, _MSG_PARAMS)
    for name, member in members.items():
        shape = jnp.shape(params[name])
        if shape != member.aval[0]:
            refuse(ValueError, "to_jax", f"params[{name!r}]", f"of shape {member.aval[0]}", shape)


def from_jax(fn):
    """Converts a JAX function to an operation on Tensors.

    The operation behaves as MindSpore's own: it is recorded and compiled with the surrounding code, differentiated to
    any order by JAX's rules for ``fn`` (``jax.custom_vjp`` and ``jax.custom_jvp`` included) and mapped by ``vmap``, in
    both modes, in Cells and under ``ms.jit``. Create it once, not at each step: it caches its compiled programs.

    Args:
        fn (function): pure; takes arrays, also in tuples, lists and dicts. Arguments that are not arrays are static:
            each new value compiles again, so pass a number that changes as a Tensor. It returns arrays in any pytree.
    Returns:
        function: takes Tensors (or arrays) where ``fn`` takes arrays, and returns Tensors where ``fn`` returns arrays.
    Raises:
        TypeError: if ``fn`` is not a function.
    Example:
        >>> softplus = msgrad.from_jax(lambda x, sharpness: jnp.logaddexp(sharpness * x, 0.0) / sharpness)
        >>> mindspore.grad(softplus)(Tensor([0.0]), 2.0).tolist()
        [0.5]
    """
    if not callable(fn):
        refuse(TypeError, "from_jax", "fn", "a JAX function", fn)
    function = _JaxFunction(fn)

    @functools.wraps(fn)
    def operation(*args, **kwargs):
        operands = []
        static = (freeze(_handles(args), operands), freeze(_handles(kwargs), operands)), users()
        structure = function.structure(static, tuple([operand.aval for operand in operands]))
        return jax.tree.unflatten(structure, record(function, operands, static))

    return operation


class _JaxFunction(Op):
    """A JAX function as an operation; its results are the leaves of the function's."""

    __slots__ = ("fn", "structure")

    def __init__(self, fn):
        super().__init__(_name(fn))
        self.fn = fn
        # Tracing costs milliseconds. The cache belongs to the function and is freed with it.
        self.structure = functools.lru_cache(maxsize=256)(self._structure)

    def bind(self, static):
        def run(*arrays):
            return tuple(jax.tree.leaves(self._call(static, arrays)))

        return run

    def _call(self, static, arrays):
        arguments, options = static
        args, kwargs = thaw(arguments, iter(arrays))
        # Within the user's options: it is their code, and gives the dtypes that it has outside of msgrad.
        with Users(options):
            return jax.tree.map(jnp.asarray, self.fn(*args, **kwargs))

    def _structure(self, static, avals):
        """The pytree that the function returns for operands of these shapes and dtypes."""
        operands = [spec(*aval) for aval in avals]
        with Launching():
            jaxpr, out_shapes = jax.make_jaxpr(lambda *arrays: self._call(static, arrays), return_shape=True)(*operands)
        self.custom = self.custom or _has_reverse_rule(jaxpr.jaxpr)
        return jax.tree.structure(out_shapes)


def _has_reverse_rule(jaxpr):
    """Whether the function contains a ``jax.custom_vjp``, through which JAX has no forward mode."""
    if any(equation.primitive.name == "custom_vjp_call" for equation in jaxpr.eqns):
        return True
    return any(map(_has_reverse_rule, jaxprs_inside(jaxpr)))


def _handles(value):
    """A pytree with each JAX or NumPy array replaced by a Tensor."""
    if isinstance(value, Handle):
        return value
    if isinstance(value, (jax.Array, np.ndarray)):
        return wrap(_array(value))
    items = items_of(value)
    return value if items is None else like(value, [_handles(item) for item in items])


def _array(value):
    """The ``jax.Array`` of an array, in its own dtype whatever JAX's options are."""
    return lend(value) if isinstance(value, jax.Array) else to_device(np.asarray(value))


def _name(fn):
    return getattr(fn, "__name__", type(fn).__name__)
