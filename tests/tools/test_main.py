"""The command, in separate processes: it does not change a program's output, errors or exit status."""

import os
import pathlib
import resource
import subprocess
import sys
import textwrap

import pytest

import msgrad
from msgrad._startup import reserving_stack
from msgrad.tools.command import COMMANDS, main

ENVIRONMENT = os.environ | {"PYTHONPATH": str(pathlib.Path(msgrad.__file__).parents[1])}
NO_PROGRAM = "it needs a script, `-m` and a module, or `-` for standard input"


def command(*arguments, stdin=None, cwd=None):
    whole = [sys.executable, "-m", "msgrad", *arguments]
    return subprocess.run(whole, input=stdin, capture_output=True, text=True, cwd=cwd, env=ENVIRONMENT)


@pytest.fixture
def script(tmp_path):
    def write(text, name="program.py"):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


def test_a_script_gets_its_arguments_its_folder_and_mindspore(script, tmp_path):
    (tmp_path / "neighbour.py").write_text("here = True\n")
    path = script(
        "import sys, neighbour, mindspore, msgrad\n"
        "print(__name__, __file__, sys.argv, mindspore is msgrad, sys.modules['__main__'].neighbour.here)\n"
    )
    ran = command("run", path, "-x", "--help", "1")
    assert ran.stdout == f"__main__ {path} {[path, '-x', '--help', '1']} True True\n" and ran.returncode == 0


def test_a_script_from_standard_input():
    ran = command("run", "-", "a", stdin="import sys, mindspore\nprint(sys.argv, mindspore.__version__)\n")
    assert (ran.stdout, ran.stderr, ran.returncode) == ("['-', 'a'] 2.10.0\n", "", 0)


def test_the_debugger_starts_in_the_users_line_that_raised(script):
    path = script("import mindspore\ndef f(x):\n    kept = 7\n    return mindspore.nn.Dense(2, x)\nf(-1)\n")
    ran = command("run", "--pdb", path, stdin="p kept\nq\n")
    assert "(Pdb) 7\n" in ran.stdout and "ValueError: For 'Dense'" in ran.stderr and ran.returncode == 1


def test_what_was_imported_is_not_searched_for_garbage(script):
    path = script("import gc, mindspore\nprint(gc.isenabled(), gc.get_freeze_count() > 50_000, len(gc.get_objects()))")
    enabled, frozen, left = command("run", path).stdout.split()
    assert (enabled, frozen) == ("True", "True") and int(left) < 50_000


def test_only_what_was_imported_is_kept_when_the_process_ends(script, tmp_path):
    text = """
        import sys
        from msgrad.tools import running

        class Last:
            def __del__(self):
                print("deleted")

        last, circular = Last(), Last()
        circular.itself = circular
        file = open("written.txt", "w")
        file.write("flushed")
        print(sys.getrefcount(running.fault_of) > 2)  # by more than its module and this call
    """
    ran = command("run", script(textwrap.dedent(text)), cwd=tmp_path)
    assert (ran.stdout, ran.stderr) == ("True\ndeleted\ndeleted\n", "")
    assert (tmp_path / "written.txt").read_text() == "flushed"


def test_the_process_ends_when_nothing_is_computed_any_more(script):
    path = script(
        "import jax\n"
        "y = jax.block_until_ready(jax.numpy.ones((1500, 1500)))\n"
        "while y.is_ready():  # on a fast machine it may be before Python asks\n"
        "    y = jax.jit(lambda x: x @ x @ x @ x)(y)\n"
        "class Last:\n"
        "    def __init__(self, y):\n"
        "        self.y = y\n"
        "    def __del__(self):\n"
        "        print(self.y.is_ready())\n"
        "last = Last(y)\n"
    )
    assert command("run", path).stdout == "True\n"


