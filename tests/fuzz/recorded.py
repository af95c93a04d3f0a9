"""Recorded calls of the differential fuzzer: code over ``x0``, ``x1``, ..., and how each operand is made.

Nothing here imports msgrad, so that an interpreter with MindSpore runs it, too (`tests/golden/make_fuzz_calls.py`).
"""

import importlib.util
import pathlib
import sys

import numpy as np

SPECIAL = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 1.0, -1.0, 0.5, -2.5, 1e30, -1e30, 1e-30, 2.5, 3.5])


def operand(shape, dtype, kind, seed):
    """The array that ``seed`` gives for a kind of numbers: ``RandomState`` is the same in every NumPy.

    Args:
        shape (list of int): its shape.
        dtype (str): its dtype.
        kind (str): ``normal``, ``positive``, ``halves``, ``special`` (NaN, inf, 0), or ``3,7`` for ints from 3 to 6.
        seed (int): of the numbers.
    """
    random = np.random.RandomState(seed)
    if dtype == "bool":
        return np.asarray(random.rand(*shape) > 0.5)
    if "," in kind:
        numbers = random.randint(*map(int, kind.split(",")), shape)
    elif kind == "positive":
        numbers = random.rand(*shape) * 2 + 0.1
    elif kind == "halves":
        numbers = random.randint(-7, 8, shape) / 2.0
    elif kind == "special":
        numbers = SPECIAL[random.randint(0, len(SPECIAL), shape)]
    elif dtype.startswith("complex"):
        numbers = random.standard_normal(shape) + 1j * random.standard_normal(shape)
    else:
        numbers = random.standard_normal(shape)
    with np.errstate(over="ignore"):  # 1e30 in float16
        return np.asarray(numbers).astype(dtype)


def answer(code, operands, scope):
    """What a call gives: ``[dtype, shape, values]`` of each Tensor, or the name of the exception's type."""
    names = {f"x{k}": scope["Tensor"](operand(*each)) for k, each in enumerate(operands)}
    return _outcome(lambda: eval(code, scope | names))


def answer_of_graph(function, operands, scope):
    """What ``function``, one of `graphs`, gives when it is compiled."""
    tensors = [scope["Tensor"](operand(*each)) for each in operands]
    return _outcome(lambda: scope["ms"].jit(function)(*tensors))


def graphs(rows, scope, folder):
    """A function for each row of code, from a file in ``folder``: compilers read their text."""
    path = pathlib.Path(folder) / "fuzz_graphs.py"
    heads = [f"def call_{k}({', '.join(f'x{n}' for n in range(len(row[2])))}):" for k, row in enumerate(rows)]
    path.write_text("\n\n".join(f"{head}\n    return {row[1]}" for head, row in zip(heads, rows, strict=True)) + "\n")
    spec = importlib.util.spec_from_file_location("fuzz_graphs", path)
    module = importlib.util.module_from_spec(spec)
    vars(module).update(scope)
    sys.modules[spec.name] = module  # where MindSpore's compiler looks it up
    spec.loader.exec_module(module)
    return [getattr(module, f"call_{k}") for k in range(len(rows))]


def _outcome(call):
    try:
        results = call()
        results = list(results) if isinstance(results, (tuple, list)) else [results]
        return [[str(each.dtype), list(each.shape), numbers(each.asnumpy())] for each in results]
    except Exception as error:
        return type(error).__name__


def numbers(array):
    """The values of an array as JSON has them: parts of complex numbers in sequence."""
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag])
    return array.astype(np.float64 if array.dtype.kind == "f" else array.dtype).ravel().tolist()
