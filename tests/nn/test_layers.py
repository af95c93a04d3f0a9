"""Dense, losses, normalisation, dropout. Figures are MindSpore 2.10's."""

import math

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from tests.helpers import assert_close

A = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
B = np.ones((2, 2), np.float32)


def close(actual, expected):
    assert_close(actual.asnumpy(), np.array(expected, np.float32))


def test_dense(mode):
    layer = nn.Dense(2, 2, weight_init=Tensor([[1.0, 2.0], [3.0, 4.0]]), bias_init="ones", activation="relu")
    close(layer(Tensor([[1.0, 1.0], [-9.0, 1.0]])), [[4, 8], [0, 0]])
    close(layer(Tensor([1.0, 1.0])), [4, 8])
    assert layer(ops.ones((4, 5, 2))).shape == (4, 5, 2)
    assert layer.weight.name == "weight"


def test_dense_default_initial_values():
    layer = nn.Dense(10000, 4)
    for values in (layer.weight.asnumpy(), nn.Dense(10000, 4000).bias.asnumpy()):
        assert 0.0099 < np.abs(values).max() <= 0.01
        assert values.std() == pytest.approx(0.01 / math.sqrt(3), rel=0.05)
    assert nn.Dense(2, 2, dtype=ms.float16).weight.dtype == ms.float16


def test_dense_text():
    assert str(nn.Dense(2, 3)) == "Dense(input_channels=2, output_channels=3, has_bias=True)"
    assert str(nn.Dense(2, 3, has_bias=False, activation="relu")) == (
        "Dense(\n  input_channels=2, output_channels=3, activation=ReLU()\n  (activation): ReLU()\n)"
    )
    assert str(nn.Dense(2, 2, activation=ops.ReLU())) == (
        "Dense(input_channels=2, output_channels=2, has_bias=True, activation=Prim[ReLU])"
    )


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (
            (0, 2),
            {},
            ValueError,
            "For 'Dense', the 'in_channels' must be a positive int, but got 0 (int).",
        ),
        ((2.0, 2), {}, TypeError, "For 'Dense', the 'in_channels' must be an int, but got 2.0 (float)."),
        ((2, -1), {}, ValueError, "For 'Dense', the 'out_channels' must be a positive int, but got -1 (int)."),
        ((2, 2), {"has_bias": 1}, TypeError, "For 'Dense', the 'has_bias' must be a bool, but got 1 (int)."),
        (
            (2, 2),
            {"weight_init": Tensor([[1.0]])},
            ValueError,
            "For 'Dense', the 'weight_init' must be of shape (2, 2), but got a Tensor of shape (1, 1)",
        ),
        (
            (2, 2),
            {"bias_init": Tensor([1.0])},
            ValueError,
            "For 'Dense', the 'bias_init' must be of shape (2,), but got a Tensor of shape (1,)",
        ),
        (
            (2, 2),
            {"activation": 3},
            TypeError,
            "For 'Dense', the 'activation' must be a str, a Cell or a Primitive, but got 3",
        ),
        ((2, 2), {"activation": "nope"}, KeyError, "\"The 'name' must be in ['softmin', 'softmax',"),
        (
            (2, 2),
            {"weight_init": "nope"},
            ValueError,
            "For 'initializer', the 'init' must be the name of an Initializer, such as 'zeros' or",
        ),
    ],
)
def test_dense_errors(arguments, options, error, message):
    with pytest.raises(error) as caught:
        nn.Dense(*arguments, **options)
    assert str(caught.value).startswith(message)


