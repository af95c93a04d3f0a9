"""Random operations: the distributions of their numbers.

They have no golden figures: MindSpore's numbers are its own. Shapes and dtypes are those that MindSpore 2.10 gives.
"""

import dataclasses

import numpy as np

from .distribution import Distribution, finite, poisson, uniform

NORMAL = Distribution(0.0, 1.0, 3.0)
LAPLACE = Distribution(0.0, 2**0.5, 6.0)
INTEGERS = finite(range(-2, 5), [1] * 7)
KEPT = finite((0, 4 / 3), (1, 3))
ORDER = finite(range(4000), [1] * 4000)


@dataclasses.dataclass(frozen=True)
class RandomCase:
    """An expression over ``x``, a Tensor of float32 ones, shape ``(50, 80)``.

    Args:
        name (str): of the row.
        expression (str): over ``x`` and the names ``ms``, ``ops`` and ``Tensor``.
        distribution (Distribution): of its numbers.
        dtype (str): of its result. Default: ``'float32'``.
        shape (tuple): of its result. Default: that of ``x``.
        faces (tuple): other expressions that draw the same numbers for the same seed.
        is_seeded (bool): whether ``set_seed`` decides what is drawn. Default: ``True``.
        is_fixed (bool): whether each call draws the same numbers. Default: ``False``.
        has_each_once (bool): whether no number comes twice. Default: ``False``.
        scales (bool): whether it is ``x`` times what is drawn, and so its own derivative at 1. Default: ``False``.
    """

    name: str
    expression: str
    distribution: Distribution
    dtype: str = "float32"
    shape: tuple = (50, 80)
    faces: tuple = ()
    is_seeded: bool = True
    is_fixed: bool = False
    has_each_once: bool = False
    scales: bool = False


def rows(table, **common):
    """Makes rows of ``(name, expression, distribution, {fields})``, which share the fields ``common``."""
    return [RandomCase(*row[:3], **{**common, **row[3]}) for row in table]


CUT = Distribution(0.0, 0.8796, 2.366, -2.0, 2.0)
LENGTHS = "Tensor([50, 80])"
ROW, SHAPE, LONG = (4000,), "(50, 80)", (2000, 2)
BOUNDS = "Tensor(-2, ms.int32), Tensor(5, ms.int32)"
DRAWN_NORMAL = (
    f"ops.standard_normal({SHAPE})",
    "ops.randn(50, 80)",
    f"ops.normal({SHAPE}, 0.0, 1.0)",
)
DRAWN_UNIFORM = (
    "ops.rand(50, 80)",
    f"ops.rand({SHAPE})",
    f"ops.uniform({SHAPE}, Tensor(0.0), Tensor(1.0))",
)

