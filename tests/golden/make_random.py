"""Writes ``random.json``: what MindSpore's random operations give for a seed.

Run it with an interpreter that has MindSpore 2.10 and numpy 1.26: ``python tests/golden/make_random.py``. A row is
``[source, values of three calls, values of three calls of a jitted function]``, all of ``set_seed(5)``. What a row
makes before ``;`` is made once. Rows of the sources of ``CHECKSUMS`` have checksums in place of values.
"""

import importlib.util
import json
import linecache
import pathlib
import sys
import tempfile
import zlib

import mindspore
import numpy as np

FILE = pathlib.Path(__file__).with_name("random.json")
VALUES = [
    "ops.rand(3)",
    "ops.rand(2, 2, dtype=mindspore.float16)",
    "ops.rand(3, seed=7)",
    "ops.rand_like(x)",
    "ops.uniform((3,), Tensor(2.0), Tensor(5.0))",
    "ops.uniform((2,), Tensor(2.0), Tensor(5.0), seed=3)",
    "ops.randint(0, 10, (5,))",
    "ops.randint(-5, 3000000, (4,), seed=2)",
    "ops.randint(-2147483648, 2147483647, (3,), dtype=mindspore.int32)",
    "ops.randint_like(x, 3, 90, dtype=mindspore.int32)",
    "ops.standard_normal((3,))",
    "ops.standard_normal((2, 3), seed=4)",
    "ops.normal((3,), Tensor(1.0), Tensor(2.0))",
    "ops.randn(5)",
    "ops.randn_like(x)",
    "ops.dropout(x, 0.5)",
    "ops.dropout(x, 0.1)",
    "ops.dropout(x, 0.4, seed=9)",
    "ops.dropout(x.astype(mindspore.float16), 0.3)",
    "draw = ops.StandardNormal(3, 4); draw((3,))",
    "draw = ops.UniformReal(3, 4); draw((3,))",
    "draw = ops.UniformReal(0, 4); draw((3,))",
    "draw = ops.Dropout(0.7, 3, 4); draw(x)[1]",
    "draw = nn.Dropout(p=0.5).set_train(); draw(x)",
    "draw = nn.Dropout(keep_prob=0.9).set_train(); draw(x)",
    "draw = ops.UniformReal(3, 4); draw((2,)) + draw((3,))[:2]",
    "ops.uniform((5,), Tensor(2, mindspore.int32), Tensor(50, mindspore.int32), dtype=mindspore.int32)",
    "ops.uniform((5,), Tensor(2, mindspore.int32), Tensor(50, mindspore.int32), seed=3, dtype=mindspore.int32)",
    "ops.standard_laplace((3,))",
    "ops.standard_laplace((3,), seed=4)",
    "ops.laplace((3,), Tensor(1.0), Tensor(2.0))",
    "ops.random_gamma(Tensor([3]), Tensor([1.5]))",
    "ops.random_gamma(Tensor([3, 2]), Tensor([0.5, 3.0, 1.0]), seed=3)",
    "ops.random_gamma(Tensor([3]), Tensor([1.5, 0.2], mindspore.float64), seed=3)",
    "ops.random_gamma(Tensor([3]), Tensor([[1.5, 0.7], [20, 1]], mindspore.float16))",
    "ops.random_poisson(Tensor([3]), Tensor([1.5]))",
    "ops.random_poisson(Tensor([3]), Tensor([[0.5, 30.0], [100.0, 2.0]]), seed=3)",
    "ops.random_poisson(Tensor([3]), Tensor([0.5, 12.0]), seed=3, dtype=mindspore.int64)",
    "ops.multinomial(Tensor([0.2, 0.8]), 4)",
    "ops.multinomial(Tensor([[0.2, 0.8], [0.5, 0.5]]), 4, seed=3)",
    "ops.multinomial(Tensor([0.0, 3.0, 1.0, 0.0], mindspore.float16), 6)",
    "ops.multinomial(Tensor([0.2, 0.8, 1.0]), 2, replacement=False)",
    "ops.multinomial(Tensor([[0.2, 0.8, 1.0], [3.0, 0.0, 2.0]]), 2, replacement=False, seed=3)",
    "x.multinomial(3)",
    "ops.multinomial_with_replacement(Tensor([0.2, 0.8]), 4, 5, 4, True)",
    "ops.multinomial_with_replacement(Tensor([0.2, 0.8, 1.0]), 4, 5, 2, False)",
    "ops.multinomial_with_replacement(Tensor([[0.0, 0.2, 0.0, 0.8], [1.0, 0.0, 1.0, 1.0]]), 3, 0, 4, False)",
    "ops.bernoulli(x, 0.5, seed=3)",
    "ops.bernoulli(x, Tensor(0.3), seed=9)",
    "ops.shuffle(x)",
    "ops.shuffle(ops.arange(10), seed=3)",
    "ops.randperm(6)",
    "ops.randperm(7, seed=3)",
    "ops.randperm(6, seed=3, offset=4, dtype=mindspore.float16)",
    "ops.random_categorical(Tensor([[0.1, 0.2, 3.0], [2.0, 1.0, 0.1]]), 6, seed=3)",
    "ops.random_categorical(Tensor([[0.1, 0.2, 3.0]], mindspore.float16), 8, 5, mindspore.int16)",
    "ops.choice_with_mask(x > 3, 5)[0]",
    "ops.choice_with_mask(x > 3, 12, seed=3)[0]",
    "ops.choice_with_mask(x > 3, 12, seed=3)[1]",
    "ops.uniform_candidate_sampler(Tensor([[1], [3]]), 1, 4, False, 10, seed=3)[0]",
    "ops.uniform_candidate_sampler(Tensor([[1], [3]]), 1, 9, True, 10, seed=3)[0]",
    "ops.uniform_candidate_sampler(Tensor([[1], [3]]), 1, 6, True, 10, 3, True)[0]",
    "ops.sort(ops.uniform_candidate_sampler(Tensor([[1], [3]]), 1, 8, True, 10, 0, True)[0])[0]",
    "ops.log_uniform_candidate_sampler(Tensor([[1], [3]]), 1, 4, False, 10)[0]",
    "ops.log_uniform_candidate_sampler(Tensor([[1], [3]]), 1, 9, True, 10, seed=3)[0]",
    "ops.rrelu(-x)",
    "ops.gumbel_softmax(x)",
    "ops.gumbel_softmax(x, hard=True)",
    "mindspore.numpy.rand(3)",
    "mindspore.numpy.randn(3)",
    "mindspore.numpy.randint(3, 10, 5)",
    "draw = ops.StandardLaplace(3, 4); draw((3,))",
    "draw = ops.UniformInt(3, 4); draw((3,), Tensor(3, mindspore.int32), Tensor(40, mindspore.int32))",
    "draw = ops.RandomGamma(3, 4); draw(Tensor([3]), Tensor([1.5]))",
    "draw = ops.RandomPoisson(3, 4); draw(Tensor([3]), Tensor([1.5]))",
    "draw = ops.Multinomial(3, 4); draw(Tensor([0.2, 0.8]), 4)",
    "draw = ops.RandomCategorical(); draw(Tensor([[0.1, 0.2, 3.0]]), 6, 3)",
    "draw = ops.RandomChoiceWithMask(5, 3, 4); draw(x > 3)[0]",
    "draw = ops.RandomShuffle(3, 4); draw(ops.arange(10))",
    "draw = ops.RandpermV2(3, 4); draw(6)",
    "draw = ops.Bernoulli(3, 4); draw(x, 0.5)",
    "draw = ops.UniformCandidateSampler(1, 4, True, 10, seed=3); draw(Tensor([[1], [3]]))[0]",
    "draw = ops.LogUniformCandidateSampler(1, 4, True, 10, seed=3); draw(Tensor([[1], [3]]))[0]",
    "draw = nn.SampledSoftmaxLoss(2, 4); draw(x.T, x[0], Tensor([[0], [2], [2]]), x[:, :3])",
    "draw = nn.RReLU(); draw(-x)",
    *[
        f"draw = nn.probability.distribution.{each}; draw.sample((4,))"
        for each in (
            "Normal(1.0, 2.0, seed=3)",
            "Uniform(1.0, 2.0, seed=3)",
            "Bernoulli(0.3, seed=3)",
            "Exponential(0.3, seed=3)",
            "Geometric(0.3, seed=3)",
            "Categorical([0.3, 0.7], seed=3)",
            "Gumbel(0.3, 1.0, seed=3)",
            "Logistic(0.3, 1.0, seed=3)",
            "LogNormal(0.3, 1.0, seed=3)",
            "Cauchy(0.3, 1.0, seed=3)",
        )
    ],
]
CHECKSUMS = [
    "ops.rand(40000)",
    "ops.randint(0, 2147483647, (40000,))",
    "ops.dropout(ops.ones((40001,)), 0.3)",
    "ops.dropout(ops.ones((7, 11, 13)), 0.5)",
    "ops.shuffle(ops.arange(70000))",
    "ops.multinomial(ops.arange(3000).astype(mindspore.float32), 5000)",
]


