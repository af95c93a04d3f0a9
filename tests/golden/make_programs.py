"""Writes what MindSpore 2.10 prints for the programs of a folder of tests.

    GLOG_v=4 ORACLE tests/golden/make_programs.py [FOLDER ...]      # default: all folders named programs

``program.py`` gets ``expected/program.txt``. The output of GRAPH_MODE counts; a program that prints something else in
PYNATIVE_MODE is named on the standard error stream. Modules that programs share begin with an underscore.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
RUN = "import runpy, sys, mindspore; mindspore.set_context(mode=int(sys.argv[2])); runpy.run_path(sys.argv[1])"
GRAPH_MODE, PYNATIVE_MODE = "0", "1"


def output_of(program, mode):
    """Runs ``program`` in ``mode`` in a fresh interpreter and returns what it prints."""
    with tempfile.TemporaryDirectory() as folder:  # MindSpore leaves files in its working folder
        environment = {**os.environ, "GLOG_v": "4", "PYTHONPATH": str(program.parent)}
        command = [sys.executable, "-c", RUN, str(program), mode]
        return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


def main(folders):
    for folder in folders or TESTS.rglob("programs"):
        (folder / "expected").mkdir(exist_ok=True)
        for program in sorted(folder.glob("[a-z]*.py")):
            printed = output_of(program, GRAPH_MODE)
            (folder / "expected" / f"{program.stem}.txt").write_text(printed)
            if output_of(program, PYNATIVE_MODE) != printed:
                sys.stderr.write(f"{program.stem}: PYNATIVE_MODE of MindSpore prints something else\n")


if __name__ == "__main__":
    main([pathlib.Path(name) for name in sys.argv[1:]])
