"""Runs the tests of ``four_devices`` in one process that has four devices, so that it starts once."""

import os
import pathlib
import subprocess
import sys

from ..tuning import xla_flags

_FOLDER = pathlib.Path(__file__).parent / "four_devices"


def test_on_four_devices():
    flags = f"--xla_force_host_platform_device_count=4 {xla_flags() or ''}"
    environment = os.environ | {"XLA_FLAGS": flags, "PYTEST_ADDOPTS": ""}
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-o", "python_files=*.py"]
    process = subprocess.run([*command, str(_FOLDER)], env=environment, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout + process.stderr
