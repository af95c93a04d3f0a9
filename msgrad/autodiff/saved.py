"""``saved_tensors_hooks``: Python functions that pack and unpack the values that operations keep for the backward pass.

Such an operation is recorded as a `_Kept` one: the values it keeps are packed at once, and unpacked when its gradient
is computed, in a backward pass that runs in Python.
"""

import functools

import jax

from ..engine._jax_private import Literal, Tracer
from ..engine.calls.staging import Policy, is_in_graph
from ..engine.execution import execute
from ..engine.execution.op_traces import trace_of
from ..engine.handle import Handle, Promise, scope
from ..engine.jax_options import Tracing, Users, spec, users
from ..engine.precision import current
from ..engine.recording.links import ValueLink, number_of_leaf
from ..engine.recording.program import Op
from ..engine.recording.record import is_differentiating
from ..engine.recording.trace import apply
from ..engine.transforms.lifting import is_inexact
from ..ops.control.elementwise_gradients import BY_RESULT
from ..tensor.tensor import Tensor


class saved_tensors_hooks:
    """A context in which ``pack_hook`` is called at once with each Tensor that is kept for the backward pass.

    The result of ``pack_hook`` is kept instead; ``unpack_hook`` makes a Tensor of it when the backward pass needs it.
    An operation keeps the operands that its derivative depends on; exp, tanh, sigmoid, sqrt, rsqrt, reciprocal and relu
    keep their result. The function and its backward pass run in Python, uncompiled. Only functions that are being
    differentiated keep anything.

    Args:
        pack_hook (function): takes a Tensor and returns any object; it must not write to the Tensor.
        unpack_hook (function): takes that object and returns a Tensor of the same shape.
    Raises:
        TypeError: if a hook is not callable, or in GRAPH_MODE.
        RuntimeError: if ``unpack_hook`` returns no Tensor, or not the packed one where a second gradient is taken.
        ValueError: if ``unpack_hook`` returns a Tensor of another shape.
    Example:
        >>> def half(x):
        ...     return x.astype(ms.float16)
        >>> def f(x):
        ...     with ms.saved_tensors_hooks(half, lambda kept: kept.astype(ms.float32)):
        ...         return x * x
        >>> ms.grad(f)(Tensor([3.0])).tolist()
        [6.0]
    Source: mindspore.saved_tensors_hooks
    """

    def __init__(self, pack_hook, unpack_hook):
        for name, hook in (("pack_hook", pack_hook), ("unpack_hook", unpack_hook)):
            if not callable(hook):
                raise TypeError(
                    f"For 'saved_tensors_hooks', the '{name}' must be callable, but got {type(hook).__name__}."
                )
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook
        self._before = []

    def __enter__(self):
        if Policy.staged:
            raise TypeError(
                "'saved_tensors_hooks' works in PYNATIVE_MODE only: in GRAPH_MODE the compiler decides which values "
                "are kept. To save memory there use ms.recompute(block, *args) or cell.recompute()."
            )
        self._enter()

    def _enter(self):
        self._before.append(scope.saving)
        scope.saving = self._record

    def __exit__(self, kind, error, traceback):
        scope.saving = self._before.pop()

    def _record(self, op, operands, static):
        """Records ``op`` with the hooks applied to the values that it keeps, if it keeps any."""
        saving, scope.saving = scope.saving, None  # the hooks are not applied to operations of the hooks themselves
        try:
            if not self._are_seen() or not is_differentiating():
                return apply(op, operands, static)
            avals = tuple([handle.aval for handle in operands])
            trace = trace_of(op, static, avals, current())
            results, single = trace.avals, trace.single
            if not any(is_inexact(dtype) for _, dtype in results):
                return apply(op, operands, static)
            if op.name in BY_RESULT:
                outputs = apply(op, operands, static)
                saved, positions = (outputs,), None
            else:
                variables = tuple([not _is_number(handle) for handle in operands])
                positions = _kept_operands(op, static, avals, variables)
                if not positions:
                    return apply(op, operands, static)
                saved = [operands[position] for position in positions]
            outputs = apply(_Kept(op, static, (results, single), positions, self._packed(saved)), operands)
            return outputs[0] if single else outputs
        finally:
            scope.saving = saving

    def _are_seen(self):
        return not Policy.staged

    def _packed(self, handles):
        """Packs each Handle; returns for each a function from its value in the backward pass to the unpacked value."""
        pack, unpack = _outside(self.pack_hook), _outside(self.unpack_hook)
        saved = [Tensor._wrap(handle._array_()) for handle in handles]
        return [functools.partial(_unpacked, unpack, tensor, pack(tensor)) for tensor in saved]


class _StagedHooks(saved_tensors_hooks):
    """As `saved_tensors_hooks`, for functions that GRAPH_MODE and `jit` would compile."""

    def __enter__(self):
        self._enter()

    def _are_seen(self):
        return is_in_graph()