PROGRAM = """
import mindspore, numpy as np
from mindspore import Tensor, nn, ops
x = Tensor(np.arange(1, 13).reshape(3, 4).astype(np.float32))
{}
def call():
    return {}
"""


def numbers(source, is_jitted):
    """The results of three calls."""
    mindspore.set_seed(5)
    setup, _, call = source.rpartition(";")
    with tempfile.TemporaryDirectory() as folder:  # MindSpore compiles the text of functions, which is that of a file
        path = pathlib.Path(folder) / "program.py"
        path.write_text(PROGRAM.format(setup, call.strip()))
        spec = importlib.util.spec_from_file_location("program", path)
        program = sys.modules["program"] = importlib.util.module_from_spec(spec)
        linecache.clearcache()
        spec.loader.exec_module(program)
        drawn = mindspore.jit(program.call) if is_jitted else program.call
        return [drawn() for _ in range(3)]


def main():
    rows = []
    for source in VALUES + CHECKSUMS:
        results = [[each.asnumpy() for each in numbers(source, is_jitted)] for is_jitted in (False, True)]
        if source in CHECKSUMS:
            rows.append([source, *([zlib.crc32(each.tobytes()) for each in part] for part in results)])
        else:
            rows.append([source, *([each.astype(np.float64).tolist() for each in part] for part in results)])
    FILE.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")


if __name__ == "__main__":
    main()