def test_frames_of_deep_calls_need_no_new_memory():
    def down(depth):
        return depth and down(depth - 1)

    whose = getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF)  # JAX's threads have page faults, too

    def pages():
        before = resource.getrusage(whose).ru_minflt
        for depth in range(0, 600, 3):  # several chunks of frames, wherever the first one begins
            for _ in range(20):
                down(depth)
        return resource.getrusage(whose).ru_minflt - before

    # From the depth on at which a chunk of frames is full, each call maps the next chunk anew. The system may take
    # pages away for reasons of its own (NUMA), but not each time.
    assert min(reserving_stack(lambda: [pages() for _ in range(4)])()) < 200 < min(pages() for _ in range(4))


@pytest.mark.parametrize("line", ["pass", "gc.disable()", "gc.freeze()"])
@pytest.mark.parametrize("made", [0, 60_000])
def test_the_collector_ignores_what_an_import_makes_but_not_what_a_program_does(line, made):
    # Python 3.12 starts with frozen objects.
    lines = [
        "import gc",
        f"mine = [[] for _ in range({made})]; {line}",
        "was_on, before = gc.isenabled(), gc.get_freeze_count()",
        "import msgrad",
        "print(gc.isenabled() == was_on, gc.get_freeze_count() - before)",
    ]
    ran = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, env=ENVIRONMENT)
    is_on_as_before, frozen = ran.stdout.split() or pytest.fail(ran.stderr)
    assert is_on_as_before == "True"
    # Much of the program's own that is frozen is not there for the collector, whatever else becomes of it.
    assert int(frozen) > 50_000 if line == "gc.freeze()" or not made else int(frozen) == 0


@pytest.mark.parametrize("line", ["pass", "os.environ['OPENBLAS_THREAD_TIMEOUT'] = '9'", "import numpy"])
def test_an_import_leaves_the_environment_as_it_was(line):
    text = f"import os; {line}; before = dict(os.environ); import msgrad; print(dict(os.environ) == before)"
    ran = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=ENVIRONMENT)
    assert ran.stdout == "True\n", ran.stderr


def test_a_notebook_loads_the_alias():
    text = "import msgrad; msgrad.load_ipython_extension(None); import mindspore; print(mindspore is msgrad)"
    ran = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=ENVIRONMENT)
    assert ran.stdout == "True\n", ran.stderr


def test_a_module(script, tmp_path):
    script("import sys, mindspore.context\nprint(__name__, sys.argv[1:])\n", "some_module.py")
    ran = command("run", "-m", "some_module", "-v", cwd=tmp_path)
    assert (ran.stdout, ran.returncode) == ("__main__ ['-v']\n", 0), ran.stderr


@pytest.mark.parametrize(
    "text, status, stderr",
    [
        ("import sys; sys.exit(7)", 7, ""),
        ("raise SystemExit('told')", 1, "told\n"),
        ("exit()", 0, ""),
        ("import atexit; atexit.register(lambda: print(name)); name = 'bye'", 0, ""),
    ],
)
def test_exit_status(script, text, status, stderr):
    ran = command("run", script(text))
    assert (ran.returncode, ran.stderr) == (status, stderr)
    assert ran.stdout == ("bye\n" if "bye" in text else "")


