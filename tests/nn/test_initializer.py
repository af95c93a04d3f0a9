"""Initial values: equal to MindSpore's by seed, and the moments of random ones."""

import json
import math
import pathlib
import tracemalloc
import zlib

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor
from msgrad._random import compiled_parts, filling
from msgrad._random.filling import fill_normal, fill_uniform
from msgrad.initializer import (
    Constant,
    Dirac,
    HeNormal,
    HeUniform,
    Initializer,
    Normal,
    Orthogonal,
    Sparse,
    TruncatedNormal,
    Uniform,
    VarianceScaling,
    XavierNormal,
    XavierUniform,
    initializer,
)

GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "initializers.json").read_text())

SHAPE = [400, 500]  # fan_out, fan_in

RANDOM = [  # initializer, mean, standard deviation, bound (None: unbounded)
    (Normal(), 0, 0.01, None),
    (Normal(2.0, 5.0), 5, 2.0, None),
    (Uniform(), 0, 0.07 / math.sqrt(3), 0.07),
    (Uniform(3), 0, math.sqrt(3), 3),
    (TruncatedNormal(), 0, 0.01, 2),
    (TruncatedNormal(2, 1, -1, 1), 0.0804, 0.5651, 1),
    (XavierUniform(), 0, math.sqrt(2 / 900), math.sqrt(6 / 900)),
    (XavierNormal(2), 0, 2 * math.sqrt(2 / 900), None),
    (HeUniform(), 0, math.sqrt(2 / 500), math.sqrt(6 / 500)),
    (HeUniform(1, "fan_out"), 0, math.sqrt(1 / 400), math.sqrt(3 / 400)),
    (HeUniform(math.sqrt(5)), 0, math.sqrt(1 / 1500), math.sqrt(1 / 500)),
    (HeNormal(nonlinearity="tanh"), 0, 5 / 3 / math.sqrt(500), None),
    (VarianceScaling(), 0, math.sqrt(1 / 500), 2 * math.sqrt(1 / 500) / 0.8796),
    (VarianceScaling(2, "fan_avg", "uniform"), 0, math.sqrt(2 / 450), math.sqrt(6 / 450)),
    (VarianceScaling(distribution="untruncated_normal"), 0, math.sqrt(1 / 500), None),
]


@pytest.mark.parametrize(("init", "mean", "deviation", "bound"), RANDOM)
def test_distribution(init, mean, deviation, bound):
    ms.set_seed(0)
    values = initializer(init, SHAPE).asnumpy()
    assert values.dtype == np.float32
    # 200 000 draws: five standard errors.
    assert abs(values.mean() - mean) < 5 * deviation / math.sqrt(values.size)
    assert values.std() == pytest.approx(deviation, rel=0.01)
    if bound is not None:
        assert np.abs(values).max() <= bound * (1 + 1e-4)
    if bound is not None and isinstance(init, (Uniform, HeUniform, XavierUniform)):
        assert np.abs(values).max() > 0.99 * bound


@pytest.mark.parametrize(
    ("init", "shape", "expected"),
    [
        ("ones", [2], [1, 1]),
        ("ONE", 2, [1, 1]),
        ("zeros", (1,), [0]),
        (3, [2], [3, 3]),
        (True, [1], [1]),
        (Constant(2), (2,), [2, 2]),
        ("identity", [2, 3], [[1, 0, 0], [0, 1, 0]]),
        (Dirac(), [2, 2, 3], [[[0, 1, 0], [0, 0, 0]], [[0, 0, 0], [0, 1, 0]]]),
        (Dirac(2), [2, 1, 1], [[[1]], [[1]]]),
    ],
)
def test_exact_values(init, shape, expected):
    assert initializer(init, shape).asnumpy().tolist() == expected


def test_dtypes():
    assert initializer(2.5, [2], ms.int32).asnumpy().tolist() == [2, 2]
    assert initializer("normal", [2], ms.bfloat16).dtype == ms.bfloat16


def test_a_tensor_is_taken_as_it_is():
    tensor = Tensor([1.0])
    assert initializer(tensor, [1]) is tensor
    assert initializer(tensor) is tensor


def test_orthogonal():
    for shape in ([6, 3], [3, 6], [3, 2, 3]):
        matrix = initializer(Orthogonal(2.0), shape).asnumpy().reshape(shape[0], -1)
        small = matrix @ matrix.T if matrix.shape[0] < matrix.shape[1] else matrix.T @ matrix
        np.testing.assert_allclose(small, 4 * np.eye(len(small)), atol=1e-5)


def test_sparse():
    values = initializer(Sparse(0.5), [4, 3]).asnumpy()
    assert ((values == 0).sum(axis=0) == 2).all()


