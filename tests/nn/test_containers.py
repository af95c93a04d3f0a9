"""SequentialCell, CellList, CellDict. Expected values are MindSpore 2.10's."""

from collections import OrderedDict

import pytest

from msgrad import Parameter, Tensor, nn


class Sub(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0]), name="w")

    def construct(self, x):
        return x * self.w


def names(cell):
    return [p.name for p in cell.get_parameters()]


def test_sequential_applies_in_order():
    x = Tensor([-1.0])
    assert nn.SequentialCell(nn.ReLU(), Sub())(x).asnumpy().tolist() == [0.0]
    assert nn.SequentialCell([Sub(), nn.ReLU()])(Tensor([3.0])).asnumpy().tolist() == [6.0]
    assert nn.SequentialCell()(x) is x


def test_sequential_names():
    assert names(nn.SequentialCell([Sub(), Sub()])) == ["0.w", "1.w"]
    assert names(nn.SequentialCell(OrderedDict([("one", Sub()), ("two", Sub())]))) == ["one.w", "two.w"]
    cells = nn.SequentialCell(Sub(), Sub())
    cells.append(Sub())
    del cells[0]
    assert names(cells) == ["0.w", "1.w"]
    assert list(cells[1:]._cells) == ["1"]
    assert type(cells[1:]) is nn.SequentialCell


def test_deleting_keeps_given_keys():
    cells = nn.SequentialCell(OrderedDict([("one", Sub()), ("two", Sub()), ("three", Sub())]))
    del cells[0]
    cells.append(Sub())
    assert names(cells) == ["two.w", "three.w", "2.w"]


def test_list_names_follow_the_places():
    cells = nn.CellList([Sub(), Sub()])
    cells.append(Sub())
    cells.insert(0, Sub())
    assert names(cells) == ["0.w", "1.w", "2.w", "3.w"]
    del cells[1]
    cells += [Sub()]
    cells[0] = Sub()
    assert names(cells) == ["0.w", "1.w", "2.w", "3.w"]
    del cells[0:3]
    assert names(cells) == ["0.w"]
    assert type(cells[0:1]) is nn.CellList


def test_containers_in_a_network_keep_its_prefix():
    net = nn.Cell()
    net.l = nn.CellList([Sub()])
    net.d = nn.CellDict({"a": Sub()})
    net.l.append(Sub())
    net.d["b"] = Sub()
    assert names(net) == ["l.0.w", "l.1.w", "d.a.w", "d.b.w"]


def test_what_is_appended_inside_another_container_is_named_as_in_mindspore():
    stages = nn.CellList()
    for _ in range(2):
        stage = nn.SequentialCell()
        for _ in range(2):
            stage.append(nn.SequentialCell(nn.Dense(1, 1), nn.Dense(1, 1)))
        stages.append(stage)
    assert [parameter.name for parameter in stages.get_parameters()][::2] == [
        "0.0.0.weight", "0.0.1.weight", "0.1.0.weight", "0.1.1.weight",
        "0.0.1.0.0.weight", "0.0.1.0.1.weight", "0.0.1.1.0.weight", "0.0.1.1.1.weight",
    ]  # fmt: skip


def test_list_without_prefix():
    cells = nn.CellList([Sub(), Sub()], auto_prefix=False)
    cells.insert(0, Sub())
    assert names(cells) == ["w", "w", "w"]


def test_sizes_and_truth():
    assert (bool(nn.SequentialCell()), bool(nn.CellList()), len(nn.CellDict())) == (False, False, 0)
    assert [len(nn.SequentialCell(Sub())), len(nn.CellList([Sub(), Sub()]))] == [1, 2]
    shared = Sub()
    assert [path for path, _ in nn.CellList([shared, shared]).cells_and_names()] == ["", "0"]


def test_set_grad_reaches_the_members():
    cells = nn.SequentialCell(Sub())
    assert cells.set_grad() is None
    assert (cells.requires_grad, cells[0].requires_grad) == (True, True)


def test_dict():
    cells = nn.CellDict({"b": Sub(), "a": Sub()})
    cells.update([("x", Sub())])
    cells.update(nn.CellDict({"y": Sub()}))
    assert list(cells) == list(cells.keys()) == ["b", "a", "x", "y"]
    assert names(cells) == ["b.w", "a.w", "x.w", "y.w"]
    member = cells["a"]
    assert cells.pop("a") is member
    assert "a" not in cells
    del cells["x"]
    assert [key for key, _ in cells.items()] == ["b", "y"]
    cells.clear()
    assert len(cells.values()) == 0


