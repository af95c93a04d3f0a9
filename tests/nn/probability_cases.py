"""Distributions and bijectors, and the points of their tests. NumPy only: `golden/make_probability.py` reads it too."""

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Case:
    """One distribution.

    Attributes:
        name (str): of the class.
        parameters, others (tuple): its parameters and those of another one, each a list of numbers.
        values (tuple): outcomes.
        sample_check (str | None): what samples are compared with: ``"cdf"``, ``"prob"``, ``"moments"``; None: nothing.
        formulas (dict): for methods that MindSpore has no kernel for on CPUs: what NumPy makes of the parameters.
    """

    name: str
    parameters: tuple
    values: tuple
    others: tuple = ()
    sample_check: str | None = "cdf"
    formulas: dict = dataclasses.field(default_factory=dict)


REAL = ([0.5, -1.0, 2.0], [1.5])
OTHER_REAL = ([0.25], [1.0, 2.0, 0.5])
POSITIVE = ([1.375, 2.625, 0.75], [1.75])
OTHER_POSITIVE = ([1.25], [1.0, 2.0, 0.5])
POINTS = (-1.5, 0.25, 0.5, 3.0)
INSIDE = (0.125, 0.25, 0.5, 0.875)
COUNTS = (-1.0, 0.0, 1.0, 4.0)

DISTRIBUTIONS = [
    Case(
        "Bernoulli",
        ([0.25, 0.5, 0.875],),
        (0.0, 1.0),
        ([0.5],),
        "prob",
        # MindSpore's Less takes no Python number first.
        {"mode": lambda probs: (probs > 0.5).astype(np.int32)},
    ),
    Case("Beta", POSITIVE, INSIDE, OTHER_POSITIVE, "moments"),
    Case("Categorical", ([[0.25, 0.5, 0.25], [0.125, 0.25, 0.625]],), (-1.0, 0.0, 2.0), ([0.5, 0.25, 0.25],), "prob"),
    Case("Cauchy", REAL, POINTS, OTHER_REAL),
    Case("Exponential", ([1.5, 0.5, 2.0],), POINTS, ([1.0],)),
    Case("Gamma", POSITIVE, INSIDE, OTHER_POSITIVE),
    Case("Geometric", ([0.25, 0.5, 0.875],), COUNTS, ([0.5],), "prob"),
    Case("Gumbel", REAL, POINTS, OTHER_REAL),
    Case("HalfNormal", ([0.0, 0.5, -1.0], [1.5]), POINTS, sample_check=None),
    Case("Laplace", REAL, POINTS, sample_check=None),
    Case("LogNormal", REAL, INSIDE, OTHER_REAL),
    Case("Logistic", REAL, POINTS, OTHER_REAL),
    Case("Normal", REAL, POINTS, OTHER_REAL),
    Case("Poisson", ([1.5, 2.5, 0.75],), COUNTS, ([1.0],), "prob"),
    Case("StudentT", ([3.0, 5.0, 2.5], [0.5], [1.5]), POINTS, sample_check=None),
    Case("Uniform", ([0.5, -1.0, 2.0], [3.5]), POINTS, ([-2.0], [4.0, 5.0, 3.0])),
]

OF_VALUE = ("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival")
OF_OTHER = ("kl_loss", "cross_entropy")
OF_NOTHING = ("mean", "mode", "sd", "var", "entropy", "get_dist_type")
METHODS = (*OF_VALUE, *OF_OTHER, *OF_NOTHING, "sample")


def arguments(case, method, tensor):
    """What ``method`` takes; ``tensor(numbers)`` makes a Tensor of float32."""
    if method in OF_VALUE:
        return (tensor([[value] for value in case.values]),)
    if method in OF_OTHER:
        return (case.name, *[tensor(numbers) for numbers in case.others])
    return ((4,),) if method == "sample" else ()


BIJECTORS = {
    "Exp": ("msb.Exp()", (-1.5, 0.25, 2.0), (0.25, 1.0, 3.0)),
    "PowerTransform": ("msb.PowerTransform([0.0, 0.5, 2.0])", (0.125, 0.25, 2.0), (0.25, 1.0, 3.0)),
    "ScalarAffine": ("msb.ScalarAffine(-2.0, [0.5, 1.0, 0.0])", (-1.5, 0.25, 2.0), (-0.25, 1.0, 3.0)),
    "Softplus": ("msb.Softplus(2.0)", (-1.5, 0.25, 2.0), (0.25, 1.0, 3.0)),
    "GumbelCDF": ("msb.GumbelCDF(0.5, [1.0, 2.0, 0.5])", (-1.0, 0.25, 2.0), (0.25, 0.5, 0.875)),
    "Invert": ("msb.Invert(msb.Softplus(0.5))", (0.25, 1.0, 3.0), (-1.5, 0.25, 2.0)),
}
MAPPINGS = ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian")