def register_saved_tensors_hooks(pack_hook, unpack_hook):
    """A decorator that applies `saved_tensors_hooks` to a function of GRAPH_MODE or `jit`.

    The function therefore runs in Python, uncompiled, wherever it is being differentiated. In PYNATIVE_MODE it has no
    effect, as in MindSpore.

    Args:
        pack_hook (function): takes a Tensor and returns any object.
        unpack_hook (function): takes that object and returns a Tensor of the same shape.
    Returns:
        function, a decorator.
    Raises:
        TypeError: if a hook is not callable.
    Example:
        >>> @mindspore.register_saved_tensors_hooks(lambda x: x + 1, lambda kept: kept)
        ... def f(x):
        ...     return x * x
        >>> mindspore.jit(mindspore.grad(f))(Tensor([3.0])).tolist()
        [8.0]
    Source: mindspore.register_saved_tensors_hooks
    """
    _StagedHooks(pack_hook, unpack_hook)  # it checks the hooks

    def register(func):
        @functools.wraps(func)
        def hooked(*args, **kwargs):
            with _StagedHooks(pack_hook, unpack_hook):
                return func(*args, **kwargs)

        return hooked

    return register


def _unpacked(unpack, tensor, packed, value):
    """The array that ``unpack`` returns for the packed ``tensor``; ``value`` if it returns that Tensor itself."""
    result = unpack(packed)
    if result is tensor:
        return value
    if not isinstance(result, Handle):
        raise RuntimeError(
            f"For 'saved_tensors_hooks', the 'unpack_hook' must return a Tensor, but got {type(result).__name__}."
        )
    if result.aval[0] != value.shape:
        raise ValueError(
            f"For 'saved_tensors_hooks', the 'unpack_hook' must return a Tensor of the packed one's shape "
            f"{list(value.shape)}, but got {list(result.aval[0])}."
        )
    if isinstance(value, Tracer):
        raise RuntimeError(
            "For 'saved_tensors_hooks', the 'unpack_hook' must return the packed Tensor itself if a gradient of the "
            "gradient is taken: another Tensor is not a function of the inputs, and the result would be wrong."
        )
    return result._array_().astype(value.dtype)


def _is_number(handle):
    """Whether a Handle is an operand made from a Python number."""
    state, trace = handle._state_(), scope.trace
    return (
        type(state) is Promise
        and state.trace is trace
        and state.index < 0
        and not isinstance(link := trace.link_of(state.index), ValueLink)
        and trace.leaf_handles[number_of_leaf(link)] is None
        and trace.leaf_states[number_of_leaf(link)] is not None
    )


@functools.lru_cache(4096)
def _kept_operands(op, static, avals, variables):
    """The positions of the ``variables`` (no numbers) on which the derivative of ``op`` by them depends."""
    fn = op.bind(static)
    moved = [i for i, (_, dtype) in enumerate(avals) if variables[i] and is_inexact(dtype)]

    def pull(operands, cotangent):
        def at(*values):
            full = list(operands)
            for i, value in zip(moved, values, strict=True):
                full[i] = value
            return fn(*full)

        return jax.vjp(at, *[operands[i] for i in moved])[1](cotangent)

    operands = [spec(*aval) for aval in avals]
    with Tracing():
        jaxpr = jax.make_jaxpr(pull)(operands, _cotangent_specs(fn, operands)).jaxpr
    wanted = {id(value) for value in jaxpr.outvars}
    for equation in reversed(jaxpr.eqns):
        if any(id(value) in wanted for value in equation.outvars):
            wanted.update(id(value) for value in equation.invars if not isinstance(value, Literal))
    return tuple([i for i, value in enumerate(jaxpr.invars[: len(avals)]) if variables[i] and id(value) in wanted])


def _cotangent_specs(fn, operands):
    def spec(out):
        return jax.ShapeDtypeStruct(out.shape, out.dtype if is_inexact(out.dtype) else jax.dtypes.float0)

    return jax.tree.map(spec, jax.eval_shape(fn, *operands))


def _outside(fn):
    """Runs ``fn`` as if no recording were open, so its operations run at once, and within the user's options of JAX."""
    options = users()

    def run(*args):
        trace, scope.trace = scope.trace, None
        try:
            with Users(options):
                return fn(*args)
        finally:
            scope.trace = trace

    return run


class _Kept(Op):
    """An operation whose kept values were packed: the operands at ``positions``, or its result if that is None.

    It is made for one call and not interned; its results are a tuple.
    """

    __slots__ = ("inner", "detail", "results", "single", "positions", "unpacked")

    def __init__(self, inner, detail, results, positions, unpacked):
        super().__init__(inner.name)
        self.inner = inner
        self.detail = detail
        self.results, self.single = results
        self.positions = positions
        self.unpacked = unpacked
        self.custom = self.host = True

    def output_avals(self, avals):
        return self.results

    def bind(self, static):
        @jax.custom_vjp
        def call(*operands):
            results = execute.launch(self.inner, self.detail, operands)
            return (results,) if self.single else tuple(results)

        def forward(*operands):
            results = call(*operands)
            return results, (operands, results)

        call.defvjp(forward, self._backward)
        return call

    def _backward(self, saved, cotangents):
        operands, results = saved
        if self.positions is None:
            (unpacked,) = self.unpacked
            return (BY_RESULT[self.name](unpacked(results[0]), cotangents[0]),)
        operands = list(operands)
        for position, unpacked in zip(self.positions, self.unpacked, strict=True):
            operands[position] = unpacked(operands[position])
        _, pull = jax.vjp(self.inner.bind(self.detail), *operands)
        return pull(cotangents[0] if self.single else cotangents)