NUMBERS = rows(
    [
        ("standard_normal", DRAWN_NORMAL[0], NORMAL, {"faces": DRAWN_NORMAL[1:]}),
        # Without seeds Primitives draw from another generator than functions, which ``set_seed`` gives some.
        ("standard_normal_primitive", f"ops.StandardNormal()({SHAPE})", NORMAL, {}),
        ("standard_normal_seed", "ops.standard_normal(Tensor([50, 80]), seed=5)", NORMAL, {}),
        ("normal", f"ops.normal({SHAPE}, 1.5, Tensor(2.0))", Distribution(1.5, 2.0, 3.0), {}),
        (
            "normal_broadcast",
            "ops.normal((2000, 2), Tensor([1.5, 1.5]), 2.0)",
            Distribution(1.5, 2.0, 3.0),
            {"shape": LONG},
        ),
        ("randn_double", "ops.randn((50, 80), dtype=ms.float64)", NORMAL, {"dtype": "float64"}),
        ("randn_like", "ops.randn_like(x.astype(ms.float16))", NORMAL, {"faces": ("ops.randn_like(x.int())",)}),
        ("rand", DRAWN_UNIFORM[0], uniform(0, 1), {"faces": DRAWN_UNIFORM[1:]}),
        ("uniform_primitive", f"ops.UniformReal()({SHAPE})", uniform(0, 1), {}),
        ("rand_half", "ops.rand(50, 80, dtype=ms.float16)", uniform(0, 1), {"dtype": "float16"}),
        ("rand_like", "ops.rand_like(x.astype(ms.float64))", uniform(0, 1), {"dtype": "float64"}),
        ("rand_like_half", "ops.rand_like(x, dtype=ms.float16)", uniform(0, 1), {"dtype": "float16"}),
        ("uniform", f"ops.uniform({SHAPE}, Tensor(-1.0), Tensor(3.0))", uniform(-1, 3), {}),
        ("laplace", f"ops.laplace({SHAPE}, Tensor(1.0), Tensor(2.0))", Distribution(1.0, 2 * 2**0.5, 6.0), {}),
        (
            "standard_laplace",
            f"ops.standard_laplace({SHAPE})",
            LAPLACE,
            {"faces": (f"ops.laplace({SHAPE}, Tensor(0.0), Tensor(1.0))",)},
        ),
        ("standard_laplace_primitive", f"ops.StandardLaplace()({SHAPE})", LAPLACE, {}),
        (
            "gamma",
            "ops.gamma((2000, 1), Tensor([3.0, 3.0]), Tensor(2.0))",
            Distribution(1.5, 3**0.5 / 2, 5.0, 0.0),
            {"shape": LONG, "faces": ("ops.Gamma()((2000, 1), Tensor([3.0, 3.0]), Tensor(2.0))",)},
        ),
        (
            "random_gamma",
            "ops.random_gamma(Tensor([2000]), Tensor([3.0, 3.0]))",
            Distribution(3.0, 3**0.5, 5.0, 0.0),
            {"shape": LONG},
        ),
        (
            "random_gamma_primitive",
            "ops.RandomGamma()(Tensor([2000]), Tensor([3.0, 3.0]))",
            Distribution(3.0, 3**0.5, 5.0, 0.0),
            {"shape": LONG},
        ),
        (
            "random_gamma_exponential",
            "ops.random_gamma(Tensor([2000]), Tensor([1.0, 1.0]))",
            Distribution(1.0, 1.0, 9.0, 0.0),
            {"shape": LONG},
        ),
        (
            "random_gamma_small",
            "ops.random_gamma(Tensor([2000]), Tensor([0.5, 0.5]))",
            Distribution(0.5, 0.5**0.5, 15.0, 0.0),
            {"shape": LONG},
        ),
        (
            "poisson",
            "ops.poisson((2000, 1), Tensor([2.5, 2.5]))",
            poisson(2.5),
            {"shape": LONG, "dtype": "int32", "faces": ("ops.Poisson()((2000, 1), Tensor([2.5, 2.5]))",)},
        ),
        ("truncated_normal", f"ops.TruncatedNormal()({LENGTHS})", CUT, {}),
        (
            "truncated_normal_in_batches",
            f"ops.ParameterizedTruncatedNormal()({LENGTHS}, *[Tensor([k] * 50) for k in (1.0, 2.0, -3.0, 5.0)])",
            Distribution(1.0, 2 * 0.8796, 2.366, -3.0, 5.0),
            {},
        ),
        (
            "cauchy",
            "ops.atan(ops.Cauchy([50, 80])())",
            uniform(-np.pi / 2, np.pi / 2),
            {"faces": ("ops.atan(x.cauchy())",)},
        ),
        (
            "log_normal",
            "ops.log(x.log_normal())",
            Distribution(1.0, 2.0, 3.0),
            {"faces": ("ops.log(ops.LogNormalReverse()(x))",)},
        ),
        (
            "uniform_like",
            "x.uniform(-1.0, 3.0)",
            uniform(-1, 3),
            {"faces": ("(x * 1).uniform_(-1.0, 3.0)", "ops.uniform_(x * 1, -1.0, 3.0)")},
        ),
        (
            "normal_filled",
            "(x * 1).normal_(1.5, 2.0)",
            Distribution(1.5, 2.0, 3.0),
            {"faces": ("ops.normal_(x * 1, 1.5, 2.0)",)},
        ),
        (
            "exponential",
            "(x * 1).exponential_(0.5)",
            Distribution(2.0, 2.0, 9.0, 0.0),
            {"faces": ("ops.exponential_(x * 1, 0.5)",)},
        ),
        ("random_filled", "(x * 1).random_(-2, 5)", INTEGERS, {"faces": ("ops.random_(x * 1, -2, 5)",)}),
        (
            "random_poisson_primitive",
            f"ops.RandomPoisson()({LENGTHS}, Tensor(2.5))",
            poisson(2.5),
            {"dtype": "int64"},
        ),
        ("random_poisson", "ops.random_poisson(Tensor([2000]), Tensor([2.5, 2.5]))", poisson(2.5), {"shape": LONG}),
        (
            "random_poisson_int",
            "ops.random_poisson(Tensor([50, 80]), Tensor(2.5), dtype=ms.int32)",
            poisson(2.5),
            {"dtype": "int32"},
        ),
    ]
)

