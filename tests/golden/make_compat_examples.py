"""Writes ``compat_examples/expected/*.txt`` with MindSpore itself; run it with an interpreter that has MindSpore 2.10.

    GLOG_v=4 ORACLE_PYTHON tests/golden/make_compat_examples.py [NAME ...]

The figures come from GRAPH_MODE: PYNATIVE_MODE of MindSpore 2.10 computes second derivatives through matmul and
broadcasting wrongly. A script whose PYNATIVE_MODE output differs is named on the standard error stream.
Two files are kept by hand (`BY_HAND`), since MindSpore 2.10 cannot run their scripts.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "compat_examples"
BY_HAND = {"func_face", "legacy_calls"}
RUN = """
import runpy, sys, mindspore
mindspore.set_context(mode=int(sys.argv[2]))
runpy.run_path(sys.argv[1], run_name="__main__")
"""
GRAPH_MODE, PYNATIVE_MODE = "0", "1"


def output_of(script, mode):
    """Runs ``script`` in ``mode`` in a fresh interpreter and returns what it prints."""
    with tempfile.TemporaryDirectory() as folder:  # MindSpore leaves files in its working folder
        command = [sys.executable, "-c", RUN, str(script), mode]
        environment = {**os.environ, "GLOG_v": "4"}
        return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


def main():
    for script in sorted(EXAMPLES.glob("*.py")):
        if script.stem in BY_HAND or sys.argv[1:] and script.stem not in sys.argv[1:]:
            continue
        printed = output_of(script, GRAPH_MODE)
        (EXAMPLES / "expected" / f"{script.stem}.txt").write_text(printed)
        if output_of(script, PYNATIVE_MODE) != printed:
            sys.stderr.write(f"{script.stem}: PYNATIVE_MODE of MindSpore prints something else\n")


if __name__ == "__main__":
    main()
