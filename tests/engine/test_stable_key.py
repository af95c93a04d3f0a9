"""Stable keys: the same in every process, and different for whatever may give another result."""

import functools
import os
import subprocess
import sys
import textwrap

import jax
import ml_dtypes
import numpy as np
import pytest

import msgrad as ms
from msgrad import bridge, nn, ops
from msgrad._contracts.contracts import Array
from msgrad.engine import jax_options, precision, processor
from msgrad.engine.execution import stable_key
from msgrad.engine.execution.executables import Executable
from msgrad.engine.execution.stable_key import key_of
from msgrad.engine.recording.program import Op, Step
from msgrad.engine.static import HOLE, freeze
from msgrad.engine.transforms.rules import Hook
from msgrad.engine.transforms.transform import IDENTITY, STOP, Batched, Checkpoint, Jacobian, Jvp, Replay, Vjp, Vmap
from msgrad.ops._core.define import op
from msgrad.ops._core.faces import FUNCTIONS, Dialect
from msgrad.tensor.indexing_ops import READ

F32, F64 = np.dtype(np.float32), np.dtype(np.float64)
EXP, TANH, SUM = ops.exp.op, ops.tanh.op, ops.sum.op


def step(*operations, leaves=(((2, 3), F32), ((2, 3), F32))):
    """The Step of a recording of ``(op, static, *indices)``."""
    at = Step.root(precision.DEFAULT)
    for aval in leaves:
        at = at.following.get(aval) or at.grow_leaf(aval)
    avals = {~position: aval for position, aval in enumerate(leaves)}
    for key in operations:
        at = at.following.get(key) or at.grow(key, [avals[index] for index in key[2:]])
        avals[at.count - 1] = at.node.avals[0]
    return at


USUAL = step((EXP, (), -1), (TANH, (), 0))


def program(*operations, **leaves):
    return step(*operations, **leaves).close()


def axis(number):
    """The static arguments of a sum along an axis."""
    return (HOLE, number), ()


PROGRAMS = {
    "usual": USUAL.close(),
    "another operation": program((EXP, (), -1), (EXP, (), 0)),
    "another order": program((TANH, (), -1), (EXP, (), 0)),
    "another operand": program((EXP, (), -1), (TANH, (), -1)),
    "another leaf": program((EXP, (), -2), (TANH, (), 0)),
    "one operation more": program((EXP, (), -1), (TANH, (), 0), (TANH, (), 1)),
    "one leaf more": program((EXP, (), -1), (TANH, (), 0), leaves=[((2, 3), F32)] * 3),
    "another shape": program((EXP, (), -1), (TANH, (), 0), leaves=[((3, 2), F32), ((2, 3), F32)]),
    "another dtype": program((EXP, (), -1), (TANH, (), 0), leaves=[((2, 3), F64), ((2, 3), F32)]),
    "static arguments": program((EXP, (), -1), (SUM, axis(0), 0)),
    "other static arguments": program((EXP, (), -1), (SUM, axis(1), 0)),
    "one that stops": program((STOP, (), -1), (TANH, (), 0)),
    "one that does not": program((IDENTITY, (), -1), (TANH, (), 0)),
}
TRANSFORMED = {
    "gradient": Vjp.made(USUAL, (), ((-1,), (1,), (), False)),
    "gradient with cotangents": Vjp.made(USUAL, (), ((-1,), (1,), (), True)),
    "gradient by another leaf": Vjp.made(USUAL, (), ((-2,), (1,), (), False)),
    "gradient of another result": Vjp.made(USUAL, (), ((-1,), (0,), (), False)),
    "gradient that keeps a value": Vjp.made(USUAL, (0,), ((-1,), (1,), (), False)),
    "forward": Jvp.made(USUAL, (), ((-1,), (1,), ())),
    "jacobian": Jacobian.made(USUAL, (), ((-1,), (1,), (), "reverse")),
    "other jacobian": Jacobian.made(USUAL, (), ((-1,), (1,), (), "forward")),
    "mapped": Vmap.made(USUAL, (), ((0, None), (1,), (0,), 2, ())),
    "mapped over another axis": Vmap.made(USUAL, (), ((1, None), (1,), (0,), 3, ())),
    "mapped to another axis": Vmap.made(USUAL, (), ((0, None), (1,), (1,), 2, ())),
    "replayed": Replay.made(USUAL, (1,), ()),
    "checkpoint": Checkpoint.made(USUAL, (1,), ()),
}
TRANSFORMED["many gradients"] = Batched(TRANSFORMED["gradient with cotangents"], 2)
TRANSFORMED["more gradients"] = Batched(TRANSFORMED["gradient with cotangents"], 3)
TRANSFORMED["gradient of a gradient"] = Vjp.made(
    step((TRANSFORMED["gradient"], (), -1, -2)), (), ((-1,), (0,), (), False)
)
TRANSFORMED["gradient of another gradient"] = Vjp.made(
    step((TRANSFORMED["gradient by another leaf"], (), -1, -2)), (), ((-1,), (0,), (), False)
)
STATIC = [
    *(None, ..., True, 1, 1.0, 1j, 0.0, -0.0, "1", b"1", (), (1,), ((1,),), [1], {"a": 1}, {1: "a"}, range(3)),
    *(slice(0, 1, None), slice(None, 0, 1), (1, 2), (12,), ("a", "b"), ("ab",), (("a",), "b"), np.float32(1)),
    *(np.int64(1), np.array([1, 2]), np.array([[1, 2]]), np.array([1, 2], np.int32), np.array([1, 2], np.uint8)),
    *(F32, F64, np.dtype("float16"), np.dtype(ml_dtypes.bfloat16)),
    *(np.dtype(ml_dtypes.float8_e5m2), np.dtype(ml_dtypes.float8_e4m3)),
    *(ms.float32, ms.int32, int, float, np.float32, nn.Cell, stable_key.key_of),
]


