"""Writes ``standard_methods.json``: what functions of MindSpore's ``_extends.parse.standard_method`` give for a call.

GLOG_v=4 ORACLE_PYTHON tests/golden/make_standard_methods.py

Each row has the index of the arguments in `arguments`, the first that the function takes, and the result.
"""

import inspect
import json
import pathlib

import numpy as np


def arguments(ms):
    """Arguments to try, in order, made anew: functions may write to them."""
    x = ms.Tensor(np.array([[0.5, 0.25], [0.125, 0.75]], np.float32))
    y = ms.Tensor(np.array([[0.75, 0.5], [0.25, 1.0]], np.float32))
    ints = ms.Tensor(np.array([[3, 5], [6, 9]], np.int32))
    return [(x,), (x, y), (x, 1), (x, y, y), (ints,), (ints, ints), (x, (4,)), (x, ms.int32), (x[0], y[0]), (x, 0, 1)]


def as_data(value):
    """A result, for JSON: of a Tensor the dtype and the numbers, real and imaginary."""
    if isinstance(value, (tuple, list)):
        return [as_data(item) for item in value]
    if hasattr(value, "asnumpy"):
        numbers = value.asnumpy()
        return [str(value.dtype), np.stack([numbers.real, numbers.imag]).astype(float).tolist()]
    return repr(value)


def main():
    """Writes the file."""
    import mindspore as ms
    from mindspore._extends.parse import standard_method

    rows = {}
    for name, function in sorted(vars(standard_method).items()):
        if not inspect.isfunction(function) or function.__module__ != standard_method.__name__ or name[0] == "_":
            continue
        for index in range(len(arguments(ms))):
            try:
                rows[name] = [index, as_data(function(*arguments(ms)[index]))]
                break
            except Exception:  # the function takes other arguments, or works in graphs alone
                continue
    lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()]
    pathlib.Path(__file__).with_name("standard_methods.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
