"""The mathematics of collectives: each is an `Exchange` within a group, with MindSpore's adjoint.

The functions take arrays of one process, inside a ``jax.shard_map`` over the group.
"""

import functools

import jax
import jax.numpy as jnp
from jax import lax

from ...engine.collectives.collective import Exchange, maker
from ...engine.collectives.headers import AXIS, of_partner

# gloo reduces around a ring, in two rounds for two processes and in six for four. By hand on two cores, in ms (psum,
# all-to-all, recursive doubling); two processes: 1 KB 0.28, 0.10, 0.10; 1 MB 0.83, 0.87, 0.78; 64 MB 111, 205, 107;
# four: 1 KB 3.9, 0.38, 0.28; 1 MB 3.9, 3.2, 2.3; 4 MB 7.9, -, 7.6; 8 MB 12.8, -, 17.2.
_SMALL = 1 << 18  # bytes up to which processes on CPUs send each other all values sooner than they reduce them
_MIDDLE = 1 << 22  # bytes up to which more than two of them add up sooner by recursive doubling


@maker
def all_reduce(op):
    """The sum, product, maximum, minimum or mean (``op``) of the processes' values, with MindSpore's gradients."""
    exchange = Exchange(f"AllReduce {op}", functools.partial(_reduced, op))
    if op in ("sum", "avg"):
        exchange.adjoint = exchange
        return exchange
    exchange.adjoint = all_reduce("sum")
    if op == "prod":
        exchange.before = lambda x, out, gradient: gradient * out
        exchange.after = lambda x, out, gradient: gradient / x
    else:
        exchange.after = lambda x, out, gradient: gradient * (x == out).astype(gradient.dtype)
    return exchange


def _reduced(op, x, group):
    of_all = {"prod": jnp.prod, "max": jnp.max, "min": jnp.min}
    if op == "prod" or (op in of_all and x.dtype.kind == "c"):  # which gloo has not
        return of_all[op](lax.all_gather(x, AXIS), 0).astype(x.dtype)
    if x.dtype == jnp.bool_:  # XLA would add bools as ints and give 2
        return _reduced("max" if op == "sum" else op, x.astype(jnp.uint8), group).astype(jnp.bool_)
    if op == "avg":
        return (_reduced("sum", x, group) / group.size).astype(x.dtype)
    reduce, of_two = {"sum": (lax.psum, lax.add), "max": (lax.pmax, lax.max), "min": (lax.pmin, lax.min)}[op]
    # Numbers of 16 bits are added up in 32, which is left to XLA.
    if group.is_sending and jax.default_backend() == "cpu" and x.dtype.itemsize >= 4:
        size = x.size * x.dtype.itemsize
        if op == "sum" and group.size.bit_count() == 1 and (group.size == 2 or size <= _MIDDLE):
            return _doubled(x, group)
        if size <= _SMALL:
            for_each = jnp.broadcast_to(x, (group.size, *x.shape))
            return functools.reduce(of_two, lax.all_to_all(for_each, AXIS, 0, 0))
    return reduce(x, AXIS)


def _doubled(x, group):
    """The sum by recursive doubling: each round adds that of the process whose rank differs in one bit.

    All get the same bits, since addition commutes. (A maximum of 0.0 and -0.0 may depend on their order.)
    """
    for bit in range(group.size.bit_length() - 1):
        x = x + of_partner(x, bit, group.size)
    return x


@maker
def all_gather():
    """The processes' values concatenated along the first axis; gradients are reduce-scattered."""
    exchange = Exchange("AllGather", lambda x, group: lax.all_gather(x, AXIS, tiled=True))
    exchange.adjoint = Exchange("ReduceScatter sum", functools.partial(_reduced_and_scattered, "sum"), exchange)
    return exchange


@maker
def reduce_scatter(op):
    """This process's part of the reduction (``op``) of the processes' values; gradients are gathered."""
    if op == "sum":
        return all_gather().adjoint
    exchange = Exchange(f"ReduceScatter {op}", functools.partial(_reduced_and_scattered, op), all_gather())
    if op == "avg":
        exchange.after = lambda x, out, gradient: gradient * (out.size / x.size)
    return exchange


