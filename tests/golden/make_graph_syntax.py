"""Writes ``graph_syntax.json``: what MindSpore makes of ``tests/programs/graph_syntax``, in each mode.

    GLOG_v=4 ORACLE_PYTHON tests/golden/make_graph_syntax.py [FILE ...]

Each function runs in a process of its own, and in another one after an error: MindSpore's compiler is not to be relied
on then. With names of files, only their rows are written anew.
"""

import json
import multiprocessing
import os
import pathlib
import sys
import tempfile
import time

import mindspore as ms

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))

from graph_syntax import running  # noqa: E402  (found beside this folder)

GOLDEN = HERE / "graph_syntax.json"


def answers(case, modes):
    """The answers in each mode, with what was printed."""
    found = []
    while len(found) < len(modes):
        here, there = multiprocessing.Pipe(False)
        process = multiprocessing.get_context("fork").Process(target=_answer, args=(case, modes[len(found) :], there))
        process.start()
        there.close()
        count = len(found)
        try:
            while len(found) < len(modes) and here.poll(60):
                found.append(here.recv())
        except EOFError:
            pass
        if len(found) == count or (len(found) < len(modes) and found[-1].startswith("=")):
            found.append("crash")
        process.kill()
        process.join()
    return found


def _answer(case, modes, pipe):
    for mode in modes:
        with tempfile.TemporaryFile() as stream:
            os.dup2(stream.fileno(), 1)
            answer = running.run(ms, case, mode)
            sys.stdout.flush()
            if "print" in case.__name__:
                time.sleep(0.3)  # it prints from another thread
            stream.seek(0)
            pipe.send("\n".join([answer, *stream.read().decode().splitlines()]))
        if answer.startswith("!"):
            break
    pipe.close()
    os._exit(0)


def main(files):
    rows = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}
    for file in files or running.FILES:
        rows[file] = {name: answers(case, running.modes(file)) for name, case in running.cases(file).items()}
        parts = [
            f"{json.dumps(file)}: {{\n"
            + ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows[file].items())
            + "\n}"
            for file in rows
        ]
        GOLDEN.write_text("{\n" + ",\n".join(parts) + "\n}\n")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # MindSpore writes graphs with errors there
        main(sys.argv[1:])
