"""Writes ``initializers.json``: the values with which MindSpore's initializers fill Tensors and Parameters, by seed.

Run it with an interpreter that has MindSpore 2.10 and numpy 1.26: ``python tests/golden/make_initializers.py``. A row
is ``[initializer, shape, dtype, seed, first values, checksum of all, what NumPy draws next]``; the checksum is of
float64. A row of a layer is ``[layer, checksum of each Parameter, what NumPy draws next]``, of seed 7.
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
LAYERS = [
    "nn.Dense(3, 4)",
    "nn.Conv1d(3, 4, 3)",
    "nn.Conv2d(4, 8, 3, group=2, has_bias=True)",
    "nn.Conv3d(2, 4, 3)",
    "nn.Conv2dTranspose(3, 4, 3, has_bias=True)",
    "nn.Embedding(10, 5)",
    "nn.MultiFieldEmbeddingLookup(10, 5, 3)",
    "nn.BiDense(3, 4, 5)",
    "nn.BatchNorm2d(4)",
    "nn.LSTM(3, 4, 2, bidirectional=True)",
    "nn.GRU(3, 4)",
    "nn.RNN(3, 4)",
    "nn.LSTMCell(3, 4)",
    "nn.GRUCell(3, 4, has_bias=False)",
    "nn.RNNCell(3, 4)",
    "nn.MultiheadAttention(8, 2, kdim=4, vdim=6, add_bias_kv=True)",
    "nn.Transformer(8, 2, 1, 1)",
    "mint.nn.Linear(3, 4)",
    "mint.nn.Conv2d(3, 4, 3)",
    "mint.nn.Embedding(3, 4)",
]


def of_layer(source):
    mindspore.set_seed(7)
    layer = eval(source, {"nn": mindspore.nn, "mint": mindspore.mint})
    values = [parameter.asnumpy() for parameter in layer.get_parameters()]
    return [zlib.crc32(np.ascontiguousarray(value).tobytes()) for value in values], np.random.rand()


def made(source, shape, dtype, seed):
    mindspore.set_seed(seed)
    init = eval(source, vars(initializers))
    tensor = initializers.initializer(init, shape, getattr(mindspore, dtype)).init_data()
    values = tensor.astype(mindspore.float64).asnumpy()
    return values.ravel()[:4].tolist(), zlib.crc32(values.tobytes()), np.random.rand()


def main():
    parts = {
        "initializers": [[*row, *made(*row)] for row in ROWS],
        "layers": [[layer, *of_layer(layer)] for layer in LAYERS],
    }
    text = ",\n".join(f'"{name}": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]" for name, rows in parts.items())
    FILE.write_text("{" + text + "}\n")


if __name__ == "__main__":
    main()