def test_seed_repeats_the_values():
    draws = []
    for seed in (1, 1, 2):
        ms.set_seed(seed)
        draws.append(initializer("normal", [3]).asnumpy().tolist())
    assert draws[0] == draws[1] != draws[2]


def test_an_initializer_of_ones_own():
    class Mine(Initializer):
        def __init__(self, value):
            super().__init__(value=value)

        def _initialize(self, array):
            array[:] = self.value

    assert initializer(Mine(3), [2]).asnumpy().tolist() == [3, 3]
    assert initializer(Mine(3), [1]).dtype == ms.float32


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: initializer("nope", [1]),
            ValueError,
            "For 'initializer', the 'init' must be the name of an Initializer, such as 'zeros' or",
        ),
        (
            lambda: initializer("ones", (-1,)),
            ValueError,
            "For 'initializer', the 'shape' must be made of positive ints",
        ),
        (
            lambda: initializer("ones", (0, 2)),
            ValueError,
            "For 'initializer', the 'shape' must be made of positive ints",
        ),
        (
            lambda: initializer("ones", [2.0]),
            ValueError,
            "For 'initializer', the 'shape' must be made of positive ints",
        ),
        (
            lambda: initializer(None, [1]),
            TypeError,
            "For 'initializer', the 'init' must be a Tensor, a number, a name or an Initializer",
        ),
        (
            lambda: initializer(Tensor([1.0]), [2]),
            ValueError,
            "For 'initializer', the 'init' must be of the 'shape', (2,)",
        ),
        (
            lambda: initializer("he_uniform", [2]),
            ValueError,
            "For 'fan_in and fan_out', the tensor to fill must have at least 2 axes",
        ),
        (
            lambda: initializer("identity", [2]),
            ValueError,
            "For 'Identity', the tensor to fill must have 2 axes",
        ),
        (
            lambda: initializer(HeUniform(mode="x"), [2, 2]),
            ValueError,
            "For 'HeUniform', the 'mode' must be 'fan_in' or 'fan_out'",
        ),
        (
            lambda: initializer(HeNormal(nonlinearity="x"), [2, 2]),
            ValueError,
            "For 'HeUniform', the 'nonlinearity' must be one of ['sigmoid', 'linear', 'tanh',",
        ),
        (
            lambda: VarianceScaling(scale=-1),
            ValueError,
            "For 'VarianceScaling', the 'scale' must be above 0",
        ),
        (
            lambda: VarianceScaling(mode="x"),
            ValueError,
            "For 'VarianceScaling', the 'mode' must be one of ['fan_in', 'fan_out', 'fan_avg']",
        ),
        (
            lambda: VarianceScaling(distribution="x"),
            ValueError,
            "For 'VarianceScaling', the 'distribution' must be one of ['uniform',",
        ),
        (
            lambda: initializer(Normal(-1.0), [2]),
            ValueError,
            "For 'Initializer', the 'sigma' must be 0 or above",
        ),
        (
            lambda: initializer(TruncatedNormal(0.0), [2]),
            RuntimeError,
            "For 'TruncatedNormal', the 'sigma' must be above 0",
        ),
        (lambda: Initializer()(np.ones(1)), NotImplementedError, "Must be overridden!"),
    ],
)
def test_errors(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("names", "drawn"),
    [(("normal",), 1), (("XavierUniform", "ones", "TruncatedNormal"), 2), (("zeros", "identity"), 0)],
)
def test_numpys_generator_seeds_and_is_drawn_from_once_each(names, drawn):
    np.random.seed(5)
    first = [initializer(name, [4, 4]).asnumpy() for name in names]
    after = np.random.rand()
    np.random.seed(5)
    second = [initializer(name, [4, 4]).asnumpy() for name in names]
    np.testing.assert_array_equal(first, second)
    np.random.seed(5)
    assert after == np.random.rand(drawn + 1)[-1]


@pytest.mark.parametrize(
    "init", [Uniform(), Normal(), TruncatedNormal(), HeUniform()], ids=lambda init: type(init).__name__
)
def test_large_arrays_are_filled_in_parts(init):
    array = np.zeros((1024, 1024), np.float32)
    tracemalloc.start()
    init(array)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < array.nbytes
    assert len(np.unique(array)) > 500_000


@pytest.mark.parametrize("init", [Uniform(), Normal(), TruncatedNormal(1.0)], ids=lambda init: type(init).__name__)
def test_arrays_of_other_layouts_get_the_same_values(init):
    expected = np.zeros((70_000, 3), np.float32)
    np.random.seed(5)
    init(expected)
    for array in (np.zeros((3, 70_000), np.float64).T, np.zeros((70_000, 6), np.float32)[:, ::2]):
        np.random.seed(5)
        init(array)
        assert np.array_equal(array, expected)


