"""glibc keeps what is freed, unless it is much, and takes large arrays from huge pages: few page faults."""

import ctypes
import os
import platform
import subprocess
import sys

import pytest

from msgrad.engine import host_memory

_PROGRAM = """
import ctypes, importlib.util, resource, sys
ctypes.CDLL(None).prctl(41, 1, 0, 0, 0)  # PR_SET_THP_DISABLE: a huge page would be one fault
if sys.argv[1:]:
    spec = importlib.util.spec_from_file_location("host_memory", sys.argv[1])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.keep_freed_memory()

def faults():
    blocks = [b"x" * (8 << 20) for _ in range(4)]
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

counts = [faults() for _ in range(8)]
print(min(after - before for before, after in zip(counts[2:], counts[3:])))  # the system may take pages away (NUMA)
"""


def _faults(*arguments, **variables):
    environment = {name: value for name, value in os.environ.items() if name not in host_memory._OF_USER}
    command = [sys.executable, "-c", _PROGRAM, *arguments]
    return int(subprocess.run(command, env=environment | variables, capture_output=True, check=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_freed_memory_is_kept():
    assert _faults() > 1000
    assert _faults(host_memory.__file__) < 100
    assert _faults(host_memory.__file__, MALLOC_TRIM_THRESHOLD_="1000000") > 1000  # the user's choice stays


_HOLES = """
import importlib.util, os, sys
spec = importlib.util.spec_from_file_location("host_memory", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
module.keep_freed_memory()

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20

blocks = [b"x" * (size << 20) for _ in range(40) for size in (8, 1)]
del blocks[::2]
before = resident()
module.return_if_much()
print(before, resident())
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="another C library")
def test_holes_are_returned():
    command = [sys.executable, "-c", _HOLES, host_memory.__file__]
    environment = {name: value for name, value in os.environ.items() if name not in host_memory._OF_USER}
    before, after = map(int, subprocess.run(command, env=environment, capture_output=True, check=True).stdout.split())
    assert before > 360 and after < before - 300  # MiB


@pytest.mark.skipif(not host_memory.huge_pages(), reason="the system gives no huge pages on request, or the user chose")
def test_programs_of_msgrad_run_have_huge_pages(monkeypatch, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import resource, sys\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt\n"
        "array = b'x' * (256 << 20)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before, sys.argv[1:])\n"
    )
    command = [sys.executable, "-m", "msgrad", "run", str(script), "--lr", "1"]
    faults, arguments = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split(" ", 1)
    assert int(faults) < 10_000  # small pages: 65 536
    assert arguments.strip() == "['--lr', '1']"
    monkeypatch.setenv("MALLOC_TOP_PAD_", "1")
    assert host_memory.huge_pages() == {}  # the user's choice stays