# What programs print and ask; the same text, or the same numbers, in both.
SHOWN = [
    "msd.Normal(0.0, 1.0)",
    "msd.Normal()",
    "msd.Normal(0.0, [1.0, 2.0])",
    "msd.Cauchy(0.0, 1.0)",
    "msd.Bernoulli(0.25)",
    "msd.Categorical([0.25, 0.75])",
    "msd.Categorical([[0.25, 0.75], [0.5, 0.5]])",
    "msd.StudentT(3.0, 0.0, 1.0)",
    "msd.LogNormal(0.0, 1.0)",
    "msd.TransformedDistribution(msb.Exp(), msd.Normal(0.0, 1.0))",
    "msb.Exp()(msd.Normal(0.0, 1.0))",
    "msb.Exp()",
    "msb.PowerTransform(0.5)",
    "msb.ScalarAffine([2.0], 1.0)",
    "msb.Invert(msb.GumbelCDF())",
    "msb.Invert(msb.Exp()).name",
    "msb.Invert(msb.Exp(), 'back').name",
    "msb.ScalarAffine(2.0, 1.0).is_constant_jacobian, msb.Exp().is_constant_jacobian, msb.Exp().is_injective",
    "msb.Exp().batch_shape, msb.GumbelCDF(0.0, [1.0, 2.0]).batch_shape, msb.Exp().dtype, msb.Exp().is_scalar_batch",
    "msd.Normal(0.0, [1.0, 2.0], seed=3, name='n').parameters",
    "msd.Normal(0.0, [1.0, 2.0]).parameter_names",
    "msd.Normal(0.0, [[1.0], [2.0]]).batch_shape, msd.Normal().batch_shape, msd.Normal(0.0, 1.0).broadcast_shape",
    "msd.Categorical([[0.25, 0.75], [0.5, 0.5]]).batch_shape, msd.Categorical([[0.25, 0.75]]).broadcast_shape",
    "msd.Normal(0.0, [1.0]).is_scalar_batch, msd.Normal().is_scalar_batch, msd.Normal(0, 1).is_scalar_batch",
    "msd.Normal(seed=3).seed, msd.Normal().seed, msd.Normal(name='n').name, msd.Normal().dtype, msd.Geometric().dtype",
    "msd.TransformedDistribution(msb.ScalarAffine(2.0, [1.0, 2.0]), msd.Normal(0.0, 1.0)).broadcast_shape",
    "msd.TransformedDistribution(msb.ScalarAffine(2.0, 1.0), msd.Normal(0.0, 1.0)).is_linear_transformation",
    "msd.Normal(0.0, 1.0, dtype=ms.float16).prob(x).dtype, msd.Normal(x, 1.0, dtype=ms.float16).prob(x).dtype",
    "msd.Normal(0.0, 1.0, dtype=ms.float64).prob(x).dtype, msd.Normal(x, 1.0, dtype=ms.float64).mean().dtype",
    "msd.Normal(0.0, 1.0).prob(ms.Tensor([1, 2])).dtype, msd.Normal(ms.Tensor([1]), 1).mean().dtype",
    "msd.Bernoulli(0.25).sample((3,)).dtype, msd.Bernoulli(0.25, dtype=ms.float32).sample((3,)).dtype",
    "msd.Normal(0.0, 1.0).sample().shape, msd.Normal([0.0], 1.0).sample((2, 3)).shape",
    "msd.LogNormal(0.0, 1.0).sample().shape, msd.LogNormal([0.0, 1.0], 1.0).sample((3,)).shape",
    "msd.Categorical([0.25, 0.75]).sample().shape, msd.Categorical([[0.25, 0.75], [0.5, 0.5]]).sample((3, 2)).shape",
    "msd.Categorical([[0.25, 0.75]]).mean().shape, msd.Categorical([[0.25, 0.75]]).entropy().shape",
    "msd.Categorical([0.25, 0.75]).log_prob(ms.Tensor(1)).shape",
    "msd.Categorical([[0.25, 0.75], [0.5, 0.5]]).log_prob(ms.Tensor([[0], [1], [1]])).shape",
    "msd.Normal().get_dist_args(), msd.Normal(0.0, 1.0).get_dist_args()[1].shape",
    "msd.Normal(0.0, 1.0).get_dist_args(sd=x)[1].shape",
    "msd.Normal(mean=0.0).entropy(sd=x).shape, msd.Beta([1.0], [2.0]).kl_loss('Beta', x, x, concentration0_a=x).shape",
    "msd.Normal(0.0, 1.0)('kl_loss', 'Normal', x, x).shape",
]

