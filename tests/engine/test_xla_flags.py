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
    monkeypatch.setattr(xla_flags.Added, "flags", "")
    if present is None:
        monkeypatch.delenv("XLA_FLAGS", raising=False)
    else:
        monkeypatch.setenv("XLA_FLAGS", present)
    with xla_flags.added():
        assert os.environ.get("XLA_FLAGS") == (expected and " ".join(expected))
    assert os.environ.get("XLA_FLAGS") == present
    assert xla_flags.Added.flags == " ".join([flag for flag in expected or [] if flag not in (present or "").split()])


@pytest.mark.parametrize("line", ["pass", "jax.devices()"])
def test_xla_reads_them_when_the_client_is_made(tmp_path, line):
    program = f"""
import os, sys, jax
{line}
import msgrad
from msgrad.engine import xla_flags
before = os.environ.get("XLA_FLAGS")
os.environ["XLA_FLAGS"] = "--xla_dump_to={tmp_path}"
jax.jit(jax.lax.rsqrt)(4.0)
assert os.environ["XLA_FLAGS"] == "--xla_dump_to={tmp_path}"
print(xla_flags.Added.flags)
"""
    environment = {name: value for name, value in os.environ.items() if name != "XLA_FLAGS"}
    result = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    options = "".join([each.read_text() for each in tmp_path.glob("*debug_options")])
    is_in_time = line == "pass"  # a client that is there already has read what there was
    expected = " ".join([f"{name}={value}" for name, value in xla_flags._flags().items()]) if is_in_time else ""
    assert (result.stdout.strip(), result.stderr) == (expected, "")
    assert ("xla_cpu_prefer_vector_width: 512" in options) == ("512" in expected)
    assert ("xla_cpu_disable_tiled_emitter" in options) == ("tiled" in expected)
