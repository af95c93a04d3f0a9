"""Distributions, bijectors and Bayesian layers. Figures are MindSpore 2.10's, but where a row has a formula."""

import json
import math
import pathlib
import re

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.nn.probability import bijector as msb
from msgrad.nn.probability import bnn_layers as bnn
from msgrad.nn.probability import distribution as msd
from tests.examples import complaints
from tests.golden._figures import decoded
from tests.helpers import assert_close
from tests.nn import probability_cases as cases

FIGURES = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "probability.json").read_text())
SCOPE = {"ms": ms, "msd": msd, "msb": msb, "bnn": bnn, "x": Tensor([1.5, 0.5])}
BY_NAME = {case.name: case for case in cases.DISTRIBUTIONS}


def tensor(numbers, dtype=np.float32):
    return Tensor(np.array(numbers, dtype))


def made(case, **more):
    return getattr(msd, case.name)(*[tensor(numbers) for numbers in case.parameters], **more)


def expected(case, method):
    """MindSpore's figure; the formula's where it has none; or the name of an exception."""
    actual = FIGURES["distributions"][case.name][method]
    if actual is None:
        return case.formulas[method](*[np.array(numbers, np.float32) for numbers in case.parameters])
    if isinstance(actual, dict):
        return decoded(actual)
    return actual


class Main(nn.Cell):
    """The main methods of a distribution in one program."""

    def __init__(self, distribution, methods):
        super().__init__()
        self.distribution, self.methods = distribution, methods

    def construct(self, *parameters):
        return tuple([self.distribution(method, *each) for method, each in zip(self.methods, parameters, strict=True)])


@pytest.mark.parametrize("case", cases.DISTRIBUTIONS, ids=lambda case: case.name)
def test_methods_give_what_mindspores_do(case):
    distribution = made(case)
    for method in cases.METHODS[:-1]:  # but "sample"
        parameters, wanted = cases.arguments(case, method, tensor), expected(case, method)
        if isinstance(wanted, np.ndarray):
            assert_close(getattr(distribution, method)(*parameters).asnumpy(), wanted)
        elif wanted == case.name:
            assert getattr(distribution, method)(*parameters) == case.name
        else:
            error = {"NotImplementedError": NotImplementedError, "ValueError": ValueError}[wanted]
            with pytest.raises(error, match=f"^For '{case.name}', the "):
                getattr(distribution, method)(*parameters)


@pytest.mark.parametrize("case", cases.DISTRIBUTIONS, ids=lambda case: case.name)
def test_compiled_methods_give_what_mindspores_do(case, graph_mode):
    methods = [each for each in ("log_prob", "log_survival", "kl_loss", "var") if not _is_error(expected(case, each))]
    actual = Main(made(case), methods)(*[cases.arguments(case, method, tensor) for method in methods])
    for method, value in zip(methods, actual, strict=True):
        assert_close(value.asnumpy(), expected(case, method))


def _is_error(figure):
    return isinstance(figure, str)


@pytest.mark.parametrize("case", cases.DISTRIBUTIONS, ids=lambda case: case.name)
def test_methods_take_parameters_in_place_of_the_constructors(case):
    parameters = [tensor(numbers) for numbers in case.parameters]
    other = msd.Gumbel(9.0, 9.0) if case.name == "Gumbel" else getattr(msd, case.name)()
    (value,) = cases.arguments(case, "prob", tensor)
    assert_close(other.prob(value, *parameters).asnumpy(), expected(case, "prob"))
    if case.others and not _is_error(expected(case, "cross_entropy")):
        others = [tensor(numbers) for numbers in case.others]
        actual = other.cross_entropy(case.name, *others, *parameters)
        assert_close(actual.asnumpy(), expected(case, "cross_entropy"))


