"""Writes ``subscript_writes.json``: what writes through subscripts change in a graph of MindSpore.

Run it with an interpreter that has MindSpore 2.10: ``GLOG_v=4 ORACLE_PYTHON tests/golden/make_subscript_writes.py``. A
row is ``[program, figure]``: statements on ``x``, a Tensor of shape (3, 4) that holds 1 to 12, and the values of ``x``,
``y`` and ``z`` after them, as far as there are such names, or the name of the exception.
"""

import importlib.util
import json
import pathlib
import re
import sys
import tempfile

import numpy as np

FILE = pathlib.Path(__file__).parent / "subscript_writes.json"
HEAD = """
from {} import Tensor as T, ops

def f(a):
    a[0] = 9.
    return a

def g(a):
    return a
"""
PATTERNS = ["x[{}][0] = 9.", "x[{}][[0]] = 9.", "y = x[{}]; y[0] = 9."]
INDICES = [
    "0", "-1", "0:2", ":", "()", "...", "None", "True", "::2", "1:1", "0, 0:2", ":, 1", "..., 0", "0, ...", "None, 0",
    "0, None", ":, None", "..., None", "None, ...", "None, None", "0:2, 1:3", "0:3:2, 1", ":, 1:3", "0:1, 0",
    "..., 0:2", "[0, 1]", "[1]", "0, [0, 1]", "[0, 1], [0, 1]", "0:2, [0, 1]", "T([0, 1])", "T(0)", "0, T(0)",
    "T(0):T(2)", "x > 5", "[True, False, True]", "T([1]), 0:2", "0, 0", "(0,)", "(slice(0, 2),)", "(None,)", "-2:",
    "False", "[]", "None, 0:2", "None, [0, 1]",
]  # fmt: skip
BY_HAND = """
x[0][1][0:0] = 9.
x[0][1:][0] = 9.
x[0:2][1:][0] = 9.
x[0:2][0][1] = 9.
x[:][0][1] = 9.
x[0][None][0] = 9.
x[None][0][1] = 9.
x[None][0][1][2] = 9.
x[...][0][1] = 9.
x[0][...][1] = 9.
x[0][:][1] = 9.
x[0:2][...][0] = 9.
x[[0, 1]][0][1] = 9.
x[[0, 1]][0:1][0] = 9.
x[0:2][[0]][0] = 9.
x[x > 3][0:2][0] = 9.
x[0][0:2][0] = 9.
x[0, :][1] = 9.
x[0, :][1:][0] = 9.
x[0][1] += 9.
x[0:2][0] += 9.
x[None][0] += 9.
x[...][0] += 9.
x[0] += 9.
x[0:2] += 9.
x[:] *= 2.
x[...] *= 2.
x[None] *= 2.
x[x > 5] -= 2.
x[[0, 2]] += 9.
x[0][x[0] > 2] = 9.
x[0:2][x[0:2] > 2] = 9.
y = x; y[0] = 9.
y = x; x[0] = 9.
y = x; y[0][1] = 9.
y = x[...]; y[0] = 9.
y = x[...]; x[0] = 9.
y = x[...]; z = y; z[0] = 9.
y = x[:]; y[0] = 9.; x[1] = 8.
y = x[()]; y[0] = 9.
y = x[0]; y[1] = 9.; x[0][2] = 8.
y = x[0]; x[0][1] = 9.
y = x[0]; z = y; z[0] = 9.
y = x[0]; z = y[1:]; z[0] = 9.
y = x[0]; y[1:][0] = 9.
y = x[0]; y[0:1] = 9.; x[1] = y
y = x[0:2]; y[0][1] = 9.
y = x[0:2]; y[0:1][0] = 9.
y = x[0:2]; y[[0]] = 9.
y = x[None]; y[0][0] = 9.
y = x[None]; y[0] = 9.
y = x * 1.; z = y; z[0] = 9.
y = x * 1.; z = y; y[0] = 9.
y = x + 1.; y[0][1] = 9.
y = x.T; y[0] = 9.
x.T[0] = 9.
x.reshape(-1)[0] = 9.
x.T[0][1] = 9.
x[0].T[1] = 9.
x[0].reshape(2, 2)[0] = 9.
x[0].reshape(2, 2)[0][0] = 9.
ops.reshape(x, (4, 3))[0] = 9.
(x + 0)[0] = 9.
l = [x, x + 1]; l[0][0] = 9.; y = l[0]; z = l[1]
l = [x, x + 1]; l[0][0][1] = 9.; y = l[0]; z = l[1]
l = [x, x + 1]; l[0] = x * 2; y = l[0]; z = l[1]
l = [x[0], x[1]]; l[0][0] = 9.; y = l[0]; z = l[1]
l = [x[0:2], x[1]]; l[0][0][1] = 9.; y = l[0]; z = l[1]
l = (x, x + 1); l[0][0] = 9.; y = l[0]; z = l[1]
l = (x[0], x[1]); l[1][0] = 9.; y = l[0]; z = l[1]
d = {'a': x}; d['a'][0] = 9.; y = d['a']
d = {'a': x}; d['a'][0][1] = 9.; y = d['a']
d = {'a': x[0]}; d['a'][0] = 9.; y = d['a']
d = {'a': [x, x + 1]}; d['a'][1][0] = 9.; y = d['a'][1]
l = [[x, x + 1], 3]; l[0][1][0] = 9.; y = l[0][1]
for i in range(2): x[i][0] = 9.
for i in range(2): x[i:i + 1][0] = 9.
for i in range(3): y = x[i]; y[0] = 9.
for r in x: r[0] = 9.
for r in [x[0], x[1]]: r[0] = 9.
y = f(x); z = x
y = f(x[0]); z = x
y = g(x)[0]; z = x
g(x)[0] = 9.
g(x)[0][1] = 9.
y, z = x[0], x[1]; y[0] = 9.
x[0], x[1] = x[1], x[0]
x[0][0], x[1][1] = 7., 8.
x[0][0] = x[1][1] = 8.
y = z = x[0]; y[0] = 9.
y = x[0] if True else x; y[0] = 9.
(x if True else x + 1)[0] = 9.
x[0][0] = x[1][2]
x[0][1:3] = x[1][0:2]
x[0][1:3] = (7., 8.)
x[0][1:3] = [7., 8.]
x[0:2] = [[1., 2., 3., 4.], [5., 6., 7., 8.]]
x[0] = (1., 2., 3., 4.)
x[0] = (1., 2.)
x[0][0] = (1.,)
x[0, 0] = [1.]
x[0][0] = T([1., 2.])
x[0] = T([1., 2., 3.])
x[5] = 9.
x[5][0] = 9.
x[0][7] = 9.
x[0:2][7] = 9.
x[0, 9] = 9.
x[0, 0, 0] = 9.
x[0][0][0] = 9.
x[0][0][0][0] = 9.
x[:, :, :] = 9.
x[0] = None
x[0] = 'a'
x['a'] = 1.
x[1.5] = 1.
x[0][1.5] = 1.
x[0]['a'] = 1.
x[0, 'a'] = 1.
x[T([5])] = 1.
x[[5]] = 1.
x[[0, 5]][0] = 1.
x[T([0.5])] = 1.
x[T([True, False])] = 1.
x[[True, False]] = 1.
x[0:2:0] = 1.
x[0:1.5] = 1.
x[::-1] = 1.
x[::-1][0] = 1.
x[2:0:-1] = 1.
x[0] = x
x[0] = x[0:2]
x[0] = {}
x[...,...] = 1.
x[0:2][0, 1] = 9.
x[0:2, 1:3][0, 1] = 9.
x[0:2, 1:3][0][1] = 9.
x[0:2][0, ...] = 9.
x[T(0)][T(1)] = 9.
x[T(0)][0:T(1)] = 9.
x[T(0):][0] = 9.
y = x[T(0)]; y[0] = 9.
y = x[[0, 1]]; y[0] = 9.
y = x[x > 5]; y[0] = 9.
y = x[0]; y = y[1:]; y[0] = 9.
x = x[0]; x[0] = 9.
x = x[0:2]; x[0] = 9.
x = x[...]; x[0] = 9.
y = x; x = x[0]; x[0] = 9.
y = x; x += 1.
y = x; y += 1.
y = x[0]; y += 1.
y = x[...]; y += 1.
y = x; x[0] += 1.
y = x; x = x + 1.; x[0] = 9.
a = x[0]; a[0] = 9.; y = a
if x[0][0] > 0: x[0][1] = 9.
if x[0][0] > 0: y = x[0]; y[0] = 9.
if x[0][0] < 0: x[0:1][0] = 9.
y = ops.relu(x); y[0][0] = 9.
y = x.copy(); y[0] = 9.
y = x[0].copy(); y[0] = 9.
x[0].copy()[0] = 9.
x.add_(1.)
x[0].add_(1.)
x[0:2].add_(1.)
y = x[0]; y.add_(1.)
y = x; y.add_(1.)
y = x[...]; y.add_(1.)
x[0].copy_(x[1])
del x[0]
x[0:1][0] += 1.
x[0:1][0][0] *= 3.
x[0][0:1] *= 3.
x[0].T[0] += 1.
x[0, None][0] = 9.
x[0, None][0][1] = 9.
x[:, None][0] = 9.
x[:, None, 0][0] = 9.
x[0][0] = [1.]
x[0, 0] = (1.,)
x[..., 0, 0] = [1.]
x[T(0)][0] = [1.]
y = x[[5]]
y = x[[True, False]]
y = x[0, [5]]
y = x[0:1.5]
y = x[0][0][0]
y = x[0][0][0:1]
y = x[0][0][[0]]
x[0, [5]] = 1.
x[[True, False], 0] = 1.
x[0:1.5, 0] = 1.
x[0:T([1, 2])] = 1.
y = x[0:T([1, 2])]
x[0:'a'] = 1.
x[0][0][T(0)] = 1.
y = x[0][0][T(0)]
x[0][0][T([0])] = 1.
x[0][0][0, 0] = 1.
x[0][0][..., 0] = 1.
x[0][0][None] = 1.
x[0][0][...] = 1.
x[0][0][True] = 1.
x[0][0][()] = 1.
x[[[0, 5]]] = 1.
x[[0.5]] = 1.
y = x[[0.5]]
x[[]] = 1.
y = x[[]]
x[[True, False, True, True]] = 1.
x[(0, 1)] = 1.
x[5] = 1.
y = x[5]
y = x[T(5)]
x[T(5)] = 1.
y = x[0, 1, 2]
x[0, 1, 2] = 1.
x[0:2, 0][0] = 1.
x.T[0:2][0] = 1.
x[0][T([True, False, True, True])] = 1.
""".strip().split("\n")


