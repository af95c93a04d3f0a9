"""Writes ``printing.json``: what MindSpore prints for the Tensors that its rows describe.

Run it with an interpreter that has MindSpore 2.10 and numpy 1.26: ``python tests/golden/make_printing.py``. A row is
``[id, values, dtype, shows_memory, str, repr]``: the values as numpy code; ``shows_memory`` for ``Tensor.from_numpy``.
New rows need the first four.
"""

import json
import pathlib

import mindspore
import numpy as np

FILE = pathlib.Path(__file__).with_name("printing.json")


def tensor(values, dtype, shows_memory):
    array = eval(values, {"np": np})
    if shows_memory:
        return mindspore.Tensor.from_numpy(array)
    if dtype == "bfloat16":
        return mindspore.Tensor(array.astype(np.float32)).astype(mindspore.bfloat16)
    return mindspore.Tensor(array) if dtype is None else mindspore.Tensor(array, getattr(mindspore, dtype))


def main():
    rows = []
    for identity, values, dtype, shows_memory, *_ in json.loads(FILE.read_text()):
        made = tensor(values, dtype, shows_memory)
        rows.append([identity, values, dtype, shows_memory, str(made), repr(made)])
    FILE.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")


if __name__ == "__main__":
    main()