@pytest.mark.parametrize("case", cases.DISTRIBUTIONS, ids=lambda case: case.name)
def test_gradients_by_the_parameters_are_mindspores(case):
    distribution = getattr(msd, case.name)(*[Parameter(tensor(numbers)) for numbers in case.parameters])
    value = tensor([[each] for each in case.values if each > 0])
    weights = distribution.trainable_params()
    gradients = ms.grad(lambda x: distribution("log_prob", x).sum(), None, weights)(value)
    gradients = gradients if isinstance(gradients, tuple) else (gradients,)
    for gradient, figure in zip(gradients, FIGURES["distributions"][case.name]["slopes"], strict=True):
        assert_close(gradient.asnumpy(), decoded(figure))


@pytest.mark.parametrize("name", ["Exponential", "Geometric", "HalfNormal", "Poisson", "Uniform"])
def test_gradients_are_finite_where_nothing_happens(name):
    case = BY_NAME[name]
    parameters = [tensor(numbers) for numbers in case.parameters]
    gradient = ms.grad(lambda *parameters: made(case).log_prob(tensor([-9.0]), *parameters).sum())(*parameters)
    assert np.isfinite(gradient.asnumpy()).all()


def test_poisson_at_zero():
    distribution = msd.Poisson([2.0])
    gradient = ms.grad(lambda x: distribution.log_prob(x).sum())(Tensor([0.0, 1.0]))
    np.testing.assert_allclose(gradient.asnumpy(), [1.2703630924224854, 0.2703629732131958], rtol=5e-6)


COUNT = 4000
SAMPLED = [case for case in cases.DISTRIBUTIONS if case.sample_check]


@pytest.mark.parametrize("case", SAMPLED, ids=lambda case: case.name)
def test_samples_follow_their_distribution(case):
    ms.set_seed(11)
    distribution = made(case)
    samples = distribution.sample((COUNT,))
    figure = FIGURES["distributions"][case.name]["sample"]
    batch = distribution.broadcast_shape
    assert samples.shape == (COUNT, *batch) and samples.dtype is distribution.dtype
    if figure is not None:
        assert [*samples.shape[1:], samples.asnumpy().dtype.name] == [*figure["shape"][1:], figure["dtype"]]
    drawn = samples.asnumpy().astype(np.float64)
    if case.sample_check == "cdf":  # Kolmogorov and Smirnov: of 100 000 true samples one is further away than 2.5
        ordered = np.sort(drawn, axis=0)
        below = distribution.cdf(tensor(ordered)).asnumpy()
        ranks = np.arange(1, COUNT + 1).reshape(-1, *[1] * len(batch)) / COUNT
        assert np.abs(below - ranks).max() * math.sqrt(COUNT) < 2.5
    elif case.sample_check == "prob":
        for outcome in (0.0, 1.0, 2.0):
            if (case.name, outcome) == ("Bernoulli", 2.0):
                continue
            share = distribution.prob(tensor(np.full((1, *batch), outcome))).asnumpy()[0]
            error = np.sqrt(share * (1 - share) / COUNT)
            assert (np.abs((drawn == outcome).mean(0) - share) <= 4.5 * error).all()
    else:
        mean, var = distribution.mean().asnumpy(), distribution.var().asnumpy()
        assert (np.abs(drawn.mean(0) - mean) <= 4.5 * np.sqrt(var / COUNT)).all()
        np.testing.assert_allclose(drawn.var(0), var, rtol=0.1)


def test_seeds_of_samples(mode):
    def drawn(seed):
        ms.set_seed(3)
        return msd.Normal(0.0, 1.0, seed=seed)("sample", (5,)).asnumpy()

    assert (drawn(1) == drawn(1)).all()
    assert (drawn(1) != drawn(2)).all()
    normal = msd.Normal(0.0, 1.0)
    assert (normal("sample", (5,)).asnumpy() != normal("sample", (5,)).asnumpy()).all()


def test_samples_have_gradients(mode):
    def mean(mean, sd):
        ms.set_seed(5)
        return msd.Normal().sample((3,), mean, sd).mean()

    by_mean, by_sd = ms.grad(mean, (0, 1))(Tensor([2.0]), Tensor([3.0]))
    assert by_mean.tolist() == [1.0]
    assert by_sd.item() == pytest.approx((mean(Tensor([2.0]), Tensor([3.0])).item() - 2) / 3, rel=1e-5)


