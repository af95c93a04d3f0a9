"""Writes ``seeded_losses.json``: what MindSpore prints for the scripts of ``tests/seeded_scripts``.

Run it with an interpreter that has MindSpore 2.10: ``GLOG_v=4 python tests/golden/make_seeded_losses.py``. Each script
runs twice, and must print the same.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

FILE = pathlib.Path(__file__).with_name("seeded_losses.json")
SCRIPTS = sorted((pathlib.Path(__file__).resolve().parents[1] / "seeded_scripts").glob("*.py"))


def losses(script):
    with tempfile.TemporaryDirectory() as folder:  # MindSpore leaves files in its working folder
        ran = subprocess.run([sys.executable, str(script)], cwd=folder, check=True, capture_output=True, text=True)
    return [float(line) for line in ran.stdout.splitlines()]


def main():
    made = {}
    for script in SCRIPTS:
        made[script.stem], again = losses(script), losses(script)
        assert max(abs(one - other) for one, other in zip(made[script.stem], again, strict=True)) < 2e-6, script
    rows = [f"{json.dumps(name)}: {json.dumps(each)}" for name, each in made.items()]
    FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()
