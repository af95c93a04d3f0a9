"""Buffers and state dicts. Expected values are MindSpore 2.10's."""

import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn


class Sub(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0]), name="w")


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Sub()
        self.b = self.a
        self.register_buffer("k", Tensor([1.0]))
        self.register_buffer("scratch", Tensor([0.0]), persistent=False)


def test_buffers_are_attributes_and_no_parameters():
    net = Net()
    assert net.k.asnumpy().tolist() == [1.0]
    assert [name for name, _ in net.named_buffers()] == ["k", "scratch"]
    assert len(list(net.buffers())) == 2
    assert list(net.parameters_dict()) == ["b.w"]
    assert net.get_buffer("k") is net.k
    outer = nn.SequentialCell(net)
    assert [name for name, _ in outer.named_buffers()] == ["0.k", "0.scratch"]
    assert outer.get_buffer("0.k") is net.k
    assert outer.get_sub_cell("0.a") is net.a


@pytest.mark.parametrize(
    ("name", "value", "error", "message"),
    [
        (
            "a.b",
            Tensor([1.0]),
            KeyError,
            "For 'register_buffer', the 'name' must be a name without a dot, and not empty",
        ),
        (
            "",
            Tensor([1.0]),
            KeyError,
            "For 'register_buffer', the 'name' must be a name without a dot, and not empty",
        ),
        (3, Tensor([1.0]), TypeError, "For 'register_buffer', the 'name' must be a str"),
        ("c", 3, TypeError, "For 'register_buffer', the 'tensor' must be a Tensor or None"),
        (
            "construct",
            Tensor([1.0]),
            KeyError,
            "For 'register_buffer', the name 'construct' belongs to another attribute",
        ),
    ],
)
def test_register_buffer_errors(name, value, error, message):
    with pytest.raises(error) as caught:
        nn.Cell().register_buffer(name, value)
    assert message in str(caught.value)


def test_a_buffer_attribute_takes_only_none():
    net = Net()
    with pytest.raises(TypeError, match="For 'Cell', the buffer 'k' can only become another buffer or None"):
        net.k = Tensor([2.0])
    net.k = None
    assert net.k is None
    assert list(net.state_dict()) == ["a.w", "b.w"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda n: n.get_buffer("zz"), "Net has no attribute `zz`"),
        (lambda n: n.get_buffer("construct"), "`construct` is not a buffer"),
        (lambda n: n.get_sub_cell("a.q"), "Sub has no attribute `q`"),
        (lambda n: n.get_sub_cell("training"), "`training` is not an nn.Cell"),
    ],
)
def test_path_errors(call, message):
    with pytest.raises(AttributeError) as caught:
        call(Net())
    assert message in str(caught.value)


def test_state_dict_has_every_path_and_the_objects_themselves():
    net = Net()
    state = net.state_dict()
    assert list(state) == ["k", "a.w", "b.w"]
    assert state["a.w"] is net.a.w
    assert list(net.state_dict(prefix="q.")) == ["q.k", "q.a.w", "q.b.w"]


def test_load_state_dict():
    net = Net()
    result = net.load_state_dict({"k": Tensor([5], ms.int32), "a.w": Tensor([7.0]), "b.w": Tensor([7.0])})
    assert repr(result) == "<All keys matched successfully>"
    assert tuple(result) == ([], [])
    assert net.k.asnumpy().tolist() == [5.0]
    assert net.a.w.asnumpy().tolist() == [7.0]


def test_load_state_dict_lists_everything_that_does_not_fit_and_writes_nothing():
    net = Net()
    with pytest.raises(RuntimeError) as caught:
        net.load_state_dict({"a.w": Tensor([1.0, 2.0]), "k": Tensor([9.0]), "q": Tensor([1.0])})
    assert str(caught.value) == (
        "Error(s) in loading state_dict for Net:\n\ta path that is missing: b.w\n\t"
        "a path of no Parameter here: q\n\t'a.w' must have the shape (1,), but has (2,)"
    )
    assert net.k.asnumpy().tolist() == [1.0]


def test_load_state_dict_not_strict():
    net = Net()
    result = net.load_state_dict({"k": Tensor([9.0]), "q": Tensor([1.0])}, strict=False)
    assert repr(result) == "_IncompatibleKeys(missing_keys=['a.w', 'b.w'], unexpected_keys=['q'])"
    with pytest.raises(TypeError, match="For 'load_state_dict', the 'state_dict' must be a dict"):
        net.load_state_dict(3)


def test_extra_state():
    class Extra(nn.Cell):
        extra = 5

        def get_extra_state(self):
            return self.extra

        def set_extra_state(self, state):
            self.extra = state

    state = Extra().state_dict()
    assert dict(state) == {"_extra_state": 5}
    net = Extra()
    net.extra = 6
    net.load_state_dict(state)
    assert net.extra == 5