def test_probabilities_of_zero_have_finite_divergences():
    categorical = msd.Categorical([0.5, 0.5])
    assert categorical.entropy(Tensor([0.0, 1.0])).item() == 0
    assert categorical.kl_loss("Categorical", Tensor([0.5, 0.5]), Tensor([0.0, 1.0])).item() == pytest.approx(
        math.log(2)
    )


def test_log_normal_has_no_outcomes_below_zero():
    assert msd.LogNormal(0.0, 1.0).prob(Tensor([-1.0, 0.0])).tolist() == [0.0, 0.0]
    gradient = ms.grad(lambda x: msd.LogNormal(0.0, 1.0).cdf(x).sum())(Tensor([-1.0, 1.0]))
    assert gradient.asnumpy() == pytest.approx([0, 1 / math.sqrt(2 * math.pi)])


def test_tails_keep_their_digits():
    """Where one minus the rest is 0 in float32."""
    normal, gamma, far = msd.Normal(0.0, 1.0), msd.Gamma([1.0], [1.0]), Tensor([9.0])
    assert normal.cdf(-far).item() == pytest.approx(0.5 * math.erfc(9 / math.sqrt(2)), rel=1e-5)
    assert normal.log_survival(far).item() == pytest.approx(math.log(0.5 * math.erfc(9 / math.sqrt(2))), rel=1e-5)
    assert gamma.survival_function(Tensor([25.0])).item() == pytest.approx(math.exp(-25), rel=1e-5)
    assert msd.Geometric(1e-3).log_prob(Tensor([1e6])).item() == pytest.approx(1e6 * math.log1p(-1e-3) + math.log(1e-3))


def test_parameters_are_trained(mode):
    normal = msd.Normal(Parameter(Tensor([0.0]), name="mean"), Parameter(Tensor([1.0]), name="sd"))
    by_mean, by_sd = ms.grad(lambda x: normal("log_prob", x).sum(), None, normal.trainable_params())(Tensor([2.0]))
    assert (by_mean.tolist(), by_sd.tolist()) == ([2.0], [3.0])
    leaves = jax.tree.leaves(
        jax.grad(lambda cell: jax.numpy.sum(jax.numpy.asarray(cell("cdf", Tensor([0.0])))))(normal)
    )
    assert [leaf.tolist() for leaf in leaves] == [[pytest.approx(-1 / math.sqrt(2 * math.pi))], [0.0]]


def test_of_values_inside_transforms():
    by_jit = jax.jit(lambda x, loc: jax.numpy.asarray(msd.Cauchy(Tensor(loc), 1.0).cdf(Tensor(x))))
    assert by_jit(jax.numpy.zeros(2), jax.numpy.zeros(2)).tolist() == [0.5, 0.5]
    each = ms.vmap(lambda sd: msd.Normal(0.0, 1.0).prob(Tensor([0.0]), Tensor([0.0]), sd))(Tensor([[1.0], [2.0]]))
    assert each.asnumpy() == pytest.approx(np.array([[1.0], [0.5]]) / math.sqrt(2 * math.pi))


class Half(msd.Distribution):
    """A distribution of a program: on ``[0, width]``, with the density ``2 * value / width^2``."""

    def __init__(self, width=None, seed=0, dtype=ms.float32, name="Half"):
        param = dict(locals())
        param["param_dict"] = {"width": width}
        super().__init__(seed, dtype, name, param)
        self.width = self._add_parameter(width, "width")

    def _cdf(self, value, width=None):
        value = self.cast_base(self._check_value(value, "value"), self.dtype)
        return self.sq_base(value / self._check_param_type(width))

    def _log_prob(self, value, width=None):
        width = self._check_param_type(width)
        return self.log_base(2.0 * value) - 2.0 * self.log_base(width)

    def _var(self, width=None):
        return self.sq_base(self._check_param_type(width)) / 18.0

    def _sample(self, shape=(), width=None):
        shape, width = self.checktuple(shape, "shape"), self._check_param_type(width)
        return width * self.sqrt_base(ops.uniform(shape, Tensor(0.0), Tensor(1.0), self.seed))


