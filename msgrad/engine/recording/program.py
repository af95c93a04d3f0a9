"""Programs: closed recordings, interned by structure.

A recording walks a tree of `Step`s from ``Step.root()``: every operation, and every leaf at its first use, is one
dictionary lookup to the next Step. Two equal recordings therefore end at the same Step object, which is their
`Program`'s identity: no key is ever built or hashed for a whole Program, and the shapes inferred for a Step the first
time are there every other time.
"""

import bisect
import collections
import itertools
import textwrap
from typing import Any

import jax

from ..execution import execute
from ..execution.op_traces import trace_of
from ..execution.splitting import split_aval
from ..handle import size_of
from ..jax_options import Tracing, spec
from .links import ValueLink
from .rewriting import rewritten


class Op:
    """An operation: ``bind(static)`` returns a pure function of its array operands.

    Attributes:
        by_numpy (method): for one that NumPy has by itself, without a trace (`execution.at_once`): takes the static
            arguments and the ``(shape, dtype)`` of operands, and gives a function of a list of NumPy arrays and the
            result's ``(shape, dtype)``; None where NumPy is not to compute it, NotImplemented where a trace tells.
            None for any other.
    """

    collective: Any
    by_numpy: Any = None

    __slots__ = (
        *("name", "differentiable_cast", "custom", "host", "collective", "is_global", "float_gradient", "retraced"),
        *("weight", "latest", "latest_at_once", "known_at_once", "layouts", "__weakref__"),
    )

    def __init__(self, name):
        self.name = name
        self.differentiable_cast = False  # True for the cast, whose gradient is the identity whatever the dtypes
        self.float_gradient = False  # True where an integer operand's gradient stays a float (division, square root)
        self.retraced = False  # True where it depends on what is around, a platform or a transformation
        self.custom = False  # True where JAX's forward mode cannot pass (a custom reverse rule inside)
        self.collective = None  # the group whose processes exchange values in it
        self.is_global = False  # True where it lays its result out over all processes
        self.weight = 1  # as many operations as it compiles like
        self.latest = None, None, None  # static arguments and precision of its last launch, and what launched it
        # What computes it at once (`execution.at_once`): at its last call, after the static arguments and the operands'
        # shapes and dtypes; and at all calls, by these.
        self.latest_at_once = None, None, None
        self.known_at_once = {}
        self.layouts = {}  # of views that are its results, by the ids of the operand's layout and of static arguments
        self.host = False  # True where Python must see values in the backward pass, so that nothing around is compiled

    def bind(self, static):
        raise NotImplementedError

    def output_avals(self, avals):
        """The ``(shape, dtype)`` of each result where that is known without tracing, else None."""
        return None

    def stable_parts(self):
        """The parts of its `stable_key`; None if its name in a module identifies it."""
        return None

    def tokens(self) -> Any:
        """The positions of a collective's token (see `collective`) among operands and results, or None."""
        return None, None

    def executable(self, fn):
        """The launcher, outside of recordings, of an operation with collectives; ``fn`` is what it computes."""
        return self.collective.executable(fn, (self, None))

    def known(self):
        """The operation that takes the results of this one's collectives as operands instead of rerunning them."""
        raise NotImplementedError

    def __repr__(self):
        return self.name


class Node:
    """One recorded operation: ``fn``, an `OpTrace`, applied to the values ``inputs``, making values from ``first`` on.

    ``origin`` is the user's line that recorded it first, where a tool watches (`observation`).
    """

    __slots__ = ("op", "static", "inputs", "fn", "first", "avals", "single", "origin")

    def __init__(self, op, static, inputs, fn, first, avals, single):
        self.op = op
        self.static = static
        self.inputs = inputs
        self.fn = fn
        self.first = first
        self.avals = avals
        self.single = single
        self.origin = None

    @property
    def label(self):
        """Its name in jaxprs, in XLA's programs and in profiles."""
        # Not after an "@", as of which XLA drops names.
        return self.op.name if self.origin is None else f"{self.op.name}[{self.origin}]"

    def bound(self, rules, env):
        """``fn``, with this operation's rule among ``rules`` (by the index of its first result), if any."""
        # An operation without results has no index: ``first`` is that of the one after it.
        rule = rules.get(self.first) if rules and self.avals else None
        if rule is None:
            return self.fn
        indices = range(self.first, self.first + len(self.avals))
        return lambda *operands: rule.call(self.fn, operands, indices, env)