def all_different(values):
    keys = list(map(key_of, values))
    assert None not in keys
    assert len(set(keys)) == len(keys)


def test_each_part_of_a_program_is_in_its_key():
    all_different(PROGRAMS.values())


def test_each_transform_and_its_details_are_in_the_key():
    all_different([*TRANSFORMED.values(), USUAL.close()])


def test_each_static_argument_has_a_key_of_its_own():
    all_different([(SUM, freeze(value)) for value in STATIC])


def test_all_definitions_of_operations_have_keys_of_their_own():
    all_different([*{face.op for face in FUNCTIONS.values() if hasattr(face, "op")}, READ, IDENTITY])


def called(operands, key_parts=(EXP, ()), donated=(), kind="executable"):
    return Executable(None, key_parts, donated).name(kind, operands)


@pytest.mark.usefixtures("in_body")
def test_each_part_of_a_call_is_in_its_key(stored):
    x = jax.numpy.ones((2, 3), np.float32)
    weak, strong = jax.jit(lambda x: (x * 2, jax.numpy.float64(2)))(1.0)
    assert weak.weak_type and not strong.weak_type
    names = [
        called((x,)),
        called((x,), kind="plan"),
        called(([x],)),
        called((x, x)),
        called(([x, x],)),
        called((x[0],)),
        called((x.astype(np.float64),)),
        called((weak,)),
        called((strong,)),
        called((x,), donated=(0,)),
        called((x,), key_parts=(TANH, ())),
        called((x,), key_parts=(USUAL.close(), (0,))),
        called((x,), key_parts=(USUAL.close(), (1,))),
        called((x,), key_parts=(USUAL.close(), (1,), ((0, 0),))),
    ]
    assert None not in names
    assert len(set(names)) == len(names)


class _Unknown(Op):
    def bind(self, static):
        return lambda x: x


def _users(x):
    return x


UNKNOWN = _Unknown("users")