@pytest.mark.parametrize(
    "text", ["def f():\n    return 1 / 0\n\nf()\n", "print((1)\n", "try:\n    {}['a']\nexcept KeyError:\n    1 / 0\n"]
)
def test_tracebacks_are_those_of_python(script, text):
    path = script(text)
    ran = command("run", path)
    alone = subprocess.run([sys.executable, path], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (1, alone.stderr)


def test_an_excepthook_of_the_program_is_used(script):
    text = "import sys\nsys.excepthook = lambda kind, error, tb: print(kind.__name__, tb.tb_lineno)\n1 / 0\n"
    assert command("run", script(text)).stdout == "ZeroDivisionError 3\n"


def test_traceback_of_a_module(script, tmp_path):
    path = script("1 / 0\n", "failing.py")
    ran = command("run", "-m", "failing", cwd=tmp_path)
    first = ran.stderr.splitlines()[:2]
    assert first == ["Traceback (most recent call last):", f'  File "{path}", line 1, in <module>']
    assert ran.returncode == 1


WRONG = {  # command lines, and what is said of them
    "run nowhere.py": "msgrad run: can't open file 'nowhere.py': there is no such file",
    "run .": "msgrad run: can't open file '.': it is a folder",
    "run": f"msgrad run: {NO_PROGRAM}",
    "run -m": f"msgrad run: {NO_PROGRAM}",
    "run --explain": f"msgrad run: {NO_PROGRAM}",
    "show": f"msgrad show: {NO_PROGRAM}",
    "run --explian x.py": "msgrad run: unrecognized arguments: --explian; did you mean --explain? "
    "(see `msgrad run --help`)",
    "show --only": "msgrad show: argument --only: expected one argument (see `msgrad show --help`)",
    "check": "msgrad check: the following arguments are required: PATH (see `msgrad check --help`)",
    "check --jsn=1 .": "msgrad check: unrecognized arguments: --jsn=1; did you mean --json? "
    "(see `msgrad check --help`)",
    "launch --worker_nmu=2 a.py": "msgrad launch: unrecognized arguments: --worker_nmu=2; did you mean --worker_num? "
    "(see `msgrad launch --help`)",
    "launch --worker_num=0 a.py": "msgrad launch: --worker_num must be 1 or more, but is 0.",
    "launch": "msgrad launch: the following arguments are required: SCRIPT (see `msgrad launch --help`)",
    "launch nowhere.py": "msgrad launch: can't open file 'nowhere.py': there is no such file",
    "convert a.pth": "msgrad convert: the following arguments are required: --to, --for (see `msgrad convert --help`)",
    "compare nowhere.py": "msgrad compare: can't open file 'nowhere.py': there is no such file",
    "chek .": "msgrad: there is no command 'chek'; did you mean check? (see `msgrad --help`)",
    "fly": "msgrad: there is no command 'fly' (see `msgrad --help`)",
    "train.py": "msgrad: there is no command 'train.py'; did you mean `msgrad run train.py`? (see `msgrad --help`)",
    "--verison": "msgrad: unrecognized arguments: --verison; did you mean --version? (see `msgrad --help`)",
}  # fmt: skip


@pytest.mark.parametrize("words", WRONG)
def test_wrong_use_is_one_line_and_status_2(words, capsys):
    try:
        status = main(words.split())
    except SystemExit as ended:
        status = ended.code
    assert (status, *capsys.readouterr()) == (2, "", WRONG[words] + "\n")


def test_a_reader_that_closes_the_pipe_is_no_error(script):
    script("import mindspore\n" + "\n".join(f"mindspore.no_name_{k}" for k in range(5000)), "names.py")
    path = script("from mindspore import nn\n")
    whole = [sys.executable, "-m", "msgrad", "check", "--all", os.path.dirname(path)]
    with subprocess.Popen(whole, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


def test_version():
    ran = command("--version")
    version = f"msgrad {msgrad.__msgrad_version__} (answers for MindSpore 2.10.0)\n"
    assert (ran.stdout, ran.stderr, ran.returncode) == (version, "", 0)
    assert command("version").stdout == version


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], *[[name, "--help"] for name in COMMANDS]], ids=" ".join)
def test_help_has_examples(words, capsys):
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 0
    printed = capsys.readouterr().out
    name = words[0] if len(words) == 2 else ""
    examples = printed.partition("\nexamples:\n")[2].splitlines()
    assert len(examples) > 1 and all(line.startswith(f"  msgrad {name}") for line in examples)
    assert max(map(len, printed.splitlines())) <= 100
    if not name:
        assert all(f"\n  {command:8}  {purpose}\n" in printed for command, (_, purpose) in COMMANDS.items())