def test_distribution_of_a_program(mode):
    half, value = Half(2.0), Tensor([1.0])
    assert half("cdf", value).tolist() == [0.25]
    assert half.survival_function(value).tolist() == [0.75]
    assert half.log_survival(value).item() == pytest.approx(math.log(0.75))
    assert half.prob(value).item() == pytest.approx(0.5)
    assert half.sd(Tensor([6.0])).item() == pytest.approx(math.sqrt(2))
    assert 0 <= half("sample", (3,)).min().item() and half.sample((3,)).max().item() <= 2
    assert half.parameters["width"] == 2.0 and "self" not in half.parameters
    with pytest.raises(
        NotImplementedError, match=r"^For 'Half', the method 'entropy' is not available: the class Half has"
    ):
        half.entropy()


@pytest.mark.parametrize("name", cases.BIJECTORS)
def test_bijector_gives_what_mindspore_does(name, mode):
    text, values, images = cases.BIJECTORS[name]
    bijector = eval(text, SCOPE)
    for mapping in cases.MAPPINGS:
        figure = FIGURES["bijectors"][name][mapping]
        points = tensor(images if mapping.startswith("inverse") else values)
        wanted = decoded(figure)
        for answer in (bijector(mapping, points), getattr(bijector, mapping)(points)):
            assert_close(answer.asnumpy(), wanted)
    assert_close(bijector.inverse(bijector.forward(tensor(values))).asnumpy(), np.array(values, np.float32), rtol=3e-5)


@pytest.mark.parametrize("name", cases.BIJECTORS)
def test_log_jacobians_are_logarithms_of_derivatives(name):
    text, values, images = cases.BIJECTORS[name]
    bijector = eval(text, SCOPE)
    for mapping, points in (("forward", values), ("inverse", images)):
        gradients = ms.grad(lambda x, of=mapping: getattr(bijector, of)(x).sum())(tensor(points)).asnumpy()
        logs = np.broadcast_to(getattr(bijector, f"{mapping}_log_jacobian")(tensor(points)).asnumpy(), gradients.shape)
        assert_close(np.log(np.abs(gradients)), logs, rtol=1e-4)


class Shift(msb.Bijector):
    """A bijector of a program."""

    def __init__(self, by=0.0, name="Shift"):
        param = dict(locals())
        param["param_dict"] = {"by": by}
        super().__init__(is_constant_jacobian=True, name=name, param=param)
        self.by = self._add_parameter(by, "by")

    def _forward(self, x):
        x = self._check_value_dtype(x)
        return x + self.cast_param_by_value(x, self.by)

    def _inverse(self, y):
        return self.checktensor(y, "y") - self.cast_base(self.by, self.dtype_base(y))

    def _inverse_log_jacobian(self, y):
        return ops.zeros_like(y)


def test_bijector_of_a_program(mode):
    shift = Shift(2.0)
    assert shift("forward", Tensor([1.0], ms.float16)).tolist() == [3.0]
    assert shift(msd.Uniform(0.0, 1.0))("prob", Tensor([1.5, 2.5])).tolist() == [0.0, 1.0]
    assert shift(msd.Uniform(0.0, 1.0)).mean().item() == 2.5


def test_bijector_of_a_distribution():
    log_normal = msb.Exp()(msd.Normal(0.0, 1.0))
    assert isinstance(log_normal, msd.TransformedDistribution)
    values = Tensor([0.5, 2.0])
    assert_close(log_normal.log_prob(values).asnumpy(), msd.LogNormal(0.0, 1.0).log_prob(values).asnumpy())
    assert log_normal.sample((2, 3)).shape == (2, 3)
    assert msb.ScalarAffine(2.0, 1.0)(msd.Normal(3.0, 1.0)).mean().item() == 7
    assert msb.ScalarAffine([2.0, 1.0], 1.0).shape_mapping((3, 1)) == (3, 2)


@pytest.mark.parametrize("text", cases.SHOWN)
def test_shows_what_mindspore_shows(text):
    assert repr(eval(text, SCOPE)) == FIGURES["shown"][text]


