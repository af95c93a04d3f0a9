"""What functions that MindSpore compiles print: run by MindSpore (`golden/make_graph_prints.py`) and by msgrad."""

import time

import numpy as np

ARGUMENTS = {
    "vector": lambda ms: ms.Tensor([1.5, -2.25]),
    "matrix": lambda ms: ms.Tensor([[1, -20], [3, 4]]),
    "cube": lambda ms: ms.Tensor(np.arange(8, dtype=np.float16).reshape(2, 2, 2)),
    "doubles": lambda ms: ms.Tensor(np.array([1.5, -2e10, np.nan])),
    "bytes": lambda ms: ms.Tensor(np.array([1, 200], np.uint8)),
    "flags": lambda ms: ms.Tensor([True, False]),
    "complexes": lambda ms: ms.Tensor(np.array([1 + 2j, 3 - 1j], np.complex64)),
    "line": lambda ms: ms.Tensor(np.arange(30)),
    "thirds": lambda ms: ms.Tensor(np.arange(12, dtype=np.float32) / 3),
    "long": lambda ms: ms.Tensor(np.arange(2000)),
    "wide": lambda ms: ms.Tensor(np.arange(1600).reshape(40, 40)),
    "scalar": lambda ms: ms.Tensor(0.1, ms.float32),
    "large": lambda ms: ms.Tensor(123456789.0, ms.float32),
    "flag": lambda ms: ms.Tensor(False),
    "complex": lambda ms: ms.Tensor(1 + 2j),
    "int": lambda ms: 3,
    "ints": lambda ms: (1, 2),
}


def constants(x):
    print(2.5, 1e-7, 123456789.0, -3, True, None, 1e100, -0.0)
    print("a", f"{x.ndim} axes", "two\nlines", "")
    print()


def nests(x):
    print((1, 2), (3,), [4, 5], range(3), x.shape)
    print((1, "s"), ((1, 2), (3,)), (True, None), {"a": 1, "b": "c"})
    print((x, [x, 1]), {"k": x, "l": (2, x)})


def attributes(x):
    print(x.dtype, x.ndim, x.shape[0], x is None, x > 0, x[0], x.sum())


def loops(x):
    for i in range(2):
        print("for", i, x[i])
    while x.sum() > -4:
        print("while", x.sum())
        x = x - 1
    if x[0] > -10:
        print("if")


FUNCTIONS = {function.__name__: function for function in (constants, nests, attributes, loops)}


def value(x):
    print("value", x)


def calls(ms):
    """The functions and their arguments, by name."""
    functions = (constants, nests, attributes, loops)
    table = {function.__name__: (function, ms.Tensor([1.5, -2.25])) for function in functions}
    return table | {name: (value, make(ms)) for name, make in ARGUMENTS.items()}


def run(ms, pause=0):
    """Prints each name after ``#``, and then what its function prints, compiled; waits ``pause`` seconds after each."""
    for name, (function, argument) in calls(ms).items():
        print("#", name, flush=True)

        def compiled(x, function=function):
            function(x)
            return 0

        ms.jit(compiled)(argument)
        time.sleep(pause)


def split(text):
    """The text that each function printed, by name."""
    return dict(part.split("\n", 1) for part in text.removeprefix("# ").split("\n# "))


if __name__ == "__main__":
    import mindspore

    run(mindspore, pause=0.1)  # it prints from another thread
