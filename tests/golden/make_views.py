"""Writes ``views.json``: what MindSpore's views show after writes.

Run it with an interpreter that has MindSpore 2.10: ``GLOG_v=4 ORACLE_PYTHON tests/golden/make_views.py``. A row is
``[program, call, grad]``: statements on ``x``, a Tensor of shape (3, 4) that holds 1 to 12, and the values of ``x``,
``y``, ``z``, ``w`` after them, as far as there are such names: outside a gradient, where a function and a Cell give the
same; and under ``value_and_grad``; both in PYNATIVE_MODE. A value is null where MindSpore fails. Programs that it
cannot run outside gradients are left out.

Each batch runs in a process of its own, since after an error MindSpore's indexing is not to be trusted.
"""

import importlib.util
import json
import pathlib
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

FOLDER = pathlib.Path(__file__).parent
FILE = FOLDER / "views.json"
MODES = ("call", "grad")

WRITTEN = """
y = x[0]; x[{}] = 0.; z = x[0]; y[1] = 50.; x[0] = 60.
y = x.{}; y[0] = 50.; x[1] = 60.
y = {}; y[0] = 50.
y = {}; x[0] = 50.
"""  # patterns, which `BASIC`, `MOVES` and `PARTS` fill
INDICES = [
    "0", "-1", "0:2", ":", "()", "...", "None", "True", "::2", "0, 0", ":, 1", "..., 0", "0, ...", "None, 0", "0, None",
    "(None,)", "1:1", "[0, 1]", "[0, 1], [0, 1]", "0, [0, 1]", "T([0, 1])", "0, T(0)", "x > 5", "0:2, 1:3", "0:3:2, 1",
    "T(0):T(2)", "[True, False, True]",
]  # fmt: skip
MOVES = [
    "T.reshape(-1)", "T.reshape(2, 6)", "T.reshape(1, 4, 3)", "T.flatten()", "T.view(-1)", "T.T.reshape(-1)",
    "reshape(-1)", "reshape(2, 6)[:, 1]", "squeeze()", "T.squeeze()", "T.expand_dims(0)", "broadcast_to((2, 3, 4))",
    "diagonal()", "diagonal().reshape(3, 1)", "split(1)[1]", "unbind()[1]", "narrow(0, 1, 2)", "swapaxes(0, 1)[1:]",
    "T[1].reshape(3, 1)", "view(ms.int32)", "astype(ms.float32)", "T.astype(ms.float32)",
    "unsqueeze(0).T.squeeze().T.reshape(-1)", "copy()", "flatten()", "broadcast_to((2, 3, 4)).reshape(-1)",
    "reshape(12)[3:9].reshape(2, 3).T",
]  # fmt: skip
PARTS = [
    "x[:, :2].reshape(-1)", "x[1:].reshape(-1)", "x[::2].reshape(-1)", "x[:, 1].reshape(-1)", "x[:, 0:1].reshape(-1)",
    "x[1:2, 0:2].reshape(-1)", "x[0][1:]", "x[0:2][1]", "x[[0]]", "x[[0, 1]][[0]]", "x[0][[0, 1]]", "x[x > 3]",
    "x[0:2, [0, 1]]", "x[True]", "x[0, True]", "x[None]", "x[(None,)]", "x[0, None]", "x[T(0)]", "x[T([0, 1])]", "x[:]",
    "x[()]", "x[T(0):T(2)]", "x.T[0]", "x[0].T", "x[0].transpose()", "T(x)", "T(x[0])", "T(x).T",
    "ops.slice(x, (0, 1), (2, 2))", "ops.strided_slice(x, (0, 0), (3, 4), (2, 2))", "ops.reshape(x, (2, 6))",
    "ops.flatten(x)", "ops.tensor_split(x, 2)[0]",
]  # fmt: skip
BY_HAND = [
    "y = x[0]; x[0] = 5.; y[1] = 7.",  # the write to y must not bring its old values back
    "y = x[0]; z = y[1:]; y[...] = 0.; z[0] = 9.",
    "y = x[0]; z = y[1:]; x[...] = 0.; z[0] = 9.",
    "y = x[0]; z = y[1:]; y[0] = 8.; z[0] = 9.",
    "y = x[0]; z = y[1:]; z[z > 3] = 0.",
    "y = x[0]; y[y > 3] = 0.; x[0, 0] = 9.; z = y[1:]; z[0] = 4.",
    "y = x[0:2]; y[[0]] = 0.; y[1] = 7.",
    "y = x.T; y[y > 3] = 0.; y[0] = 7.",
    "y = x[0].reshape(2, 2); y[y > 3] = 0.",
    "y = x[x > 3]; y[:] = 0.; x[2] = 5.; y[1] = 7.",
    "y = x[[0]]; z = x[0]; y[0, 0] = 9.; z[1] = 8.",
    "y = x[0]; y.assign_value(T([9., 8., 7., 6.])); y[0] = 1.",
    "y = x[0]; x.assign_value(x * 2); y[0] = 9.",
    "y = x[0]; y += 1.; y[0] = 9.",
    "y = x.T; y[0] += 1.",
    "y = x.T; z = x[1]; x.copy_(x * 2)",
    "y = x.T; z = x[1]; ops.assign(x, x * 2)",
    "y = T(x); z = x[0]; y[0] = 9.; y[y > 8] = 0.; y[0] = 7.",
    "y = x[1:]; x = x[0]; y[0] = 3.; x[0] = 4.",
    "y = x[0:2]; z = x[1:3]; x = x[0]; y[1] = 5.; z[1] = 6.",
    "y = x[0:2]; z = y[1]; w = y[:, 1]; z[1] = 5.; w[0] = 6.; y = y[0]",
    "x = x[0, 0]; y = x.reshape(1); y[0] = 9.",
    "x = x[0, 0]; y = x.reshape(1); x[...] = 9.",
    "x[0][1] = 9.; x.T[1] = 8.; x.reshape(-1)[0] = 7.; x[1].reshape(2, 2)[0] = 6.; x[2][1:][0] = 5.",
    "y = x[1:]; y = y[1:]; y[0] = 5.; z = y.T; z[0] = 6.",
]
VIEWS = [
    "{}[0]", "{}[1:]", "{}[:, 1]", "{}[::2]", "{}[None]", "{}.T", "{}.reshape(-1)", "{}.reshape(2, -1)",
    "{}.expand_dims(0)", "{}.squeeze()", "{}.transpose()", "{}.broadcast_to((2,) + {}.shape)", "{}.split(1)[0]",
    "{}.flatten()", "{}.narrow(0, 0, 1)", "{}[..., 0]", "{}[-1]", "{}[[0]]", "{}.swapaxes(0, 1)", "{}[...]",
    "{}.view(-1)", "{}.diagonal()",
]  # fmt: skip
WRITES = [
    "{}[0] = {v}", "{}[-1] = {v}", "{}[0:1] = {v}", "{}[:] = {v}", "{}[...] = {v}", "{}[[0]] = {v}", "{}[{} > 5] = {v}",
    "{}[..., 0] = {v}", "{}[0, 1] = {v}", "{}[::2] = {v}", "{}[None] = {v}", "{}[0][0] = {v}", "{}[0][0:1] = {v}",
    "{}[0] += {v}", "{} += {v}", "{}[T([0])] = {v}", "{}.T[0] = {v}", "{}.reshape(-1)[1] = {v}",
]  # fmt: skip