ERRORS = [
    (lambda: nn.SequentialCell(Sub())[5], IndexError, "'SequentialCell', the 'index' must be in the range [-1, 1)"),
    (lambda: nn.SequentialCell(Sub())["a"], TypeError, "For 'SequentialCell', the 'index' must be int, but got 'a'"),
    (lambda: nn.SequentialCell(3), TypeError, "For 'SequentialCell', the 'args[0]' must be a Cell, a list or an"),
    (
        lambda: nn.SequentialCell([1]),
        TypeError,
        "For 'insert_child_to_cell', the 'child_cell' must be a Cell or None",
    ),
    (
        lambda: nn.SequentialCell(Sub()).append(3),
        TypeError,
        "For 'SequentialCell', the 'cell' must be a Cell, but got 3",
    ),
    (lambda: nn.CellList([3]), TypeError, "For 'CellList', the 'cell' must be a Cell, but got 3 (int)"),
    (lambda: nn.CellList(Sub()), TypeError, "For 'CellList', the 'cells' must be a list of Cells, but got Sub()"),
    (
        lambda: nn.CellList([Sub()])[3],
        IndexError,
        "For 'CellList', the 'index' must be in the range [-1, 1), but got 3",
    ),
    (
        lambda: nn.CellList([Sub()])["a"],
        TypeError,
        "For 'CellList', the 'index' must be int or slice, but got 'a' (str)",
    ),
    (lambda: nn.CellList([Sub()]).insert(5, Sub()), IndexError, "'CellList', the 'index' must be in the range [-1, 1]"),
    (
        lambda: nn.CellDict({"a": 3}),
        TypeError,
        "For 'CellDict', the 'cell' must be a Cell other than a CellDict, CellL",
    ),
    (lambda: nn.CellDict({"a": None}), TypeError, "or SequentialCell, but got None (NoneType)"),
    (lambda: nn.CellDict({"a": nn.CellDict()}), TypeError, "a Cell other than a CellDict, CellList or SequentialCell"),
    (lambda: nn.CellDict({"a": nn.CellList()}), TypeError, "a Cell other than a CellDict, CellList or SequentialCell"),
    (
        lambda: nn.CellDict().update({"a": nn.SequentialCell()}),
        TypeError,
        "For 'CellDict', the 'cell' must be a Cell o",
    ),
    (
        lambda: nn.CellList([nn.CellDict()]),
        TypeError,
        "For 'CellList', the 'cell' must be a Cell other than a CellDict",
    ),
    (lambda: nn.CellList().extend([nn.CellDict()]), TypeError, "For 'CellList', the 'cell' must be a Cell other than"),
    (lambda: nn.CellDict({3: Sub()}), TypeError, "For 'CellDict', the 'key' must be a str, but got 3 (int)"),
    (lambda: nn.CellDict()["z"], KeyError, "'z'"),
    (
        lambda: nn.CellDict({"keys": Sub()}),
        KeyError,
        "For 'CellDict', the 'key' must be a name unused by Cell, but got",
    ),
    (
        lambda: nn.CellDict(3),
        TypeError,
        "For 'CellDict.update', the 'cells' must be an iterable of pairs of a",
    ),
    (lambda: nn.CellDict([3]), TypeError, "For 'CellDict.update', the 'cells[0]' must be a pair of a key and a Cell"),
    (lambda: nn.CellDict([("a", Sub(), 1)]), ValueError, "the 'cells[0]' must be a pair of a key and a Cell"),
]


@pytest.mark.parametrize(("call", "error", "message"), ERRORS)
def test_errors(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert message in str(caught.value)


def test_a_cell_dict_can_be_appended_inserted_and_set_as_in_mindspore():
    cells = nn.CellList([Sub(), Sub()])
    cells.append(nn.CellDict({"a": Sub()}))
    cells.insert(0, nn.CellDict())
    cells[1] = nn.CellDict()
    assert [type(cell).__name__ for cell in cells] == ["CellDict", "CellDict", "Sub", "CellDict"]
    assert type(nn.SequentialCell(nn.CellDict())[0]) is nn.CellDict


@pytest.mark.parametrize("container", [nn.CellList([Sub()]), nn.CellDict({"a": Sub()})])
def test_lists_and_dicts_cannot_be_called(container):
    with pytest.raises(NotImplementedError):
        container(Tensor([1.0]))


def block():
    inner = nn.Cell()
    inner.layer = nn.CellList([nn.Dense(1, 1, has_bias=False), nn.Dense(1, 1, has_bias=False)])
    return inner


def test_lists_of_lists_name_parameters_as_in_mindspore():
    def names(cells):
        return " ".join(each.name.removesuffix(".weight") for each in cells.get_parameters())

    cells = nn.CellList([block(), block()])
    assert names(cells) == "0.layer.0 0.layer.1 1.layer.0 1.layer.1"
    assert names(cells.extend([block()])) == "0.layer.0 0.layer.1 1.layer.0 1.layer.1 2.layer.0 2.layer.1"
    cells = nn.CellList([block()])
    cells.append(block())
    assert names(cells) == "0.layer.0 0.layer.1 0.layer.1.layer.0 0.layer.1.layer.1"


class Summed(nn.SequentialCell):
    def construct(self, x):
        return sum(cell(x) for cell in self.cell_list)


def test_cell_list_of_a_sequence_follows_it_and_may_be_replaced():
    net = Summed(nn.ReLU(), nn.Tanh())
    assert net.cell_list == tuple(net) and net(Tensor(1.0)).item() > 1.7
    net.append(nn.ReLU())
    assert len(net.cell_list) == 3 and net(Tensor(1.0)).item() > 2.7
    net.cell_list = [net[0]]
    assert net(Tensor(1.0)).item() == 1.0