# Refused by both, with exceptions of the same type.
REFUSED = [
    "msd.Normal(0.0, 0.0)",
    "msd.Normal(0.0, True)",
    "msd.Normal(0.0, '1')",
    "msd.Normal(0.0, (1.0, 2.0))",
    "msd.Normal(0.0, 1.0, dtype=ms.int32)",
    "msd.Normal(seed=-1)",
    "msd.Normal(seed=1.5)",
    "msd.Normal(name=3)",
    "msd.Normal(x, ms.Tensor([1.0, 2.0], ms.float16))",
    "msd.Normal([1.0, 2.0], [1.0, 2.0, 3.0])",
    "msd.Normal(0.0, 1.0).prob(1.0)",
    "msd.Normal(0.0, 1.0).prob(x, 1.0)",
    "msd.Normal().prob(x)",
    "msd.Normal().prob(x, x, x.astype(ms.float16))",
    "msd.Normal().prob(x, x, ms.Tensor([1.0, 2.0, 3.0]))",
    "msd.Normal(0.0, 1.0).kl_loss('Uniform', x, x)",
    "msd.Normal(0.0, 1.0).kl_loss('Normal', x)",
    "msd.Normal(0.0, 1.0).kl_loss('Normal', 1.0, x)",
    "msd.Normal(0.0, 1.0).sample([2, 3])",
    "msd.Normal(0.0, 1.0).get_dist_args(1.0)",
    "msd.Normal(0.0, 1.0)('foo')",
    "msd.Gamma(1.0, x)",
    "msd.Beta(1.0, x)",
    "msd.Poisson(2)",
    "msd.Bernoulli(1.5)",
    "msd.Bernoulli(0.0)",
    "msd.Bernoulli(0.5, dtype=ms.bool_)",
    "msd.Categorical(0.5)",
    "msd.Categorical([0.5, 0.25])",
    "msd.Categorical([1.5, -0.5])",
    "msd.Uniform(1.0, 1.0)",
    "msd.Uniform(0.0, 1.0).mode()",
    "msd.Cauchy(0.0, 1.0).mean()",
    "msd.Cauchy(0.0, 1.0).sd()",
    "msd.Logistic(0.0, 1.0).kl_loss('Logistic', x, x)",
    "msd.Gumbel(0, 1)",
    "msd.TransformedDistribution(msb.Exp(), 3)",
    "msd.TransformedDistribution(3, msd.Normal())",
    "msd.TransformedDistribution(msb.Exp(), msd.Bernoulli(0.5))",
    "msd.TransformedDistribution(msb.Exp(), msd.Normal(0.0, 1.0)).mean()",
    "msd.TransformedDistribution(msb.Exp(), msd.Normal(0.0, 1.0)).entropy()",
    "msd.Distribution(None, ms.float32, 'D', {'param_dict': {'a': 1.0}}).prob(x)",
    "msd.Distribution(None, ms.float32, 'D', {'param_dict': {'a': 1.0}}).get_dist_type()",
    "msb.Exp().forward(1.0)",
    "msb.Exp().forward(ms.Tensor([1]))",
    "msb.PowerTransform(-1.0)",
    "msb.PowerTransform(1)",
    "msb.PowerTransform(None)",
    "msb.ScalarAffine(1.0, x.astype(ms.float16))",
    "msb.GumbelCDF(0.0, -1.0)",
    "msb.Invert(3)",
    "msb.Bijector()",
    "msb.Bijector(name='b', param={}).forward(x)",
    "bnn.NormalPosterior(1, (2,))",
    "bnn.NormalPosterior('w', 2)",
    "bnn.NormalPosterior('w', (2,), loc_std=-1)",
    "bnn.DenseReparam(0, 3)",
    "bnn.DenseReparam(2, 3, activation=3)",
    "bnn.DenseReparam(2, 3, weight_posterior_fn=bnn.NormalPrior)",
    "bnn.WithBNNLossCell(None, None, -1)",
    "bnn.WithBNNLossCell(None, None, 1, 'a')",
]

# Layers, by their parameters and the sum of their divergences; NumPy's seed draws the initial values.
LAYERS = [
    "bnn.DenseReparam(2, 3)",
    "bnn.DenseReparam(2, 3, 'relu', False)",
    "bnn.DenseLocalReparam(2, 3)",
    "bnn.ConvReparam(2, 3, 3, has_bias=True)",
    "bnn.ConvReparam(4, 2, (1, 3), stride=2, padding=0, group=2, weight_prior_fn=bnn.NormalPrior(std=2))",
]
