"""XLA's flags for a CPU are added to those of the user, before XLA reads them."""

import os
import subprocess
import sys

import pytest

from msgrad.engine import processor, xla_flags

_TILES = "--xla_backend_extra_options=xla_cpu_disable_tiled_emitter"
_WIDTH = "--xla_cpu_prefer_vector_width=512"
_NEW, _OLD = "flags\t: avx2 avx512f avx512_vbmi2", "flags\t: avx2 avx512f"


@pytest.mark.parametrize(
    ("jaxlib", "description", "present", "expected"),
    [
        ("0.10.2", _NEW, None, [_TILES, _WIDTH]),
        ("0.12.0", _NEW, None, [_WIDTH]),
        ("0.12.0", _OLD, None, None),
        ("0.99.0", _NEW, None, None),  # which may know none of them
        ("0.10.2", _OLD, "--xla_dump_to=/tmp/a", ["--xla_dump_to=/tmp/a", _TILES]),
        ("0.10.2", _NEW, "--xla_cpu_prefer_vector_width=256", ["--xla_cpu_prefer_vector_width=256", _TILES]),
        ("0.10.2", _NEW, f"{_WIDTH} {_TILES}", [_WIDTH, _TILES]),
    ],
)
def test_flags_are_added_where_the_user_has_none_of_that_name(monkeypatch, jaxlib, description, present, expected):
    monkeypatch.setattr(xla_flags.importlib.metadata, "version", lambda name: jaxlib)
    monkeypatch.setattr(processor, "description", lambda: description)
    if present is None:
        monkeypatch.delenv("XLA_FLAGS", raising=False)
    else:
        monkeypatch.setenv("XLA_FLAGS", present)
    for _ in range(2):  # a process that this one starts inherits them
        xla_flags.add()
        assert os.environ.get("XLA_FLAGS") == (expected and " ".join(expected))


def test_xla_accepts_them():
    program = "import msgrad, jax, os; print(jax.jit(jax.lax.rsqrt)(4.0), os.environ.get('XLA_FLAGS'))"
    environment = {name: value for name, value in os.environ.items() if name != "XLA_FLAGS"}
    result = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    number, flags = result.stdout.strip().split(" ", 1)
    assert (float(number), result.stderr) == (0.5, "")
    assert flags == (" ".join([f"{name}={value}" for name, value in xla_flags._flags().items()]) or "None")