X = np.array([-2.0, -0.3, 0.0, 0.4, 3.0, 7.0], np.float64)
E = np.exp
ACTIVATIONS = [  # layer, the same in numpy
    (nn.ReLU(), lambda x: np.maximum(x, 0)),
    (nn.ReLU6(), lambda x: np.clip(x, 0, 6)),
    (nn.LeakyReLU(0.1), lambda x: np.where(x > 0, x, 0.1 * x)),
    (nn.PReLU(), lambda x: np.where(x > 0, x, 0.25 * x)),
    (nn.ELU(), lambda x: np.where(x > 0, x, E(x) - 1)),
    (nn.CELU(2.0), lambda x: np.where(x > 0, x, 2 * (E(x / 2) - 1))),
    (nn.SeLU(), lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * (E(x) - 1))),
    (nn.GELU(), lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))),
    (nn.GELU(False), lambda x: 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))),
    (nn.FastGelu(), lambda x: x / (1 + E(-1.702 * np.abs(x))) * E(0.851 * (x - np.abs(x)))),
    (nn.Sigmoid(), lambda x: 1 / (1 + E(-x))),
    (nn.LogSigmoid(), lambda x: -np.log1p(E(-x))),
    (nn.HSigmoid(), lambda x: np.clip((x + 3) / 6, 0, 1)),
    (nn.SiLU(), lambda x: x / (1 + E(-x))),
    (nn.HSwish(), lambda x: x * np.clip((x + 3) / 6, 0, 1)),
    (nn.Mish(), lambda x: x * np.tanh(np.log1p(E(x)))),
    (nn.Tanh(), np.tanh),
    (nn.Tanhshrink(), lambda x: x - np.tanh(x)),
    (nn.Hardtanh(), lambda x: np.clip(x, -1, 1)),
    (nn.Softsign(), lambda x: x / (1 + np.abs(x))),
    (nn.SoftShrink(0.35), lambda x: np.sign(x) * np.maximum(np.abs(x) - 0.35, 0)),
    (nn.HShrink(0.35), lambda x: np.where(np.abs(x) > 0.35, x, 0)),
    (nn.Threshold(0.5, 20.0), lambda x: np.where(x > 0.5, x, 20.0)),
    (nn.Softmax(), lambda x: E(x) / E(x).sum()),
    (nn.Softmin(), lambda x: E(-x) / E(-x).sum()),
    (nn.LogSoftmax(), lambda x: x - np.log(E(x).sum())),
    (nn.GLU(), lambda x: x[:3] / (1 + E(-x[3:]))),
]


@pytest.mark.parametrize(("layer", "reference"), ACTIVATIONS, ids=lambda value: getattr(value, "cls_name", ""))
def test_activation(layer, reference):
    assert_close(layer(Tensor(X, ms.float32)).asnumpy(), reference(X).astype(np.float32), rtol=1e-5, atol=1e-6)


def test_get_activation():
    assert type(nn.get_activation("leakyrelu")) is nn.LeakyReLU
    assert nn.get_activation(None) is None
    with pytest.raises(KeyError, match="For 'Mine', the 'name' must be in .* but got 3"):
        nn.get_activation(3, "Mine")


LOSSES = [  # loss, value
    (nn.MSELoss(), 3.5),
    (nn.MSELoss("sum"), 14.0),
    (nn.MSELoss("none"), [[0, 1], [4, 9]]),
    (nn.L1Loss(), 1.5),
    (nn.L1Loss("none"), [[0, 1], [2, 3]]),
    (nn.MAELoss("sum"), 6.0),
    (nn.RMSELoss(), 1.8708287),
    (nn.SmoothL1Loss(), [[0, 0.5], [1.5, 2.5]]),
    (nn.SmoothL1Loss(2.0), [[0, 0.25], [1.0, 2.0]]),
    (nn.HuberLoss(), 1.125),
    (nn.HuberLoss("sum"), 4.5),
    (nn.SoftmaxCrossEntropyWithLogits(), [1.62652326, 1.62652326]),
]


@pytest.mark.parametrize(("loss", "expected"), LOSSES, ids=lambda value: getattr(value, "cls_name", ""))
def test_loss(loss, expected):
    close(loss(Tensor(A), Tensor(B)), expected)


def test_sparse_cross_entropy(mode):
    labels = Tensor([0, 1], ms.int32)
    close(nn.SoftmaxCrossEntropyWithLogits(sparse=True)(Tensor(A), labels), [1.31326163, 0.313261658])
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    close(loss(Tensor(A), labels), 0.813262)
    gradient = ms.grad(loss)(Tensor(A), labels)
    close(gradient, [[-0.365529, 0.365529], [0.134471, -0.134471]])


ROWS = np.arange(12, dtype=np.float32).reshape(4, 3) / 7
ONE_HOT = np.eye(3, dtype=np.float32)[[0, 1, 2, 0]]