_NO_OPERATION, _NO_LEAF = (None, None, None, None), (None, None)  # before anything came next


class Step:
    """A recording so far, of ``count`` values, a node of a tree. ``following`` maps the next operation to its Step.

    ``latest`` and ``latest_leaf`` are the operation (its op, static arguments and inputs) and the leaf that came next
    the last time, each with its Step: most recordings repeat the one before, and to compare them takes a third of the
    time of a look-up.
    """

    node: Any

    parent: Any
    precision: Any

    __slots__ = (
        *("following", "latest", "latest_leaf", "parent", "node", "leaf", "program", "ops", "count", "precision"),
        *("lookups", "__weakref__"),
    )

    # Steps alive at once, of 0.65 kB each with Node and key: 130 MB. Above it the whole tree is dropped and grows anew:
    # each operation would have to note which Steps are in use. Open recordings keep their own branch alive.
    limit = 200_000
    grown = 0
    _roots = {}

    def __init__(self, parent: Any, node=None, leaf=None, precision=None):
        self.following = {}
        self.latest, self.latest_leaf = _NO_OPERATION, _NO_LEAF
        self.parent = parent
        self.node = node
        self.leaf = leaf
        self.program = None
        self.count = 0 if parent is None else parent.count + (len(node.avals) if node is not None else 0)
        self.precision = precision or parent.precision
        self.ops = {}  # the transform ops of the Program that ends here, so that they are interned with it
        self.lookups = None  # the tables that only sparse lookups use, once asked for: `autodiff.row_gradients`

    @classmethod
    def root(cls, precision):
        """The Step of a recording of no operation; products and convolutions in it say ``precision``."""
        if cls.grown > cls.limit:
            cls._roots, cls.grown = {}, 0
        root = cls._roots.get(precision)
        if root is None:
            root = cls._roots[precision] = Step(None, precision=precision)
        return root

    def after_leaf(self, state):
        """The Step after a leaf with this state: a Promise, a ``jax.Array`` or a random key of NumPy."""
        aval = getattr(state, "aval", state)
        key = aval if type(aval) is tuple else (aval.shape, aval.dtype)
        step = self.following.get(key)
        if step is None:
            return self.grow_leaf(key)
        if aval is not state:
            # By identity, as JAX gives all results of an output of an executable the same aval. A tuple, set at once,
            # since several threads may record the same.
            self.latest_leaf = aval, step
        return step

    def grow_leaf(self, aval):
        step = self.following[aval] = Step(self, leaf=aval)
        Step.grown += 1
        return step

    def grow(self, key, operands):
        """The next Step for the operation ``key`` on operands with these ``(shape, dtype)``."""
        op, static, *inputs = key
        # Once for each Step, not for each recording: the trace and its shapes are kept in the Node.
        trace = trace_of(op, static, tuple(operands), self.precision)
        node = Node(op, static, tuple(inputs), trace, self.count, trace.avals, trace.single)
        step = Step(self, node=node)
        if not op.host:  # a host operation holds the user's functions, for one call: it must not outlive that
            self.following[key] = step
            Step.grown += 1
        return step

    def after(self, op, static, inputs, aval_of):
        """The Step after an operation on the values ``inputs`` (list of int), of the ``(shape, dtype)`` `aval_of`."""
        key = (op, static, *inputs)
        step = self.following.get(key)
        if step is None:
            return self.grow(key, list(map(aval_of, inputs)))
        self.latest = op, static, inputs, step  # from the second time on: what is recorded once keeps nothing more
        return step

    def close(self):
        """The Program of the recording that ends here."""
        # Made late: most Steps are only passed, and no recording ends there.
        if self.program is None:
            self.program = Program(self)
        return self.program