def programs():
    """All programs, each once."""
    filled = [pattern.replace("{}", index) for index in INDICES for pattern in PATTERNS]
    return list(dict.fromkeys([*filled, *BY_HAND]))


def as_module(rows, package):
    """The source of a module with a function for each program."""
    lines = [HEAD.format(package)]
    for k, program in enumerate(rows):
        compound, _, rest = program.rpartition(": ") if program.startswith(("for ", "if ")) else ("", "", program)
        body = rest.split("; ")
        body = [f"{compound}:", *[f"    {line}" for line in body]] if compound else body
        names = [
            name for name in "xyz" if compound == "" and re.search(rf"\b{name}(, \w+)? = ", program) or name == "x"
        ]
        lines += [
            f"def f{k}(x):",
            "    x = x * 1.",
            *[f"    {line}" for line in body],
            f"    return {', '.join(names)},",
            "",
        ]
    return "\n".join(lines)


def functions(rows, package, folder):
    """The functions of all programs, with ``package`` for MindSpore."""
    path = pathlib.Path(folder) / "subscript_programs.py"
    path.write_text(as_module(rows, package))
    spec = importlib.util.spec_from_file_location("subscript_programs", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # MindSpore's compiler looks there
    spec.loader.exec_module(module)
    return [getattr(module, f"f{k}") for k in range(len(rows))]


def figure(ms, function):
    """The values that a program leaves in a graph, as nested lists, or the name of its exception."""
    x = ms.Tensor(np.arange(1, 13, dtype=np.float32).reshape(3, 4))
    try:
        return [each.asnumpy().tolist() for each in ms.jit(function)(x)]
    except Exception as error:
        return type(error).__name__


def main():
    import mindspore

    rows = programs()
    with tempfile.TemporaryDirectory() as folder:
        table = [
            [row, figure(mindspore, each)] for row, each in zip(rows, functions(rows, "mindspore", folder), strict=True)
        ]
    FILE.write_text("[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in table) + "\n]\n")


if __name__ == "__main__":
    main()