INTS = rows(
    [
        ("randint", f"ops.randint(-2, 5, {SHAPE})", INTEGERS, {"dtype": "int64"}),
        ("randint_like", "ops.randint_like(x, -2, 5, dtype=ms.int64)", INTEGERS, {"dtype": "int64"}),
        ("randint_like_own", "ops.randint_like(x.int(), -2, 5)", INTEGERS, {}),
        (
            "uniform_int",
            f"ops.uniform({SHAPE}, {BOUNDS}, dtype=ms.int32)",
            INTEGERS,
            {},
        ),
        ("uniform_int_primitive", f"ops.UniformInt()({SHAPE}, {BOUNDS})", INTEGERS, {}),
        (
            "uniform_int_broadcast",
            "ops.uniform((2000, 1), Tensor([-2, -2], ms.int32), Tensor(5, ms.int32), dtype=ms.int32)",
            INTEGERS,
            {"shape": LONG},
        ),
        (
            "any_ints",
            f"ops.NonDeterministicInts(ms.int32)({LENGTHS}) / 2.0**31",
            uniform(-1, 1),
            {"dtype": "float32"},
        ),
        (
            "random_categorical",
            "ops.random_categorical(ops.log(Tensor([[1.0, 2.0, 7.0]])), 4000)[0]",
            finite(range(3), (1, 2, 7)),
            {
                "faces": (
                    "ops.RandomCategorical()(ops.log(Tensor([[1.0, 2.0, 7.0]])), 4000)[0]",
                    "ops.log(Tensor([[1.0, 2.0, 7.0]])).random_categorical(4000)[0]",
                ),
                "shape": ROW,
                "dtype": "int64",
            },
        ),
        (
            "multinomial_again",
            "ops.multinomial_with_replacement(Tensor([1.0, 2.0, 7.0]), 0, 0, 4000, True)",
            finite(range(3), (1, 2, 7)),
            {
                "faces": ("ops.MultinomialWithReplacement(4000, True)(Tensor([1.0, 2.0, 7.0]), Tensor(0), Tensor(0))",),
                "shape": ROW,
                "dtype": "int64",
            },
        ),
        (
            "sampled_classes",
            "ops.uniform_candidate_sampler(Tensor([[1]], ms.int32), 1, 4000, False, 7)[0]",
            finite(range(7), [1] * 7),
            {"faces": ("ops.UniformCandidateSampler(1, 4000, False, 7)(Tensor([[1]], ms.int32))[0]",), "shape": ROW},
        ),
        (
            "sampled_classes_once",
            "ops.uniform_candidate_sampler(Tensor([[1]], ms.int32), 1, 4000, True, 4000)[0]",
            ORDER,
            {"shape": ROW, "has_each_once": True},
        ),
        (
            "sampled_classes_by_logarithm",
            "ops.log_uniform_candidate_sampler(Tensor([[1]]), 1, 4000, False, 7)[0]",
            finite(range(7), np.log1p(1 / np.arange(1, 8))),
            {
                "faces": ("ops.LogUniformCandidateSampler(1, 4000, False, 7)(Tensor([[1]]))[0]",),
                "shape": ROW,
                "dtype": "int64",
                "is_seeded": False,
            },
        ),
        (
            "multinomial",
            "ops.multinomial(Tensor([1.0, 2.0, 7.0]), 4000)",
            finite(range(3), (1, 2, 7)),
            {"faces": ("Tensor([1.0, 2.0, 7.0]).multinomial(4000)",), "shape": ROW},
        ),
        (
            "multinomial_primitive",
            "ops.Multinomial()(Tensor([1.0, 2.0, 7.0]), 4000)",
            finite(range(3), (1, 2, 7)),
            {"shape": ROW},
        ),
        (
            "multinomial_rows",
            "ops.multinomial(Tensor([[1.0, 2.0, 7.0], [1.0, 2.0, 7.0]]), 2000)",
            finite(range(3), (1, 2, 7)),
            {"shape": (2, 2000)},
        ),
        (
            "multinomial_once",
            "ops.multinomial(ops.ones((4000,)), 4000, False)",
            ORDER,
            {"shape": ROW, "has_each_once": True},
        ),
    ],
    dtype="int32",
)