@pytest.mark.parametrize(
    ("sparse", "reduction", "logits", "labels", "error", "message"),
    [
        (True, "mean", ROWS, np.int32([0, -1, 2, 0]), RuntimeError, "the 'labels' must be of classes .* but got -1"),
        (True, "mean", ROWS, np.int32([0, 255, 2, 0]), RuntimeError, "the 'labels' must be of classes .* but got 255"),
        (True, "mean", ROWS, np.int32([0, 1]), ValueError, "'labels' must be of the shape of"),
        (True, "mean", ROWS, np.int32([[0], [1], [2], [0]]), ValueError, "'labels' must be of the shape of"),
        (True, "mean", ROWS[0], np.int32(0), ValueError, "'logits' must be of at least two axes"),
        (
            True,
            "mean",
            ROWS.astype(np.float64),
            np.int32([0, 1, 2, 0]),
            TypeError,
            "'logits' must be a Tensor of bfloat16 or",
        ),
        (True, "mean", ROWS, np.uint8([0, 1, 2, 0]), TypeError, "'labels' must be a Tensor of int32 or int64"),
        (True, "sum", ROWS, np.int32([0, 1]), ValueError, "'labels' must be of the shape of 'logits'"),
        (
            True,
            "none",
            ROWS,
            np.uint8([0, 1, 2, 0]),
            TypeError,
            "For 'OneHot', the 'indices' must be a Tensor of int32 or int64",
        ),
        (
            True,
            "none",
            ROWS.astype(np.float16),
            np.int32([0, 1, 2, 0]),
            TypeError,
            "'labels' must be of the dtype of 'logits'",
        ),
        (False, "mean", ROWS, np.int32([0, 1, 2, 0]), TypeError, "'labels' must be of the dtype of 'logits'"),
        (False, "mean", ROWS, ONE_HOT.astype(np.float64), TypeError, "'labels' must be of the dtype of 'logits'"),
        (False, "none", ROWS, ONE_HOT[:1], ValueError, "'labels' must be of the shape of 'logits'"),
        (False, "none", ROWS[0], ONE_HOT[0], ValueError, "'labels' must be of the shape of 'logits', .N, C."),
    ],
)
def test_cross_entropy_refuses(sparse, reduction, logits, labels, error, message):
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=sparse, reduction=reduction)
    with pytest.raises(error, match=message):
        loss(Tensor(logits), Tensor(labels))


def test_prelu_refuses_a_weight_of_another_type():
    message = r"^For 'PReLU', the 'w' must be a float, a list or a Tensor, but got 'x' \(str\)"
    with pytest.raises(TypeError, match=message):
        nn.PReLU(w="x")


def test_cross_entropy_of_classes_out_of_range(mode):
    labels = Tensor([0, -1, 2, 255], ms.int32)  # MindSpore's losses
    close(nn.SoftmaxCrossEntropyWithLogits(sparse=True)(Tensor(ROWS), labels), [1.2482606, 0, 0.9625463, 0])


def test_own_loss():
    class Own(nn.LossBase):
        def construct(self, x, y, weights=1.0):
            return self.get_loss(ops.abs(x - y), weights)

    a, b = Tensor(A), Tensor(B)
    close(Own()(a, b), 1.5)
    close(Own("sum")(a, b, 2.0), 12.0)
    close(Own("none")(a, b, Tensor([2.0, 1.0])), [[0, 1], [4, 3]])
    assert Own()(a.astype(ms.float16), b.astype(ms.float16)).dtype == ms.float16
    assert Own()(Tensor([1, 2]), Tensor([3, 5])).asnumpy().tolist() == 2
    assert Own().get_axis(a) == (0, 1)
    assert [(Own(r).average, Own(r).reduce) for r in ("mean", "sum", "none")] == [
        (True, True),
        (False, True),
        (True, False),
    ]


def test_loss_errors():
    with pytest.raises(ValueError, match="^For 'MSELoss', the 'reduction' must be one of .'none', 'mean', 'sum'., but"):
        nn.MSELoss("x")
    with pytest.raises(TypeError, match="^For 'MSELoss', the 'labels' must be"):
        nn.MSELoss()(Tensor(A), 3)


def test_batch_norm_uses_and_moves_its_statistics(mode):
    layer = nn.BatchNorm1d(2)
    x = Tensor([[1.0, 2.0], [3.0, 6.0]])
    close(layer(x), [[0.999995, 1.99999], [2.999985, 5.99997]])
    layer.set_train()
    close(layer(x), [[-0.999995, -0.9999988], [0.999995, 0.9999988]])
    close(layer.moving_mean, [0.2, 0.4])
    close(layer.moving_variance, [1.1, 1.7])
    layer(x)
    close(layer.moving_mean, [0.38, 0.76])
    close(layer.moving_variance, [1.19, 2.33])


def test_batch_norm_statistics_by_argument():
    x = np.arange(16, dtype=np.float32).reshape(2, 2, 2, 2)
    always = nn.BatchNorm2d(2, use_batch_statistics=True)
    close(always(Tensor(x))[0, 0], [[-1.324244, -1.0834724], [-0.8427007, -0.60192907]])
    close(always.moving_variance, [2.8714287, 2.8714287])
    never = nn.BatchNorm2d(2, use_batch_statistics=False).set_train()
    close(never(Tensor(x))[0, 0], [[0, 0.999995], [1.99999, 2.999985]])


def test_batch_norm_channels_last():
    x = np.random.default_rng(0).normal(size=(2, 3, 4, 5)).astype(np.float32)
    first = nn.BatchNorm2d(3).set_train()(Tensor(x)).asnumpy()
    last = nn.BatchNorm2d(3, data_format="NHWC").set_train()(Tensor(x.transpose(0, 2, 3, 1))).asnumpy()
    assert_close(last.transpose(0, 3, 1, 2), first)


