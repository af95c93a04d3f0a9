"""`msgrad launch`: refused options, and programs that are no Python files; tests/distributed runs whole programs."""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from importlib import metadata

import pytest

from msgrad.tools import job, launch, msrun

REFUSED = {
    "--bind_numa=True": "--bind_numa is left out",
    "--sim_level=1": "--sim_level is left out",
    "--join=False": "--join=False is left out",
    "--local_worker_num=3": "--local_worker_num must be from 1 to --worker_num, 2",
    "--local_worker_num=1": "several machines need --node_rank",
    "--local_worker_num=1 --node_rank=2": "machine 2 would have ranks beyond --worker_num=2",
    "--worker_num=0": "--worker_num must be 1 or more, but is 0",
    "--master_port=65536": "--master_port must be from 1 to 65535, but is 65536",
    "--master_addr=192.0.2.1": "cannot meet at 192.0.2.1:0: this is no address of the machine of rank 0",
    "--worker_log_name=none/name": "the log none/name_0.log cannot be written: No such file or directory",
    "--bind_core={}": "a dict of cores is left out",
    "--rank_table_file=none.json": "there is no rank table 'none.json'",
    "--tail_worker_log=first": "--tail_worker_log must be ranks",
    "--master_addr=none.invalid": "the address of --master_addr=none.invalid is not known",
    f"--log_dir={__file__}/logs": "the folder --log_dir=",
}


@pytest.mark.parametrize("option", REFUSED)
def test_refused(option):
    assert REFUSED[option] in launch.main(["--worker_num=2", *option.split(), "python"])


def test_no_such_script():
    assert launch.main(["--worker_num=2", "none.py"]) == "can't open file 'none.py': there is no such file"


def test_no_such_command():
    assert launch.main(["none-such"]) == "there is no command 'none-such', and no script of this name."


def test_a_port_that_is_in_use():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        sentence = f"The processes cannot meet at 127.0.0.1:{port}: another program listens there; choose another"
        assert launch.main(["--worker_num=2", f"--master_port={port}", "python"]).startswith(sentence)


RUN = [sys.executable, "-m", "msgrad", "run"]
COMMANDS = {
    f"{__file__} --log_dir=x -- y": [*RUN, __file__, "--log_dir=x", "--", "y"],
    "-m package.module --its": [*RUN, "-m", "package.module", "--its"],
    "pytest -q tests": [*RUN, "-m", "pytest", "-q", "tests"],
    "python train.py -c": [*RUN, "train.py", "-c"],
    "python3 -u -W ignore -m package": [sys.executable, "-u", "-W", "ignore", *RUN[1:], "-m", "package"],
    "python -u -c 1 a": [sys.executable, "-u", "-c", "import msgrad.alias; msgrad.alias.install()\n1", "a"],
    "python -m msgrad run x.py": [*RUN, "x.py"],
    "python": [sys.executable],
    f"{sys.executable} -c 1": [sys.executable, "-c", "1"],
}


@pytest.mark.parametrize("words", COMMANDS)
def test_command_of_a_worker(words):
    assert launch._command_of(launch._parser().parse_args(words.split())) == COMMANDS[words]


