"""Writes ``initializers.json``: the values with which MindSpore's initializers fill Tensors, by seed.

Run it with an interpreter that has MindSpore 2.10 and numpy 1.26: ``python tests/golden/make_initializers.py``. A row
is ``[initializer, shape, dtype, seed, first values, checksum of all, what NumPy draws next]``; the checksum is of
float64.
"""

import json
import pathlib
import zlib

import mindspore
import numpy as np
from mindspore.common import initializer as initializers

FILE = pathlib.Path(__file__).with_name("initializers.json")
SEEDS = [0, 1, 2147483659]
ANY = [[5], [3, 2], [4, 3, 3, 3], [1, 7, 2], [257, 129]]
FANS = [[3, 2], [4, 3, 3, 3], [1, 7, 2], [257, 129], [2, 3, 1, 2, 2]]
MATRICES = [[3, 2], [2, 3], [1, 7], [5, 5], [40, 60]]
KERNELS = [[4, 3, 3], [2, 2, 3, 3], [4, 2, 1, 5], [2, 5, 3, 3, 3], [6, 1, 4]]

ROWS = [
    *(
        (source, shape, "float32", seed)
        for source, shapes in [
            ("Uniform()", ANY),
            ("Uniform(3)", ANY),
            ("Normal()", ANY),
            ("Normal(2.0, 5.0)", ANY),
            ("TruncatedNormal()", ANY),
            ("TruncatedNormal(2.0, 1.0, -1.0, 1.5)", ANY),
            ("TruncatedNormal(0.3, -1.0, 0.5, 2.0)", ANY),
            ("XavierUniform()", FANS),
            ("XavierNormal(2)", FANS),
            ("HeUniform(5**0.5)", FANS),
            ("HeUniform(0.1, 'fan_out', 'relu')", FANS),
            ("HeNormal(nonlinearity='tanh')", FANS),
            ("HeNormal(0.2, 'fan_out')", FANS),
            ("VarianceScaling(2.0, 'fan_avg', 'uniform')", FANS),
            ("VarianceScaling(0.5, 'fan_out', 'untruncated_normal')", FANS),
            ("Orthogonal(2.0)", FANS),
            ("Sparse(0.3, 0.5)", MATRICES),
            ("Identity()", MATRICES),
            ("Dirac(2)", KERNELS),
            ("Constant(0.1)", ANY),
            ("One()", ANY),
            ("Zero()", ANY),
        ]
        for shape in shapes
        for seed in (SEEDS if "Constant" not in source else SEEDS[:1])
    ),
    *(
        (source, [33, 40], dtype, 3)
        for source in ("Uniform(3)", "Normal(2.0)", "TruncatedNormal(2.0)", "XavierUniform()")
        for dtype in ("float16", "bfloat16", "float64", "int32")
    ),
    ("Uniform()", [1000003], "float32", 5),
    ("Normal()", [1000003], "float32", 5),
]


def made(source, shape, dtype, seed):
    mindspore.set_seed(seed)
    init = eval(source, vars(initializers))
    tensor = initializers.initializer(init, shape, getattr(mindspore, dtype)).init_data()
    values = tensor.astype(mindspore.float64).asnumpy()
    return values.ravel()[:4].tolist(), zlib.crc32(values.tobytes()), np.random.rand()


def main():
    rows = [[*row, *made(*row)] for row in ROWS]
    FILE.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")


if __name__ == "__main__":
    main()
