"""`msgrad launch`: refused options, and programs that are no Python files; tests/distributed runs whole programs."""

import subprocess
import sys
from importlib import metadata

import pytest

from msgrad.tools import launch, msrun

REFUSED = {
    "--bind_numa=True": "--bind_numa is left out",
    "--sim_level=1": "--sim_level is left out",
    "--join=False": "--join=False is left out",
    "--local_worker_num=3": "--local_worker_num must be from 1 to --worker_num, 2",
    "--local_worker_num=1": "several machines need --node_rank",
    "--node_rank=1": "machine 1 would have ranks beyond --worker_num=2",
    "--bind_core={}": "a dict of cores is left out",
    "--rank_table_file=none.json": "there is no rank table 'none.json'",
    "--tail_worker_log=first": "--tail_worker_log must be ranks",
    "--master_addr=none.invalid": "the address of --master_addr=none.invalid is not known",
    f"--log_dir={__file__}/logs": "the folder --log_dir=",
}


@pytest.mark.parametrize("option", REFUSED)
def test_refused(option):
    assert REFUSED[option] in launch.main(["--worker_num=2", option, "python"])


def test_no_such_script():
    assert launch.main(["--worker_num=2", "none.py"]) == "can't open file 'none.py': there is no such file"


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


def test_an_abort_is_explained(tmp_path, capsys):
    options = ["--worker_num=1", f"--log_dir={tmp_path}"]
    assert launch.main([*options, sys.executable, "-c", "import os; os.abort()"]) == 134
    assert "rank 0 was ended by SIGABRT, as JAX ends a process if it or the launcher" in capsys.readouterr().err


def test_names_of_logs(tmp_path):
    name = "{ip} {rank}"  # MindSpore replaces two words in braces alone
    options = ["--worker_num=1", "--tail_worker_log=1", f"--log_dir={tmp_path}", f"--worker_log_name={name}"]
    assert launch.main([*options, sys.executable, "-c", ""]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["127.0.0.1 {rank}_0.log"]


def test_the_first_that_fails_is_named(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(launch, "_AFTER_FAILURE", 0.1)  # rank 0 does not end by itself
    code = "import os, sys, time; time.sleep(60 * (os.environ['RANK_ID'] == '0')); print('why'); sys.exit(3)"
    assert launch.main(["--worker_num=2", f"--log_dir={tmp_path}", sys.executable, "-c", code]) == 3
    shown = capsys.readouterr().err
    assert f"launch: rank 1 ended with status 3; the end of {tmp_path}/worker_1.log:\n    why\n" in shown


def test_msrun_is_launch(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["msrun", "--worker_num=0", "train.py"])
    monkeypatch.setattr(msrun.metadata, "entry_points", lambda **about: [_entry("msgrad.tools.msrun:main")])
    assert msrun.main() == 2
    assert "--local_worker_num must be from 1" in capsys.readouterr().err


def test_msrun_is_that_of_mindspore_where_it_is_installed(monkeypatch):
    entries = [_entry("msgrad.tools.msrun:main"), _entry("mindspore.parallel.cluster.run:main")]
    monkeypatch.setattr(metadata.EntryPoint, "load", lambda entry: lambda: entry.value)
    monkeypatch.setattr(msrun.metadata, "entry_points", lambda **about: entries)
    assert msrun.main() == "mindspore.parallel.cluster.run:main"


def _entry(value):
    return metadata.EntryPoint("msrun", value, "console_scripts")
