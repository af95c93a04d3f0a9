"""Arrays are matched with Parameters by rules; what is ambiguous is not; both ways give the other library's outputs."""

import pathlib

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, weights

from . import networks

GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "weights"
NETWORKS = [
    ("Images", "images"),
    ("OtherImages", "images"),
    ("Text", "text"),
    ("Wrapped", "text"),
    ("Others", "others"),
]


@pytest.mark.parametrize(("name", "file"), NETWORKS)
def test_outputs_are_those_of_torch_and_files_come_back(name, file, tmp_path):
    net = getattr(networks, name)()
    report = weights.load(net, str(GOLDEN / f"{file}.pth"))
    expected = np.load(GOLDEN / f"{file}.npz")
    assert report.ok and len(report.matched) == len(list(net.get_parameters()))
    np.testing.assert_allclose(networks.output(net, expected["x"]), expected["y"], rtol=1e-5, atol=1e-6)
    for ending in ("pth", "safetensors"):
        weights.save(net, str(tmp_path / f"back.{ending}"), like=str(GOLDEN / f"{file}.pth"))
        old, back = weights.read(GOLDEN / f"{file}.pth"), weights.read(tmp_path / f"back.{ending}")
        assert sorted(old) == sorted(back)
        for each in old:
            assert (old[each].shape, old[each].dtype) == (back[each].shape, back[each].dtype)
            assert (old[each] == back[each]).all()


def test_a_trained_network_comes_back(tmp_path):
    """Both ends of a shared array have the new values, and the layers of attention are again one."""
    net = networks.Text()
    file = str(GOLDEN / "text.pth")
    weights.load(net, file)
    for parameter in net.get_parameters():
        parameter.set_data(parameter + 1)
    for ending in ("pth", "safetensors"):
        weights.save(net, str(tmp_path / f"back.{ending}"), like=file)
        old, back = weights.read(file), weights.read(tmp_path / f"back.{ending}")
        assert all([np.allclose((old[each] + 1).asnumpy(), back[each].asnumpy()) for each in old])


def test_a_network_without_a_file_of_torch_gets_its_names(tmp_path):
    net = networks.Others()
    report = weights.save(net, str(tmp_path / "net.pth"))
    written, expected = weights.read(tmp_path / "net.pth"), weights.read(GOLDEN / "others.pth")
    assert {name: value.shape for name, value in written.items()} == {
        name: value.shape for name, value in expected.items() if "num_batches_tracked" not in name
    }
    assert report.ok and weights.load(networks.Others(), str(tmp_path / "net.pth")).ok


def arrays(*names, shape=(2, 2)):
    return {name: np.full(shape, k, np.float32) for k, name in enumerate(names)}


def dense(*names):
    """A Cell with a Dense layer of each name, of the given number of outputs."""
    cell = nn.Cell()
    for name in names:
        name, _, outputs = name.partition(":")
        setattr(cell, name, nn.Dense(2, int(outputs or 2), has_bias=False))
    return cell


def matched(net, source, **options):
    report = weights.load(net, source, strict=False, **options)
    return {pair.parameter: pair.names[0] for pair in report.matched}, report


PREFIXES = [("module.", ""), ("model.", ""), ("module.model.", ""), ("backbone.", ""), ("", "net.")]


@pytest.mark.parametrize(("of_file", "of_net"), PREFIXES)
def test_prefixes(of_file, of_net):
    net = dense("a", "b")
    if of_net:
        net = nn.Cell()
        net.net = dense("a", "b")
    pairs, report = matched(net, arrays(f"{of_file}b.weight", f"{of_file}a.weight"))
    assert pairs == {f"{of_net}{name}.weight": f"{of_file}{name}.weight" for name in "ab"} and report.ok


def test_prefixes_that_fit_equally_are_not_guessed():
    names = [f"{prefix}.{name}.weight" for prefix in ("online", "target") for name in "ab"]
    pairs, report = matched(dense("a", "b"), arrays(*names))
    assert not pairs and "several prefixes fit equally well" in report.notes[0]
    pairs, _ = matched(dense("a", "b"), arrays(*names), rename={"^target.": ""})
    assert pairs == {"a.weight": "target.a.weight".removeprefix("target."), "b.weight": "b.weight"}