def test_threads_fill_with_the_same_values(monkeypatch):
    alone, together = (np.zeros(200_003, np.float32) for _ in range(2))
    fill_normal(alone, 7, 0, 1)
    monkeypatch.setattr(filling, "_MANY", 0)
    fill_normal(together, 7, 0, 1)
    assert np.array_equal(together, alone)


BY_PROGRAM = {"normal": (fill_normal, "NORMAL"), "uniform": (fill_uniform, "UNIFORM")}


@pytest.mark.parametrize(("fill", "name"), BY_PROGRAM.values(), ids=BY_PROGRAM)
@pytest.mark.parametrize(
    "numbers", [(-0.02, 0.03), (-1 / 32, 1 / 32), (2, 1e6), (0.0, 1e-20), (-1e-38, 1e-38)], ids=str
)
def test_compiled_programs_give_the_same_values(monkeypatch, fill, name, numbers):
    program = getattr(compiled_parts, name)
    alone, compiled = np.zeros(150_001, np.float32), np.zeros(150_001, np.float64)
    fill(alone, 2**40 + 7, *numbers)
    monkeypatch.setattr(program, "least", 0)
    fill(compiled, 2**40 + 7, *numbers)
    assert np.array_equal(compiled, alone)
    assert program.is_worth(1, *numbers) == (max(numbers) > 1e-30)  # below there are subnormal numbers


@pytest.mark.parametrize("numbers", [(-1 / 32, 1 / 32), (-0.1, 0.2), (-3 / 64, 5 / 64), (0.0, 1.0)], ids=str)
@pytest.mark.parametrize("name", ["UNIFORM", "NORMAL"])
def test_compiled_programs_leave_hardly_any_value_open(name, numbers):
    values = getattr(compiled_parts, name)(7, 0, *np.float32(numbers).tolist())
    assert np.isnan(values).sum() < 3  # of 262 144: each costs more than a thousand others


def test_numpy_computes_what_a_compiled_program_leaves_open(monkeypatch):
    class Open:
        def is_worth(self, *_):
            return True

        def __call__(self, *_):
            return np.where(np.arange(131_072) % 7001 == 3, math.nan, expected[:131_072])

    expected, filled = (np.zeros(131_003, np.float32) for _ in range(2))
    fill_normal(expected, 7, 0, 1)
    expected.resize(131_072, refcheck=False)
    monkeypatch.setattr(compiled_parts, "NORMAL", Open())
    fill_normal(filled, 7, 0, 1)
    assert np.array_equal(filled, expected[:131_003])


@pytest.mark.parametrize("source", sorted({row[0] for row in GOLDEN["initializers"]}))
def test_values_are_mindspores(source):
    for _, shape, dtype, seed, first, checksum, drawn_next in (
        row for row in GOLDEN["initializers"] if row[0] == source
    ):
        ms.set_seed(seed)
        values = initializer(eval(source, vars(ms.initializer)), shape, getattr(ms, dtype))
        values = values.astype(ms.float64).asnumpy()
        assert np.random.rand() == drawn_next
        if "Orthogonal" in source:  # LAPACK's arithmetic is not the same in every build of NumPy
            np.testing.assert_allclose(values.ravel()[:4], first, rtol=0, atol=1e-5)
        else:
            assert values.ravel()[:4].tolist() == first
            assert zlib.crc32(values.tobytes()) == checksum, f"{source} of {shape}, {dtype}, seed {seed}"


@pytest.mark.parametrize(("source", "checksums", "drawn_next"), GOLDEN["layers"], ids=lambda value: str(value)[:40])
def test_parameters_of_layers_are_mindspores(source, checksums, drawn_next):
    ms.set_seed(7)
    layer = eval(source, {"nn": ms.nn, "mint": ms.mint})
    values = [parameter.asnumpy() for parameter in layer.get_parameters()]
    assert [zlib.crc32(np.ascontiguousarray(value).tobytes()) for value in values] == checksums
    assert np.random.rand() == drawn_next


def test_bfloat16_is_filled():
    values = initializer(Normal(), (300, 300), ms.bfloat16).astype(ms.float32).asnumpy()
    assert 0.009 < values.std() < 0.011


def test_initializers_show_the_path_of_mindspore():
    class Mine(Initializer):
        pass

    assert repr(HeUniform()).startswith("<mindspore.common.initializer.HeUniform object at 0x")
    assert repr(Mine()).startswith(f"<{__name__}.")