CHOICES = rows(
    [
        (
            "bernoulli",
            "ops.bernoulli(x, 0.3)",
            finite((0, 1), (7, 3)),
            {
                "faces": (
                    "ops.bernoulli(x, Tensor([0.3]))",
                    "ops.Bernoulli()(x, 0.3)",
                    "(0.3 * x).bernoulli()",
                    "ops.bernoulli_ext(0.3 * x)",
                    "(x * 1).bernoulli_(0.3)",
                    "ops.bernoulli_(x * 1, 0.3)",
                )
            },
        ),
        ("bernoulli_int", "ops.bernoulli(x.int(), 0.3)", finite((0, 1), (7, 3)), {"dtype": "int32"}),
        ("bernoulli_seed", "ops.bernoulli(x, seed=3)", finite((0, 1), (1, 1)), {"is_fixed": True}),
        (
            "dropout",
            "ops.dropout(x, 0.25)",
            KEPT,
            {"scales": True},
        ),
        (
            "dropout_primitive",
            "ops.Dropout(0.75)(x)[0]",
            KEPT,
            {"faces": ("x * ops.Dropout(0.75)(x)[1] / 0.75",), "scales": True},
        ),
        (
            "dropout_by_mask",
            "ops.DropoutDoMask()(x, ops.DropoutGenMask()((50, 80), Tensor(0.75)), Tensor(0.75))",
            KEPT,
            {"scales": True},
        ),
        ("rrelu", "ops.rrelu(-x, 0.5, 1.0) * -1", uniform(0.5, 1), {}),
        ("dropout_mask", "ops.Dropout(keep_prob=0.75)(x)[1]", finite((0, 1), (1, 3)), {}),
    ]
)

ORDERS = rows(
    [
        ("randperm", "ops.randperm(4000, -1)", ORDER, {"dtype": "int64"}),
        (
            "randperm_fixed",
            "ops.randperm(4000)",
            ORDER,
            {"dtype": "int64", "is_fixed": True, "faces": ("ops.RandpermV2()(4000)",)},
        ),
        ("randperm_padded", "ops.Randperm(4001)(Tensor([4000], ms.int32))[:4000]", ORDER, {"dtype": "int32"}),
        (
            "choice_with_mask",
            "ops.choice_with_mask(x[0, 0] * ops.arange(4000) >= 0, 4000)[0][:, 0]",
            ORDER,
            {"dtype": "int32"},
        ),
        (
            "choice_with_mask_primitive",
            "ops.RandomChoiceWithMask(4000)(x[0, 0] * ops.arange(4000) >= 0)[0][:, 0]",
            ORDER,
            {"dtype": "int32"},
        ),
        ("randperm_offset", "ops.randperm(4000, -1, 7, ms.int32)", ORDER, {"dtype": "int32", "is_fixed": True}),
        ("shuffle", "ops.shuffle(ops.arange(4000))", ORDER, {"dtype": "int64"}),
        ("shuffle_primitive", "ops.RandomShuffle()(ops.arange(4000))", ORDER, {"dtype": "int64"}),
    ],
    shape=ROW,
    has_each_once=True,
)

CASES = NUMBERS + INTS + CHOICES + ORDERS