class Program:
    """A closed recording as a pure function of its leaves.

    ``program(*leaves)`` replays it in plain JAX and returns every value; it can be differentiated, vmapped, jitted and
    used inside another Program.
    """

    def __init__(self, step):
        nodes, leaves = [], []
        self.precision = step.precision
        while step.parent is not None:
            if step.node is not None:
                nodes.append(step.node)
            else:
                leaves.append(step.leaf)
            step = step.parent
        self.nodes = nodes[::-1]
        self.leaves = leaves[::-1]
        self.avals = [aval for node in self.nodes for aval in node.avals]
        ops = dict.fromkeys([node.op for node in self.nodes])  # a model has hundreds of nodes, of few ops
        self.custom, self.host = any([op.custom for op in ops]), any([op.host for op in ops])
        self.collective = next((op.collective for op in ops if op.collective is not None), None)
        self.is_global = any([op.is_global for op in ops])
        self.weight = sum([node.op.weight for node in nodes])
        # Caches that end with the Program: what is compiled by what is wanted of it, and by a staged call; active
        # values (`lifting.moved`); launchers that donate. As attributes they need no key of the whole Program.
        self.is_known = False  # whether it has been run before
        self.is_at_once: Any = None  # what `at_once.takes` says of it, once asked
        self.executables = {}
        self.plans = {}
        self.moved = {}
        self.overwriting = {}
        self.cut = {}
        # Asked at each launch that writes to handles (`donation.replaced`), so computed once.
        self.leaf_sizes = [size_of(aval) for aval in self.leaves]
        self.largest_leaf = max(self.leaf_sizes, default=0)

    def aval_of(self, index):
        """The ``(shape, dtype)`` of a value."""
        return self.leaves[~index] if index < 0 else self.avals[index]

    def tokens(self) -> Any:
        """Indices of the leaf that is the first token of its collectives, and of the value that is the last one."""
        first = last = None
        for node in self.nodes:
            operand, result = node.op.tokens()
            if operand is not None and first is None and node.inputs[operand] < 0:
                first = node.inputs[operand]
            if result is not None:
                last = node.first + result
        return first, last

    def exchanged(self):
        """The indices of the results of collectives, and of transform ops with collectives."""
        nodes = [node for node in self.nodes if node.op.collective is not None]
        return [node.first + k for node in nodes for k in range(len(node.avals))]

    def needed(self, outputs):
        """The nodes that ``outputs`` depend on, in order."""
        # Nodes that no output depends on are removed before JAX sees them, so that they are not even traced.
        wanted = set(outputs)
        nodes = []
        for node in reversed(self.nodes):
            if not wanted.isdisjoint(range(node.first, node.first + len(node.avals))):
                wanted.update(node.inputs)
                nodes.append(node)
        return nodes[::-1]

    def is_large(self):
        """Whether it takes XLA too long to compile it as a whole, whose time grows faster than the Program."""
        is_one = len(self.nodes) < 2  # a transform op is not cut
        return self.weight > execute.LARGE and not (is_one or self.host or self.collective is not None)

    def pieces(self, size):
        """The Program cut into pieces of about ``size`` operations.

        Returns:
            list: for each piece its Step and the links of its leaves.
            dict: the link of each value, by its index.
        """
        if size not in self.cut:
            self.cut[size] = self._pieces(size)
        return self.cut[size]

    def _pieces(self, size):
        pieces, moved = [], {}
        starts = [*self._starts(size), len(self.nodes)]
        for start, end in itertools.pairwise(starts):
            step, links, indices = Step.root(self.precision), [], {}
            for node in self.nodes[start:end]:
                for index in node.inputs:
                    if index not in indices:
                        aval = self.aval_of(index)
                        step = step.following.get(aval) or step.grow_leaf(aval)
                        # A value of an earlier piece is a leaf of this one, so that a piece knows nothing of what came
                        # before it.
                        links.append(moved.get(index, index))
                        indices[index] = -len(links)
                key = (node.op, node.static, *[indices[index] for index in node.inputs])
                first = step.count
                step = step.following.get(key) or step.grow(key, [self.aval_of(index) for index in node.inputs])
                step.node.origin = step.node.origin or node.origin
                for k in range(len(node.avals)):
                    indices[node.first + k] = first + k
                    moved[node.first + k] = ValueLink(len(pieces), first + k)
            pieces.append((step, links))
        return pieces, moved

    def _starts(self, size):
        """Where pieces start: each at the rarest operation among those where it may, the first of these.

        So they start at the same operation of a layer or cell that is repeated, and the pieces are the same Program.
        """
        kinds = [(node.op, node.static, node.avals) for node in self.nodes]
        counts, firsts = collections.Counter(kinds), {}
        ranks = [(counts[kind], firsts.setdefault(kind, len(firsts))) for kind in kinds]
        ends = list(itertools.accumulate([node.op.weight for node in self.nodes]))
        start = 0
        while start < len(self.nodes):
            yield start
            before = ends[start - 1] if start else 0
            last = max(bisect.bisect_right(ends, before + size), start + 1)
            if last >= len(self.nodes):
                return
            start = min(range((start + last + 1) // 2, last + 1), key=ranks.__getitem__)

    def replay(self, leaves, outputs, intercept=None, rules=None, also=()):
        """Evaluates the values ``outputs`` of the Program at ``leaves``.

        Args:
            leaves (sequence of arrays): one for each leaf.
            outputs (sequence of int): which values to return.
            intercept (dict): maps a value's index to a function of ``(value, env)``, applied as it is computed.
            rules (dict): reverse rules of operations, by the index of their first result.
            also (sequence of int): further values that ``intercept`` and ``rules`` look for in ``env``.
        """
        env = {~i: leaf for i, leaf in enumerate(leaves)}
        # Leaves first: no node computes them, and what uses them must see what their hooks make of them.
        if intercept:
            for index in [i for i in intercept if i < 0]:
                env[index] = intercept[index](env[index], env)
        wanted = [*outputs, *(intercept or ()), *also]
        for node in rewritten(self.needed(wanted), set(wanted), rules, self.aval_of):
            # For jaxprs, HLO and profiles. It costs tracing time alone: a launch of the compiled Program runs none of
            # this.
            with jax.named_scope(node.label):
                result = node.bound(rules, env)(*[env[i] for i in node.inputs])
            for k, value in enumerate((result,) if node.single else result):
                index = node.first + k
                env[index] = intercept[index](value, env) if intercept and index in intercept else value
        return [env[i] for i in outputs]

    def stable_parts(self):
        """The parts of its `stable_key`."""
        return self.leaves, [(node.op, node.static, node.inputs) for node in self.nodes], tuple(self.precision)

    def family_parts(self):
        """The part that Programs of other sizes share, and the parts that have the sizes (`families`)."""
        inputs = tuple([node.inputs for node in self.nodes])
        leaves = [split_aval(*aval) for aval in self.leaves]
        return (inputs, self.precision), (leaves, [node.fn.split(node.op, node.static) for node in self.nodes])

    def __call__(self, *leaves):
        return self.replay(leaves, range(sum(len(node.avals) for node in self.nodes)))

    def jaxpr(self):
        """The Program as JAX sees it, for reading."""
        specs = [spec(shape, dtype) for shape, dtype in self.leaves]
        with Tracing():
            return jax.make_jaxpr(self if self.collective is None else self.collective.within(self))(*specs)

    def __str__(self):
        """A listing: one line for each leaf and each operation; what is transformed is listed below, indented."""
        lines = [f"leaf {i}: {_type(aval)}" for i, aval in enumerate(self.leaves)]
        for node in self.nodes:
            names = _listed([f"leaf {~i}" if i < 0 else f"%{i}" for i in node.inputs])
            results = _listed([f"%{node.first + k}: {_type(aval)}" for k, aval in enumerate(node.avals)])
            static = f" {_text(node.static)}" if node.static else ""
            origin = f"  # {node.origin}" if node.origin else ""
            lines.append(f"{results} = {node.op.name}({names}){static}{origin}")
            if hasattr(node.op, "program"):
                lines += textwrap.indent(str(node.op.program), "    ").splitlines()
        return "\n".join(lines)


def _text(static):
    """Static arguments, with functions by their names."""
    if type(static) is tuple:
        return f"({', '.join(map(_text, static))}{',' if len(static) == 1 else ''})"
    return getattr(static, "__qualname__", None) or repr(static)


def _listed(items):
    """Items joined by commas; long lists are abbreviated."""
    return ", ".join(items if len(items) <= 8 else [*items[:4], "...", items[-1]])


def _type(aval):
    shape, dtype = aval
    return f"{dtype}[{','.join(map(str, shape))}]"
