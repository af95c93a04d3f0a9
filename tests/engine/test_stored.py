"""Entries of earlier processes on disk: read without tracing, with equal results, and only if undamaged."""

import os
import pathlib
import subprocess
import sys

import jax
import numpy as np
import pytest

from msgrad import Tensor, ops
from msgrad.engine._jax_private import compilation_cache
from msgrad.engine.execution import compiled_code, disk_cache
from msgrad.engine.execution import stored as entries
from msgrad.engine.execution.execute import report
from msgrad.engine.interpreter import NotCovered, make_plan, pickled

SCRIPT = pathlib.Path(__file__).with_name("stored_program.py")


def run(folder):
    """What `SCRIPT` computes, and what it says about how, in a process with entries in a folder."""
    environment = {**os.environ, "MSGRAD_CACHE": str(folder), "MSGRAD_TIERS": "on", "PYTHONHASHSEED": "random"}
    environment.pop("JAX_COMPILATION_CACHE_DIR", None)
    command = [sys.executable, str(SCRIPT)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    results, counts = ran.stdout.strip().splitlines()[-2:]
    return results, {name: int(number) for name, _, number in (each.partition("=") for each in counts.split())}


def test_the_next_process_traces_nothing_and_has_equal_results(tmp_path, monkeypatch):
    results, first = run(tmp_path)
    assert first["traces"] > 10 and first["found"] == 0 and first["compiled"] > 3
    again, second = run(tmp_path)
    assert again == results
    assert second == {**first, "traces": first["unkeyed"], "found": first["compiled"] - 1}
    codes, actual = list(tmp_path.glob("*-cache")), list(tmp_path.glob("msgrad-*"))
    for number, path in enumerate([*codes, *actual]):
        content = path.read_bytes()
        path.write_bytes(content[:-1] if number % 2 else content[:-5] + bytes([content[-5] ^ 1]) + content[-4:])
    once_more, third = run(tmp_path)
    assert once_more == results
    assert third == first
    monkeypatch.setattr(disk_cache.Private, "folder", str(tmp_path))
    assert None not in [entries.load(path.name) for path in actual]
    for path in codes:
        assert compilation_cache.decompress_executable(disk_cache.read(path.name))


def test_entries_are_private_whole_and_replaced(stored):
    entries.save("name", (1, b"2"))
    entries.save("name", (3, b"4"))
    (file,) = stored.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert entries.load("name") == (3, b"4")
    assert entries.load("another") is None and entries.load(None) is None
    content = file.read_bytes()
    for damaged in (b"", content[:10], content[:-1], content + b"x", bytes([content[0] ^ 1]) + content[1:]):
        file.write_bytes(damaged)
        assert entries.load("name") is None


def test_a_folder_that_is_gone_or_none_keeps_nothing(stored, monkeypatch):
    stored.rmdir()
    entries.save("name", (1,))
    assert entries.load("name") is None
    monkeypatch.setattr(disk_cache.Private, "folder", None)
    assert entries.name_of(1) is None


def test_a_backend_that_cannot_keep_its_code_compiles(stored, monkeypatch):
    def fail(made):
        raise RuntimeError("no code")

    monkeypatch.setattr(compiled_code, "_cache", lambda: object())
    monkeypatch.setattr(compiled_code, "_call_of", fail)
    x, before = Tensor(np.linspace(0, 1, 11, dtype=np.float32)), report()
    np.testing.assert_allclose(ops.log1p(x).asnumpy(), np.log1p(x.asnumpy()), rtol=1e-6)
    assert report()["operations compiled"] == before["operations compiled"] + 1
    assert report()["found on disk"] == before["found on disk"]


def test_an_entry_that_cannot_be_used_is_compiled_anew(stored, monkeypatch):
    monkeypatch.setattr(compiled_code, "_cache", lambda: None)
    entries.save("name", ("key", b"check", b"no pickle", ()))
    assert compiled_code.load("name") is None


JAXPRS = {
    "elementwise": lambda x: jax.nn.gelu(x) + jax.scipy.special.erf(x) ** 2,
    "reductions": lambda x: (x.sum(0), x.argmax(), jax.numpy.sort(x), jax.numpy.cumsum(x)),
    "indexing": lambda x: (x[1:], x[np.array([0, 2])], x.at[1].set(0), jax.lax.rev(x, (0,)), jax.numpy.tile(x, 2)),
    "products": lambda x: (x @ x.T, jax.scipy.linalg.solve_triangular(x @ x.T, x)),
    "windows": jax.grad(
        lambda x: jax.lax.reduce_window(x, -np.inf, jax.lax.max, (2, 2), (1, 1), "VALID").sum(), allow_int=True
    ),
    "loops": lambda x: jax.lax.scan(lambda c, row: (c + row, c), x[0], x, reverse=True),
    "turns": lambda x: jax.lax.while_loop(lambda c: c.sum() < 100, lambda c: c * 2, x),
    "branches": lambda x: jax.lax.cond(x.sum() > 0, lambda x: x, lambda x: -x, x),
}


@pytest.mark.parametrize("name", JAXPRS)
def test_a_plan_from_disk_computes_the_same(name):
    jaxpr = jax.make_jaxpr(JAXPRS[name])(np.ones((3, 3), np.float32))
    x = np.random.default_rng(0).normal(size=(3, 3)).astype(np.float32)
    plan, again = make_plan(jaxpr), pickled.loaded(pickled.dumped(pickled.made(jaxpr)))
    assert (again.seconds, again.size) == (plan.seconds, plan.size)
    for result, expected in zip(again(x), plan(x), strict=True):
        assert np.asarray(result).tobytes() == np.asarray(expected).tobytes()


def test_that_numpy_cannot_run_something_is_kept_too():
    jaxpr = jax.make_jaxpr(jax.numpy.linalg.svd)(np.ones((3, 3), np.float32))
    again = pickled.loaded(pickled.dumped(pickled.made(jaxpr)))
    assert isinstance(again, NotCovered) and "svd" in str(again)