@pytest.mark.parametrize("text", cases.REFUSED)
def test_refuses_what_mindspore_refuses(text):
    with pytest.raises(Exception) as caught:  # noqa: B017  the type is a figure
        eval(text, SCOPE)
    assert type(caught.value).__name__ == FIGURES["refused"][text]


@pytest.mark.parametrize("text", cases.LAYERS)
def test_layer_has_what_mindspores_has(text):
    figure = FIGURES["layers"][text]
    np.random.seed(7)
    layer = eval(text, SCOPE)
    assert repr(layer) == figure["text"]
    actual = {parameter.name: [list(parameter.shape), parameter.requires_grad] for parameter in layer.get_parameters()}
    assert actual == figure["parameters"]
    divergence = layer.compute_kl_loss().asnumpy()
    assert_close(divergence, np.array(figure["divergence"]["data"], np.float32).reshape(()), rtol=2e-5)


def test_dense_layers_draw_the_same_products():
    ms.set_seed(2)
    np.random.seed(2)
    layers = bnn.DenseReparam(3, 1), bnn.DenseLocalReparam(3, 1)
    for layer in layers:
        layer.weight_posterior.mean.set_data(Tensor([[1.0, -2.0, 0.5]]))
        layer.weight_posterior.untransformed_std.set_data(Tensor([[0.5, 1.0, -1.0]]))
        layer.bias_posterior.mean.set_data(Tensor([0.25]))
        layer.bias_posterior.untransformed_std.set_data(Tensor([-9.0]))
    x = np.array([[1.0, 0.5, -1.0]], np.float32)
    stds = np.log1p(np.exp([0.5, 1.0, -1.0]))
    mean, var = -0.25, (x**2 * stds**2).sum()
    each = [np.array([layers[0](Tensor(x)).item() for _ in range(400)])]
    each.append(layers[1](Tensor(np.repeat(x, 400, 0))).asnumpy())
    for drawn in each:
        assert abs(drawn.mean() - mean) < 4 * math.sqrt(var / 400)
        assert abs(drawn.var() / var - 1) < 4 * math.sqrt(2 / 400)


def test_convolution_of_certain_weights_is_an_ordinary_one(mode):
    layer = bnn.ConvReparam(2, 3, 2, stride=2, pad_mode="valid", has_bias=True)
    for posterior in (layer.weight_posterior, layer.bias_posterior):
        posterior.untransformed_std.set_data(ops.full_like(posterior.mean, -40.0))
    x = ops.arange(32).reshape(1, 2, 4, 4).astype(ms.float32) / 32
    ordinary = ops.conv2d(x, layer.weight_posterior.mean, layer.bias_posterior.mean, stride=2)
    assert_close(layer(x).asnumpy(), ordinary.asnumpy(), atol=2e-5)  # its standard deviations are at least 1e-6


def test_network_is_trained(mode):
    network = nn.SequentialCell(bnn.DenseReparam(2, 2), bnn.DenseLocalReparam(2, 1))
    loss = bnn.WithBNNLossCell(network, nn.MSELoss(), 1, 1e-4)
    assert loss.backbone_network is network and len(loss.kl_loss) == 2
    x, y = ops.ones((4, 2)), ops.ones((4, 1))
    step = nn.TrainOneStepCell(loss, nn.SGD(loss.trainable_params(), 0.05))
    losses = [step(x, y).item() for _ in range(8)]
    assert losses[-1] < 0.9 * losses[0]


def test_loss_counts_every_layer():
    """A network that is one layer itself, too, which MindSpore passes over."""
    layer = bnn.ConvReparam(1, 2, 2, pad_mode="valid", has_bias=True)
    loss = bnn.WithBNNLossCell(layer, nn.MSELoss(), 0.0, 0.5)
    actual = loss(ops.ones((4, 1, 2, 2)), ops.zeros((4, 2, 1, 1)))
    assert_close(actual.asnumpy(), 0.5 * layer.compute_kl_loss().asnumpy())


