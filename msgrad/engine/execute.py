"""Running: single operations through their own ``jax.jit``, Programs as one compiled call, and the accounting.

``MSGRAD_EAGER=1`` runs everything operation by operation and uncompiled. ``MSGRAD_CACHE`` names the folder of JAX's
persistent compilation cache; ``MSGRAD_CACHE=off`` turns it off.
"""

import os
import pathlib
import sys
import warnings

import jax
from jax import lax

from . import errors

EAGER = os.environ.get("MSGRAD_EAGER", "") not in ("", "0")

_PATIENCE = 24  # programs in a row that one call site may compile while hardly reusing any
_VARYING = 4  # such programs in a row from which on positions are operands there
_PACKAGE = str(pathlib.Path(__file__).parents[1])

_counts = {"programs compiled": 0, "operations compiled": 0, "launches": 0, "operations launched": 0}
_jitted = {}
_sites = {}


def configure():
    """Sets JAX up as MindSpore's numbers need it: 64-bit types, float32 products in float32, compiled programs kept."""
    jax.config.update("jax_enable_x64", True)
    if jax.config.jax_default_matmul_precision is None:
        jax.config.update("jax_default_matmul_precision", "highest")  # not TensorFloat-32 on a GPU, bfloat16 on a TPU
    jax.config.update("jax_traceback_filtering", "quiet_remove_frames")
    folder = os.environ.get("MSGRAD_CACHE", str(pathlib.Path.home() / ".cache" / "msgrad" / "xla"))
    if folder != "off" and not jax.config.jax_compilation_cache_dir:
        jax.config.update("jax_compilation_cache_dir", folder)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)


configure()


def launch(op, static, arrays):
    """Runs one operation on concrete arrays (or on JAX tracers, which pass through)."""
    if op.host:
        return op.bind(static)(*arrays)
    key = (op, static)
    fn = _jitted.get(key)
    if fn is None:
        fn = op.bind(static)
        if not EAGER:
            fn = _explained(op, jax.jit(_strong(fn)))
        _jitted[key] = fn
        _counts["operations compiled"] += 1
    _counts["operations launched"] += 1
    return fn(*arrays)


def _explained(op, fn):
    def run(*arrays):
        try:
            return fn(*arrays)
        except errors.RESTATED:
            with errors.of_op(op.name, [(a.shape, a.dtype) for a in arrays]):
                raise

    return run


def _strong(fn):
    """``fn`` with results free of JAX's weak types, which would select other programs when they come back as leaves."""

    def strong(*arrays):
        return jax.tree.map(_strengthen, fn(*arrays))

    return strong


def _strengthen(value):
    return lax.convert_element_type(value, value.dtype) if getattr(value, "weak_type", False) else value


def launch_transform(op, arrays, site):
    """Runs a transform op (a whole Program and what to do with it) on concrete arrays."""
    _counts["launches"] += 1
    fn = op.executable
    if fn is None:
        if EAGER or op.host or missed(site, op.program, op.detail):
            fn = op.run
        else:
            _counts["programs compiled"] += 1
            fn = jax.jit(_strong(op.run))
        op.executable = fn
    return fn(*arrays)


def run(program, wanted, leaves, site):
    """The values ``wanted`` (indices) of a Program at concrete leaves, as a list."""
    if not wanted:
        return []
    _counts["launches"] += 1
    found = program.executables.get(wanted)
    if found is None:
        found = _find(program, wanted, site)
    fn, picks = found
    results = fn(leaves)
    return results if picks is None else [results[i] for i in picks]


def _find(program, wanted, site):
    """An executable that gives at least ``wanted``: one compiled before for more results, or a new one."""
    for have, (fn, picks) in program.executables.items():
        if picks is None and set(wanted) <= set(have):
            found = fn, [have.index(i) for i in wanted]
            break
    else:
        if EAGER or program.host or missed(site, program, wanted):
            found = _by_operation(program, wanted), None
        else:
            found = compile_program(lambda leaves: program.replay(leaves, wanted)), None
    program.executables[wanted] = found
    return found


def compile_program(replay, donated=()):
    """A compiled function of lists of leaves; it may overwrite those in the lists at the positions ``donated``."""
    _counts["programs compiled"] += 1
    return jax.jit(lambda *leaves: [_strengthen(value) for value in replay(*leaves)], donate_argnums=donated)


def compiled(replay, site, program, wanted):
    """A compiled function of a list of leaves, accounted to ``site``."""
    if program.host:
        return replay
    missed(site, program, wanted)
    return compile_program(replay)


def launch_plan(fn, values):
    """Runs a staged call's compiled function."""
    return counted(fn)(values)


def counted(fn):
    """Returns ``fn``, which is about to be launched."""
    _counts["launches"] += 1
    return fn


def _by_operation(program, wanted):
    nodes = program.needed(wanted)

    def replay(leaves):
        env = {~i: leaf for i, leaf in enumerate(leaves)}
        for node in nodes:
            results = launch(node.op, node.static, [env[i] for i in node.inputs])
            for k, value in enumerate((results,) if node.single else results):
                env[node.first + k] = value
        return [env[i] for i in wanted]

    return replay


class _Site:
    """How often one call site needed a program that was not there yet."""

    def __init__(self):
        self.misses = 0
        self.streak = 0
        self.is_varying = False
        self.launches = 0
        self.last = None


def missed(site, program, detail):
    """Accounts for a program that ``site`` needs and that is not compiled; True when the site should give up compiling.

    A site gives up when it has compiled a new program every few launches many times in a row.
    """
    record = _sites.setdefault(site, _Site())
    record.streak = record.streak + 1 if _counts["launches"] - record.launches < 8 else 0
    record.is_varying = record.is_varying or record.streak >= _VARYING
    record.misses += 1
    record.launches = _counts["launches"]
    if record.streak == _PATIENCE:
        warnings.warn(
            _MSG_UNSTEADY.format(_name(site), record.misses, _difference(record.last, (program, detail))),
            RuntimeWarning,
            stacklevel=_levels_to_the_user(),
        )
    record.last = program, detail
    return record.streak >= _PATIENCE


def _levels_to_the_user():
    """The ``stacklevel`` at which `missed` names the line of the user's that led to it."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    return level


def is_varying(site):
    """Whether ``site`` hardly ever needs the same program twice."""
    record = _sites.get(site)
    return record is not None and record.is_varying


_MSG_UNSTEADY = (
    "'{0}' needed {1} different programs and hardly reused any: {2}. It runs operation by operation from now on; "
    "fixed shapes, or a loop whose length does not depend on values, make it fast again."
)


def _difference(before, after):
    (old, old_detail), (new, new_detail) = before, after
    if len(old.nodes) != len(new.nodes):
        return f"the number of its operations changes (from {len(old.nodes)} to {len(new.nodes)})"
    if old.leaves != new.leaves:
        return f"the shapes of its inputs change (from {errors.describe(old.leaves)} to {errors.describe(new.leaves)})"
    if old_detail != new_detail:
        return "the tensors that stay alive after it change"
    return "its operations or their constants change"


def _name(site):
    return site if isinstance(site, str) else site[0]


def site_of(fn):
    """What names a function in the accounting: its name, and its code, which all closures over it share."""
    return getattr(fn, "__name__", type(fn).__name__), id(getattr(fn, "__code__", fn))


def report():
    """What has been compiled and launched so far in this process.

    Returns:
        dict: counts by name, and under ``"sites"`` the number of programs compiled for each name of a call site.
    """
    sites = {}
    for site, record in _sites.items():
        sites[_name(site)] = sites.get(_name(site), 0) + record.misses
    return {**_counts, "sites": sites}