def drawn(seed, count):
    """Random programs of one to three views and one to three writes; not all of them can run."""
    draw, programs = random.Random(seed), []
    for _ in range(count):
        names, lines = ["x"], []
        kinds = ["view"] * draw.randint(0, 2) + ["write"] * draw.randint(1, 3)
        draw.shuffle(kinds)
        for k, kind in enumerate(["view", *kinds]):
            of = draw.choice(names)
            if kind == "view":
                names.append("yzw"[len(names) - 1])
                lines.append(f"{names[-1]} = " + draw.choice(VIEWS).replace("{}", of))
            else:
                lines.append(draw.choice(WRITES).replace("{}", of).replace("{v}", f"{50 + 7 * k}."))
        programs.append("; ".join(lines))
    return programs


def programs():
    """All programs, each once."""
    first, second, third, fourth = WRITTEN.split("\n")[1:-1]
    filled = [first.replace("{}", index) for index in INDICES] + [second.replace("{}", move) for move in MOVES]
    filled += [pattern.replace("{}", part) for part in PARTS for pattern in (third, fourth)]
    return list(dict.fromkeys([*filled, *BY_HAND, *drawn(1, 110)]))


def as_module(rows):
    """The source of a module with a function for each program."""
    lines = ["ms = ops = T = None", ""]
    for k, program in enumerate(rows):
        names = [name for name in "xyzw" if f"{name} = " in f"x = 0; {program}"]
        body = ["x = x * 1.", *program.split("; "), f"return {', '.join(names)},"]
        lines += [f"def f{k}(x):", *[f"    {line}" for line in body], ""]
    return "\n".join(lines)


def results(ms, function, mode):
    """The values of a program, as nested lists."""

    x = ms.Tensor(np.arange(1, 13, dtype=np.float32).reshape(3, 4))
    if mode == "cell":

        class Net(ms.nn.Cell):
            def __init__(self, function):
                super().__init__()
                self.function = function

            def construct(self, x):
                return self.function(x)

        made = Net(function)(x)
    elif mode == "grad":

        def summed(x):
            made = function(x)
            return made[0].sum(), made

        made = ms.value_and_grad(summed, 0, None, has_aux=True)(x)[0][1]
    else:
        made = function(x)
    return [tensor.asnumpy().tolist() for tensor in made]


def load(path, ms):
    """The module that `as_module` wrote, with ``ms`` for MindSpore."""
    spec = importlib.util.spec_from_file_location("view_programs", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.ms, module.ops, module.T = ms, ms.ops, ms.Tensor
    return module


def work(path, mode, start, stop):
    """Prints the results of a range of programs, one a line, up to the first error."""
    import mindspore

    module = load(path, mindspore)
    for k in range(int(start), int(stop)):
        made = results(mindspore, getattr(module, f"f{k}"), mode)
        if mode == "call":
            assert made == results(mindspore, getattr(module, f"f{k}"), "cell")
        print(json.dumps(made), flush=True)


def ask(path, mode, count):
    results = []
    while len(results) < count:
        stop = min(count, len(results) + 100)
        command = [sys.executable, __file__, path, mode, str(len(results)), str(stop)]
        output = subprocess.run(command, capture_output=True, text=True).stdout
        made = [json.loads(line) for line in output.splitlines() if line.startswith("[")]
        results += made if len(results) + len(made) == stop else [*made, None]
        print(mode, len(results), file=sys.stderr)
    return results


def main():
    rows = programs()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as pool:
        path = pathlib.Path(folder) / "programs.py"
        path.write_text(as_module(rows))
        columns = pool.map(lambda mode: ask(str(path), mode, len(rows)), MODES)
        table = [row for row in zip(rows, *columns, strict=True) if row[1] is not None]
    FILE.write_text("[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in table) + "\n]\n")


if __name__ == "__main__":
    work(*sys.argv[1:]) if len(sys.argv) > 1 else main()