def test_layer_refuses_other_distributions():
    class Prior(nn.Cell):
        def __init__(self):
            super().__init__()
            self.uniform = msd.Uniform(0.0, 1.0)

    with pytest.raises(
        TypeError, match=r"^For 'DenseReparam', the 'weight_prior_fn' must be a Cell of a normal distri"
    ):
        bnn.DenseReparam(2, 3, weight_prior_fn=Prior)


METHODS = [(msd.Distribution, name) for name in (*cases.METHODS, "get_dist_args")]
METHODS += [(msb.Bijector, name) for name in cases.MAPPINGS]


@pytest.mark.parametrize("owner, name", METHODS, ids=lambda value: getattr(value, "__name__", value))
def test_docstring_of_a_method(owner, name):
    text = getattr(owner, name).__doc__
    assert (
        f"Source: {owner.__module__.replace('msgrad', 'mindspore').rpartition('.')[0]}.{owner.__name__}.{name}" in text
    )
    assert not complaints(name, text)


def _wrong(base, decorator, body):
    def __init__(self, loc, scale, seed=None, dtype=ms.float32, name="Wrong"):
        pass

    type("Wrong", (base,), {"__init__": __init__, body.__name__: decorator(body)})


def test_a_formula_of_other_names_than_the_parameters_is_an_error_of_the_class():
    from msgrad.nn.probability.bijector.bijector import mapping
    from msgrad.nn.probability.distribution._formula import formula

    def _mean(self, scale, loc):
        return loc

    def _log_prob(self, value, loc, sclae):
        return value

    def _cdf(self, loc, scale):
        return loc

    def _kl_loss(self, loc_b, loc, scale):
        return loc

    def _log_prop(self, value, loc, scale):
        return value

    def _forward(self, value, sclae):
        return value

    def _froward(self, value, scale):
        return value

    for body, text in (
        (_mean, "Wrong._mean(scale, loc) must be a formula of (loc, scale)."),
        (_log_prob, "Wrong._log_prob(value, loc, sclae) must be a formula of (value, loc, scale)."),
        (_cdf, "Wrong._cdf(loc, scale) must be a formula of (value, loc, scale)."),
        (_kl_loss, "Wrong._kl_loss(loc_b, loc, scale) must be a formula of (loc_b, scale_b, loc, scale) or (loc_b, "),
        (_log_prop, "Wrong._log_prop(value, loc, scale) is not a formula that a method uses: there are _mean, "),
    ):
        with pytest.raises(NameError, match=f"^{re.escape(text)}"):
            _wrong(msd.Distribution, formula, body)
    for body, text in (
        (_forward, "Wrong._forward(value, sclae): Wrong(loc, scale, seed, dtype, name) has no parameter sclae."),
        (_froward, "Wrong._froward(value, scale) is not a formula that a method uses: there are forward, "),
    ):
        with pytest.raises(NameError, match=f"^{re.escape(text)}"):
            _wrong(msb.Bijector, mapping, body)


def test_inner_names_of_mindspore():
    from msgrad._compat.nn import distributions as names

    assert names.cast_to_tensor([1, 2]).dtype is ms.float32
    assert names.set_param_type({"a": np.zeros(2), "b": None}, ms.float16) is ms.float32
    assert names.exp_generic(Tensor([0])).tolist() == names.broadcast_to(Tensor([1.0]), Tensor([3.0])).tolist() == [1.0]
    assert names.log_generic(Tensor([1.0])).tolist() == [0.0]
    assert names.CheckTensor()(None, "x") is None and names.CheckTuple()((), "shape") == ()
    for call in (
        lambda: names.check_greater_equal_zero(Tensor([-1.0]), "p"),
        lambda: names.check_greater_zero(None, "p"),
        lambda: names.check_prob(Tensor([1.0])),
        lambda: names.check_greater(Tensor([1.0]), Tensor([1.0]), "low", "high"),
        lambda: names.cast_to_tensor(None),
    ):
        with pytest.raises(ValueError, match="^For '"):
            call()
    for call in (lambda: names.CheckTuple()([], "shape"), lambda: names.CheckTensor()(1, "x")):
        with pytest.raises(TypeError, match="^For 'Check"):
            call()