def test_batch_norm_parameters():
    layer = nn.BatchNorm1d(2, affine=False)
    assert [(p.name, p.requires_grad) for p in layer.get_parameters()] == [
        ("mean", False),
        ("variance", False),
        ("gamma", False),
        ("beta", False),
    ]
    assert str(layer).startswith("BatchNorm1d(num_features=2, eps=1e-05, momentum=0.9, gamma=Parameter (name=gamma, ")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: nn.BatchNorm1d(0),
            ValueError,
            "For 'BatchNorm1d', the 'num_features' must be a positive int, but got 0",
        ),
        (lambda: nn.BatchNorm1d(2.0), TypeError, "For 'BatchNorm1d', the 'num_features' must be an int, but got 2.0"),
        (lambda: nn.BatchNorm1d(2, momentum=2.0), ValueError, "For 'BatchNorm1d', the 'momentum' must be in the range"),
        (lambda: nn.BatchNorm2d(2, momentum="a"), TypeError, "For 'BatchNorm2d', the 'momentum' must be"),
        (lambda: nn.BatchNorm2d(2, data_format="x"), ValueError, "For 'BatchNorm2d', the 'data_format' must be one of"),
        (lambda: nn.BatchNorm2d(2)(Tensor(A)), ValueError, "For 'BatchNorm2d', the 'x' must be of 4 axes"),
        (lambda: nn.BatchNorm1d(3)(Tensor(A)), ValueError, "For 'BatchNorm', the 'scale' must be of shape (2,)"),
        (lambda: nn.LayerNorm(2), TypeError, "For 'LayerNorm', the 'normalized_shape' must be a tuple or list of ints"),
        (
            lambda: nn.LayerNorm([]),
            ValueError,
            "For 'LayerNorm', the 'normalized_shape' must be of at least one length",
        ),
        (lambda: nn.LayerNorm([3])(Tensor(A)), ValueError, "For 'LayerNorm', the 'gamma' must be of the shape"),
        (lambda: nn.Dropout(p=1.0), ValueError, "For 'Dropout', the 'p' must be in the range [0, 1), but got 1.0"),
        (
            lambda: nn.Dropout(2.0),
            ValueError,
            "For 'Dropout', the 'keep_prob' must be in the range (0, 1], but got 2.0",
        ),
        (lambda: nn.Dropout(1), TypeError, "For 'Dropout', the 'keep_prob' must be a float, but got 1 (int)"),
        (lambda: nn.Dropout(p="a"), TypeError, "For 'Dropout', the 'p' must be"),
    ],
)
def test_argument_errors(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value).startswith(message)


def test_layer_norm():
    close(nn.LayerNorm([2])(Tensor([[1.0, 2.0], [3.0, 6.0]])), [[-0.9999999, 0.9999999], [-1.0, 1.0]])
    layer = nn.LayerNorm((2, 2), 1, 1)
    one = [[-1.3416407, -0.4472136], [0.4472136, 1.3416407]]
    close(layer(Tensor(np.arange(8, dtype=np.float32).reshape(2, 2, 2))), [one, one])


def test_dropout(mode):
    layer = nn.Dropout(p=0.25)
    x = ops.ones((10000,))
    assert layer(x).asnumpy().tolist() == x.asnumpy().tolist()
    layer.set_train()
    first, second = layer(x).asnumpy(), layer(x).asnumpy()
    assert set(np.unique(first)) == {np.float32(0), np.float32(1 / 0.75)}
    assert 0.23 < (first == 0).mean() < 0.27
    assert (first != second).any()
    seeded = []
    for _ in range(2):  # new layers: in GRAPH_MODE, one that has been compiled keeps its seeds, as in MindSpore
        ms.set_seed(3)
        seeded.append(nn.Dropout(p=0.25).set_train()(x).asnumpy())
    assert (seeded[0] == seeded[1]).all()


def test_dropout_text():
    assert [str(layer) for layer in (nn.Dropout(p=0.3), nn.Dropout(), nn.Dropout(0.9, p=0.3))] == [
        "Dropout(p=0.3)",
        "Dropout(keep_prob=0.5)",
        "Dropout(p=0.3)",
    ]


def test_dropout_masks_its_gradient_as_its_value():
    layer = nn.Dropout(p=0.5).set_train()
    weight = Parameter(ops.ones((100,)), name="w")

    value, gradient = ms.value_and_grad(lambda: layer(weight), None, weight)()
    assert (value.asnumpy() == gradient.asnumpy()).all()


def test_flatten():
    x = ops.ones((2, 3, 4))
    assert nn.Flatten()(x).shape == (2, 12)
    assert nn.Flatten(0, 1)(x).shape == (6, 4)