def test_a_layer_too_many_is_not_taken_for_the_norm_behind_the_layers():
    net = nn.Cell()
    net.layers = nn.CellList([dense("norm")])
    net.norm = nn.Dense(2, 2, has_bias=False)
    pairs, report = matched(net, arrays("layers.0.norm.weight", "layers.1.norm.weight", "layers.1.other.weight"))
    assert pairs == {"layers.0.norm.weight": "layers.0.norm.weight"} and report.missing == ["norm.weight"]


ORDERS = {  # layers of the network, of the file, and the pairs; the shapes are (outputs, 2)
    "one by one": ("a b c", "x y z", "a=x b=y c=z"),
    "between equal names": ("a b:3 c", "a y:3 c", "a=a b:3=y:3 c=c"),
    "names in another order": ("a b c d", "b a x y", "a=a b=b"),
    "namesakes in another order": ("q k v", "q v x", "q=q v=v k=x"),
    "another length": ("a b", "x y z", ""),
    "another length, one place": ("a:3 b:5", "x:3 y:5 z", "a:3=x:3 b:5=y:5"),
    "another last shape": ("a b c:3", "x y z:5", "a=x b=y"),
    "shapes that occur once": ("a:3 b:4", "x:4 y:3", "a:3=y:3 b:4=x:4"),
}


@pytest.mark.parametrize("name", ORDERS)
def test_layers_in_order(name):
    ours, theirs, expected = ORDERS[name]
    source = {}
    for k, each in enumerate(theirs.split()):
        layer, _, outputs = each.partition(":")
        source[f"{layer}.weight"] = np.full((int(outputs or 2), 2), k, np.float32)
    pairs, report = matched(dense(*ours.split()), source)
    wanted = [each.split("=") for each in expected.split()]
    assert pairs == {f"{a.split(':')[0]}.weight": f"{b.split(':')[0]}.weight" for a, b in wanted}


def test_the_order_is_not_used_against_names_nor_for_sorted_files(tmp_path):
    _, report = matched(dense("a", "b", "c", "d"), arrays("b.weight", "a.weight", "x.weight", "y.weight"))
    assert "in another order in the file" in report.notes[0]
    net = dense("p", "q", "r")
    _, report = matched(net, arrays("q.weight", "p.weight", "x.weight"))
    ms.save_checkpoint({f"{name}.weight": Tensor(np.ones((2, 2), np.float32)) for name in "xyz"},
                       str(tmp_path / "a.safetensors"), format="safetensors")  # fmt: skip
    pairs, report = matched(net, str(tmp_path / "a.safetensors"))
    assert not pairs and "sorts its arrays by name" in report.notes[0]


def test_parameters_beside_layers_are_matched_in_order_if_all_fit():
    net = nn.Cell()
    net.fc = nn.Dense(2, 2, has_bias=False)
    net.token, net.scale = [Parameter(Tensor(np.zeros(shape, np.float32))) for shape in ((1, 2), (2,))]
    source = arrays("table", shape=(1, 2)) | arrays("layer.factor", shape=(2, 1)) | arrays("layer.proj.weight")
    pairs, report = matched(net, source)
    assert report.ok and pairs == {"fc.weight": "layer.proj.weight", "token": "table", "scale": "layer.factor"}
    pairs, _ = matched(net, arrays("table", shape=(2,)) | arrays("other", shape=(1, 3)) | arrays("layer.proj.weight"))
    assert pairs == {"fc.weight": "layer.proj.weight"}


def test_layers_whose_names_say_another_order_are_not_matched_by_order():
    net = nn.Cell()
    net.body = dense("key", "query", "other")
    pairs, report = matched(net, arrays("x.query.weight", "x.key.weight", "x.more.weight"))
    assert not pairs and "the order of layers suggests" in report.notes[0]


def test_layers_whose_shapes_occur_once_are_found_in_sorted_files():
    net = nn.Cell()
    net.fc, net.norm, net.place = nn.Dense(2, 3), nn.BatchNorm2d(2), Parameter(Tensor(np.zeros((1, 5, 2), np.float32)))
    source = {"x.weight": (3, 2), "x.bias": (3,), "y.weight": (2,), "y.bias": (2,), "y.running_mean": (2,)}
    source |= {"y.running_var": (2,), "positions": (1, 5, 2)}
    source = {name: np.ones(shape, np.float32) for name, shape in source.items()}
    pairs, report = matched(net, source | {"y.num_batches_tracked": np.array(1)})
    assert report.ok and pairs["place"] == "positions" and pairs["norm.gamma"] == "y.weight"