@pytest.mark.parametrize(
    "value",
    [
        *(object(), _users, len, _Unknown, {1, 2}, functools.partial(stable_key.key_of), np.array([None])),
        *(np.dtype([("a", "i4")]), lambda x: x),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_only_this_process_knows_has_no_key(value):
    assert key_of(EXP, (value,)) is None


@pytest.mark.parametrize(
    "op, static", [(UNKNOWN, ()), (bridge._JaxFunction(_users), (freeze(((HOLE,), {})), jax_options.users()))]
)
def test_programs_with_operations_of_the_users_have_no_key(op, static):
    at = step((op, static, -1))
    assert key_of(op, static) is None and key_of(at.close()) is None
    assert key_of(Replay.made(at, (0,), ())) is None


def test_an_operation_that_is_not_msgrads_own_has_no_key():
    dialect = Dialect("users")

    @op(dialect=dialect)
    def own(x: Array):
        """Nothing."""
        return x

    assert dialect.functions["own"] is own
    assert key_of(own.op) is None


def test_an_operation_that_was_replaced_has_no_key(monkeypatch):
    monkeypatch.setitem(FUNCTIONS, "exp", ops.tanh)
    stable_key._digests.pop(EXP, None)
    try:
        assert key_of(EXP) is None
    finally:
        stable_key._digests.pop(EXP, None)


def test_hooks_of_the_users_have_no_key():
    hook = Hook.of(step((TANH, (), -1), leaves=[((2, 3), F32)]), 0, (("cotangent", 0),), ())
    assert key_of(Vjp.made(USUAL, (), ((-1,), (1,), ((0, hook),), False))) is None


ENVIRONMENT = {
    "processors": (stable_key, "_processors", lambda: 64),
    "processor": (processor, "description", lambda: "another"),
    "source": (stable_key, "sources", lambda folder: b"another"),
    "python": (sys, "version", "3.99"),
    "jax": (jax, "__version__", "9.9"),
    "jaxlib": (stable_key._jax_private, "JAXLIB_VERSION", "9.9"),
    "numpy": (np, "__version__", "9.9"),
    "format": (stable_key, "_FORMAT", -1),
    "number of devices": (jax, "local_device_count", lambda: 8),
    "platform": (stable_key.platform, "machine", lambda: "another"),
    "backend": (jax, "default_backend", lambda: "gpu"),
}


@pytest.fixture
def anew():
    """Describes the environment anew, and again afterwards."""
    yield stable_key._machine.cache_clear
    stable_key._machine.cache_clear()
    stable_key._Last.config = None


@pytest.mark.parametrize("name", ENVIRONMENT)
def test_each_part_of_the_environment_is_in_the_key(name, monkeypatch, anew):
    before = key_of(EXP)
    monkeypatch.setattr(*ENVIRONMENT[name])
    anew()
    stable_key._Last.config = None
    assert key_of(EXP) not in (before, None)


def test_flags_of_xla_and_of_jax_are_in_the_key(monkeypatch, anew):
    keys = [key_of(EXP)]
    with jax.debug_nans(True):
        keys.append(key_of(EXP))
    assert key_of(EXP) == keys[0]
    monkeypatch.setenv("XLA_FLAGS", "--xla_cpu_enable_fast_math=true")
    anew()
    stable_key._Last.config = None
    keys.append(key_of(EXP))
    assert len(set(keys)) == 3


def test_options_that_msgrad_sets_itself_are_not_in_the_key():
    keys = [key_of(EXP)]
    for options in (jax.enable_x64(True), jax.numpy_dtype_promotion("strict"), jax_options.Tracing()):
        with options:
            keys.append(key_of(EXP))
    assert len(set(keys)) == 1


def test_a_change_of_any_source_file_is_seen(tmp_path):
    (tmp_path / "inner").mkdir()
    for name in ("a.py", "inner/b.py"):
        (tmp_path / name).write_text("x = 1\n")
    digests = [stable_key.sources(tmp_path)]
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").touch()
    (tmp_path / "data.txt").touch()
    assert stable_key.sources(tmp_path) == digests[0]
    (tmp_path / "inner" / "b.py").write_text("x = 2\n")
    digests.append(stable_key.sources(tmp_path))
    (tmp_path / "inner" / "b.py").rename(tmp_path / "inner" / "c.py")
    digests.append(stable_key.sources(tmp_path))
    assert len(set(digests)) == 3


def test_the_digest_of_files_that_were_not_written_lately_is_kept(stored, monkeypatch):
    folder = stored / "package"
    folder.mkdir()
    (folder / "a.py").write_text("x = 1\n")
    digest = stable_key.sources(folder)
    monkeypatch.setattr(stable_key, "_SETTLED", 10**18)
    assert stable_key._known_sources(folder) == digest and not list(stored.glob("sources-*"))
    monkeypatch.setattr(stable_key, "_SETTLED", 0)
    assert stable_key._known_sources(folder) == digest and len(list(stored.glob("sources-*"))) == 1
    with monkeypatch.context() as patch:
        patch.setattr(stable_key, "sources", None)
        assert stable_key._known_sources(folder) == digest
    (folder / "a.py").write_text("x = 2\n")
    os.utime(folder / "a.py", (1, 1))  # another time than before, whatever the resolution of the file system's
    assert stable_key._known_sources(folder) == stable_key.sources(folder) != digest


def test_other_processes_have_the_same_keys(monkeypatch):
    program = """
        from tests.engine import test_stable_key as t
        t.stable_key.environment = lambda: b""
        print(*map(t.key_of, t.everything()))
    """
    environment = {**os.environ, "PYTHONHASHSEED": "7", "MSGRAD_CACHE": "off"}
    command = [sys.executable, "-c", textwrap.dedent(program)]
    process = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    monkeypatch.setattr(stable_key, "environment", lambda: b"")
    assert process.stdout.split() == list(map(key_of, everything()))


def everything():
    """Values of every kind that has a key."""
    return [*PROGRAMS.values(), *TRANSFORMED.values(), *map(freeze, STATIC)]