def _reduced_and_scattered(op, x, group):
    if op in ("sum", "avg") and x.dtype != jnp.bool_:
        total = lax.psum_scatter(x, AXIS, tiled=True)
        return total if op == "sum" else (total / group.size).astype(x.dtype)
    total, length = _reduced(op, x, group), x.shape[0] // group.size
    return lax.dynamic_slice_in_dim(total, lax.axis_index(AXIS) * length, length)


@maker
def broadcast(root):
    """The value of the member ``root`` (its rank in the group); gradients stay in their process, as in MindSpore."""
    return Exchange(f"Broadcast({root})", functools.partial(_broadcast, root))


def _broadcast(root, x, group):
    if x.dtype == jnp.bool_:
        return _broadcast(root, x.astype(jnp.uint8), group).astype(jnp.bool_)
    if jnp.issubdtype(x.dtype, jnp.complexfloating):
        return lax.complex(_broadcast(root, x.real, group), _broadcast(root, x.imag, group))
    bits = lax.bitcast_convert_type(x, jnp.dtype(f"uint{8 * x.dtype.itemsize}"))  # exact for any number of processes
    sent = jnp.where(lax.axis_index(AXIS) == root, bits, jnp.zeros_like(bits))
    return lax.bitcast_convert_type(lax.psum(sent, AXIS), x.dtype)


@maker
def reduce(op, root):
    """`all_reduce` to one member; its gradient is that member's, broadcast."""
    return Exchange(f"Reduce({root}) {op}", functools.partial(_reduced, op), broadcast(root))


@maker
def gather(root):
    """`all_gather` to one member; gradients are the parts of that member's."""
    exchange = Exchange(f"Gather({root})", lambda x, group: lax.all_gather(x, AXIS, tiled=True))
    exchange.adjoint = _scattered_from(root)
    return exchange


@maker
def scatter(root):
    """This process's part of the value of the member ``root``; gradients are gathered there, and zero elsewhere."""
    exchange = _scattered_from(root)
    return Exchange(exchange.label, exchange.forward, _gathered_at(root))


@maker
def _scattered_from(root):
    def forward(x, group):
        length = x.shape[0] // group.size
        return lax.dynamic_slice_in_dim(_broadcast(root, x, group), lax.axis_index(AXIS) * length, length)

    return Exchange(f"Scatter({root})", forward)


@maker
def _gathered_at(root):
    def forward(x, group):
        whole = lax.all_gather(x, AXIS, tiled=True)
        return jnp.where(lax.axis_index(AXIS) == root, whole, jnp.zeros_like(whole))

    return Exchange(f"Gather({root})", forward)


@maker
def all_to_all(split_axis, concat_axis):
    """Sends block ``k`` along ``split_axis`` to member ``k``; concatenates received blocks along ``concat_axis``."""

    def forward(x, group):
        return lax.all_to_all(x, AXIS, split_axis, concat_axis, tiled=True)

    def backward(x, group):
        return lax.all_to_all(x, AXIS, concat_axis, split_axis, tiled=True)

    exchange = Exchange("AlltoAll", forward)
    exchange.adjoint = Exchange("AlltoAll", backward, exchange)
    return exchange


@maker
def send(is_sender):
    """From the first member of a group of two to the second; the gradient goes back.

    The sender's result is its own value.
    """
    exchange = Exchange("Send/Receive", _moved([(0, 1)]), is_of_all=False)
    exchange.adjoint = Exchange("Receive/Send of a gradient", _moved([(1, 0)]), exchange, is_of_all=False)
    if is_sender:
        exchange.before = lambda x, out, gradient: jnp.zeros_like(gradient)
    else:
        exchange.after = lambda x, out, gradient: jnp.zeros_like(gradient)
    return exchange


def _moved(pairs):
    return lambda x, group: lax.ppermute(x, AXIS, pairs)


@maker
def barrier():
    """Does nothing, after all processes have called it."""
    return Exchange("Barrier", lambda x, group: lax.psum(x, AXIS))


@maker
def blocks():
    """All-to-all: row ``k`` is exchanged with member ``k``."""
    exchange = Exchange("AlltoAllV", lambda x, group: lax.all_to_all(x, AXIS, 0, 0, tiled=True))
    exchange.adjoint = exchange
    return exchange