def test_attention_in_three_layers_fits_one_and_back():
    fused = nn.Cell()
    fused.qkv = nn.Dense(2, 6)
    names = [f"{name}.{leaf}" for name in ("q_proj", "k_proj", "v_proj") for leaf in ("weight", "bias")]
    source = {name: np.full((2, 2) if "weight" in name else 2, k, np.float32) for k, name in enumerate(names)}
    report = weights.load(fused, source)
    assert report.matched[0].names == ("q_proj.weight", "k_proj.weight", "v_proj.weight")
    assert fused.qkv.weight.asnumpy()[:, 0].tolist() == [0, 0, 2, 2, 4, 4]
    assert fused.qkv.bias.tolist() == [1, 1, 3, 3, 5, 5]


def test_a_square_matrix_among_both_kinds_is_not_guessed():
    net = dense("a:3", "b:5", "c")
    source = {"a.weight": np.ones((2, 3)), "b.weight": np.ones((5, 2)), "c.weight": np.ones((2, 2))}
    pairs, report = matched(net, source)
    assert set(pairs) == {"a.weight", "b.weight"} and "c.weight is square" in report.notes[0]


def test_an_embedding_is_never_transposed():
    net = nn.Cell()
    net.table, net.a = nn.Embedding(3, 3), nn.Dense(2, 3, has_bias=False)
    table = np.arange(9, dtype=np.float32).reshape(3, 3)
    weights.load(net, {"table.weight": table, "a.weight": np.ones((2, 3), np.float32)})
    assert (net.table.embedding_table.asnumpy() == table).all()


def test_dtypes_are_cast_within_their_kind():
    net = nn.Cell()
    net.half, net.count = Parameter(Tensor([0.0], ms.float16)), Parameter(Tensor([0], ms.int32))
    weights.load(net, {"half": np.array([1.5]), "count": np.array([3], np.int64)})
    assert (net.half.dtype, net.half.tolist(), net.count.dtype, net.count.tolist()) == (
        ms.float16,
        [1.5],
        ms.int32,
        [3],
    )
    _, report = matched(net, {"half": np.array([1]), "count": np.array([3])})
    assert not report.ok and "half" in str(report)


def test_strict_writes_nothing_and_says_all():
    net = networks.Images(classes=7)
    before = {name: value.asnumpy().copy() for name, value in net.parameters_dict().items()}
    source = weights.read(GOLDEN / "images.pth")
    source["extra.weight"] = Tensor(np.ones((5, 9), np.float32))
    del source["stem.bias"]
    with pytest.raises(ValueError) as caught:
        weights.load(net, source)
    text = str(caught.value)
    for line in (
        "Images: 21 of 24 Parameters matched in the dict",
        "1  missing in the file: stem.bias",
        "1  unexpected in the file: extra.weight",
        "2  other shapes: fc.weight (7, 3), in the file (4, 3), fc.bias (7,), in the file (4,)",
        "4  ignored, counter of BatchNorm: layer1.0.bn1.num_batches_tracked and 3 more",
    ):
        assert line in text
    assert all((value.asnumpy() == before[name]).all() for name, value in net.parameters_dict().items())
    with pytest.raises(ValueError, match="do not match, so nothing was written"):
        weights.save(net, "never.pth", like=str(GOLDEN / "images.pth"))


def test_wrong_arguments(tmp_path):
    net = nn.Dense(2, 2)
    path = str(tmp_path / "a.pth")
    weights.save(net, path)
    for call, error, text in [
        (lambda: weights.load(3, path), TypeError, "'net' must be a Cell"),
        (lambda: weights.load(net, 3), TypeError, "'source' must be"),
        (lambda: weights.load(net, path, rename=3), TypeError, "'rename' must be a dict of regular expressions"),
        (lambda: weights.load(net, path, rename={"(": ""}), ValueError, "regular expressions"),
        (lambda: weights.load(net, path, rename=lambda name: "a"), ValueError, "'a' twice"),
        (lambda: weights.save(net, "a.ckpt"), ValueError, "ends with .pth, .pt, .bin or .safetensors"),
        (lambda: weights.save(3, path), TypeError, "'net' must be a Cell"),
    ]:
        with pytest.raises(error, match=text):
            call()