@pytest.mark.parametrize("ends", [">/dev/full", "2>&- >&- <&-"])
def test_workers_go_on_where_nobody_reads(ends, tmp_path):
    code = "print('line', flush=True); print('end')"
    options = ["--worker_num=2", "--tail_worker_log=-1", f"--log_dir={tmp_path}", sys.executable, "-c", code]
    words = shlex.join([sys.executable, "-m", "msgrad", "launch", *options])
    ended = subprocess.run(f"exec {words} {ends}", shell=True, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr
    assert [(tmp_path / f"worker_{rank}.log").read_text() for rank in range(2)] == ["line\nend\n"] * 2
    if "full" in ends:
        told = r"msgrad launch: the output of rank [01] is not written to <stdout> any more: No space left on device\n"
        assert re.fullmatch(f"(?:{told})+", ended.stderr)  # of the rank that wrote first, or of both


def test_output_that_is_read_late_is_whole(tmp_path):
    code = "for _ in range(1500): print('line' * 16)  # more than fits into a pipe\nopen('ended', 'w')"
    options = ["--worker_num=1", f"--log_dir={tmp_path}", sys.executable, "-c", code]
    words = [sys.executable, "-m", "msgrad", "launch", *options]
    with subprocess.Popen(words, stdout=subprocess.PIPE, cwd=tmp_path) as launcher:
        end = time.monotonic() + 20
        while not (tmp_path / "ended").exists() and time.monotonic() < end:
            time.sleep(0.1)
        time.sleep(3)  # in which the launcher does not give up
        assert launcher.communicate()[0].count(b"\n") == 1500
    assert (tmp_path / "worker_0.log").read_text().count("\n") == 1500


def test_a_command_that_is_no_script(tmp_path, capsys):
    code = "import os; print(os.environ['RANK_ID'], os.environ['RANK_SIZE'])"
    options = ["--worker_num=2", "--tail_worker_log=1", f"--log_dir={tmp_path}"]
    assert launch.main([*options, sys.executable, "-c", code]) == 0
    assert capsys.readouterr().out == "1 2\n"
    assert [(tmp_path / f"worker_{rank}.log").read_text() for rank in range(2)] == ["0 2\n", "1 2\n"]


def test_the_launcher_imports_neither_jax_nor_operations(tmp_path):
    options = ["--worker_num=1", f"--log_dir={tmp_path}", sys.executable, "-c", ""]
    command = [sys.executable, "-X", "importtime", "-m", "msgrad", "launch", *options]
    imported = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    names = {line.rpartition("|")[2].strip() for line in imported.splitlines()}
    assert {"msgrad.engine.processes.launched", "jaxlib._jax"} <= names
    assert not {"jax", "msgrad.ops", "msgrad.engine.execution"} & names


@pytest.mark.parametrize("seconds, is_perhaps_jax", [(0, False), (1.1, True)])
def test_an_abort_is_explained(tmp_path, capsys, monkeypatch, seconds, is_perhaps_jax):
    monkeypatch.setenv("MS_NODE_TIMEOUT", "1" if is_perhaps_jax else "60")
    code = f"import os, time; time.sleep({seconds}); os.abort()"
    options = ["--worker_num=1", f"--log_dir={tmp_path}"]
    assert launch.main([*options, sys.executable, "-c", code]) == 134
    error = capsys.readouterr().err
    assert "rank 0 was ended by SIGABRT" in error
    assert ("it called abort, or JAX did, which ends a process if it or the launcher" in error) == is_perhaps_jax


def test_a_signal_while_workers_start_leaves_none(tmp_path, monkeypatch):
    started = []

    class Popen(subprocess.Popen):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            started.append(self)
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(subprocess, "Popen", Popen)
    options = ["--worker_num=2", f"--log_dir={tmp_path}", sys.executable, "-c", "import time; time.sleep(60)"]
    assert launch.main(options) == 128 + signal.SIGTERM
    assert started and all([process.returncode is not None for process in started])


def test_names_of_logs(tmp_path):
    name = "{ip} {rank}"  # MindSpore replaces two words in braces alone
    options = ["--worker_num=1", "--tail_worker_log=1", f"--log_dir={tmp_path}", f"--worker_log_name={name}"]
    assert launch.main([*options, sys.executable, "-c", ""]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["127.0.0.1 {rank}_0.log"]


def test_the_first_that_fails_is_named(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(job, "_AFTER_FAILURE", 0.1)  # rank 0 does not end by itself
    code = "import os, sys, time; time.sleep(60 * (os.environ['RANK_ID'] == '0')); print('why'); sys.exit(3)"
    assert launch.main(["--worker_num=2", f"--log_dir={tmp_path}", sys.executable, "-c", code]) == 3
    shown = capsys.readouterr().err
    assert f"launch: rank 1 ended with status 3; the end of {tmp_path}/worker_1.log:\n    why\n" in shown


def test_msrun_is_launch(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["msrun", "--worker_num=0", "train.py"])
    monkeypatch.setattr(msrun.metadata, "entry_points", lambda **about: [_entry("msgrad.tools.msrun:main")])
    assert msrun.main() == 2
    assert "--worker_num must be 1 or more" in capsys.readouterr().err


def test_msrun_is_that_of_mindspore_where_it_is_installed(monkeypatch):
    entries = [_entry("msgrad.tools.msrun:main"), _entry("mindspore.parallel.cluster.run:main")]
    monkeypatch.setattr(metadata.EntryPoint, "load", lambda entry: lambda: entry.value)
    monkeypatch.setattr(msrun.metadata, "entry_points", lambda **about: entries)
    assert msrun.main() == "mindspore.parallel.cluster.run:main"


def _entry(value):
    return metadata.EntryPoint("msrun", value, "console_scripts")
