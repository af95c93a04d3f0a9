"""Staged calls (GRAPH_MODE, `@jit`): runs without Python do what Python would have done."""

import collections
import sys
import threading

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops

Pair = collections.namedtuple("Pair", "a b")


def x32(*values):
    return Tensor(list(values), ms.float32)


def test_a_view_follows_what_a_staged_call_writes():
    p = Parameter(x32(1, 2), name="p")

    @ms.jit
    def step():
        ops.assign_add(p, x32(1, 1))

    step()
    view = p.reshape(2, 1)
    step()
    assert p.asnumpy().tolist() == [3.0, 4.0]
    assert view.asnumpy().tolist() == [[3.0], [4.0]]


def test_a_staged_call_that_prints_does_so_each_time(capsys):
    @ms.jit
    def f(x):
        print("in f", x.shape)
        return x * 2

    for value in (1.0, 2.0):
        assert f(Tensor([value])).asnumpy().tolist() == [2 * value]
    assert capsys.readouterr().out == "in f\n(1)\n" * 2


def test_a_staged_call_returns_new_tensors_each_time():
    kept = Tensor([5.0])
    f = ms.jit(lambda x: (Tensor([1.0, 2.0]), kept, x))
    x = Tensor([3.0])
    for result in f(x)[:2]:
        result[0] = 99.0
    assert [each.asnumpy().tolist() for each in f(x)] == [[1.0, 2.0], [5.0], [3.0]]
    assert kept.asnumpy().tolist() == [5.0]


def test_parameters_as_arguments_are_themselves():
    f = ms.jit(lambda p, q: p * 2 + q)
    p, q = Parameter(x32(1, 1), name="p"), Parameter(x32(10, 10), name="q")
    for _ in range(2):
        results = [f(*pair).asnumpy().tolist() for pair in ((p, p), (p, q), (q, p))]
        assert results == [[3.0, 3.0], [12.0, 12.0], [21.0, 21.0]]


def test_parameters_as_arguments_can_be_written_to():
    @ms.jit
    def step(p):
        ops.assign(p, p + 1)
        return p * 1

    p, q = Parameter(x32(1), name="p"), Parameter(x32(10), name="q")
    assert [step(each).asnumpy().item() for each in (p, p, q, p)] == [2.0, 3.0, 11.0, 4.0]
    assert (p.asnumpy().item(), q.asnumpy().item()) == (4.0, 11.0)


def test_attributes_assigned_in_a_call_are_state():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.h, self.count = x32(0, 0), 0

        def construct(self, x):
            self.h = self.h * 0.5 + x
            self.count += 1
            return self.h * x, self.count

    in_graph, net = ms.jit(Net()), Net()
    for call in (in_graph, ms.jit(lambda x: net(x))):
        results = [call(x32(1, 2)) for _ in range(3)]
        assert [h.asnumpy().tolist() for h, _ in results] == [[1.0, 4.0], [1.5, 6.0], [1.75, 7.0]]
        assert [count for _, count in results] == [1, 2, 3]


def test_other_results_are_made_anew():
    class Box:
        def __init__(self, value):
            self.value = value

    pair = ms.jit(lambda x: Pair(x * 2, [x * 3]))
    box = ms.jit(lambda x: Box(x * 4))
    first, second = pair(x32(1)), pair(x32(2))
    assert [each.a.asnumpy().item() for each in (first, second)] == [2.0, 4.0]
    assert [each.b[0].asnumpy().item() for each in (first, second)] == [3.0, 6.0]
    assert type(second) is Pair
    boxes = box(x32(1)), box(x32(2))
    assert [each.value.asnumpy().item() for each in boxes] == [4.0, 8.0]


def test_parameters_leave_a_graph_as_tensors():
    p, q, x = ms.Parameter(x32(1), name="p"), ms.Parameter(x32(2), name="q"), x32(1)

    @ms.jit
    def recorded_each_time(x):
        ops.assign(p, p + x)
        return (p, [q], {"q": q}) if x > 0 else (q, [p], {"q": p})

    @ms.jit
    def staged(x):
        return p, [q], {"q": q}

    for number in (2, 3):
        first, (second,), of_dict = recorded_each_time(x)
        assert [type(each).__name__ for each in (first, second, of_dict["q"])] == ["Tensor"] * 3
        assert [first.item(), second.item()] == [number, 2] == [p.item(), q.item()]
        assert type(staged(x)[0]).__name__ == "Tensor"


def test_threads_leave_standard_output_as_it_was():
    stdout, meet = sys.stdout, threading.Barrier(2, timeout=60)

    @ms.jit
    def f(x):
        meet.wait()
        return x * 2

    threads = [threading.Thread(target=f, args=(x32(*range(n)),)) for n in (2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sys.stdout is stdout


def test_a_tensor_from_outside_can_be_assigned():
    w, kept = Parameter(x32(1, 1), name="w"), x32(9, 9)

    @ms.jit
    def f(x):
        before = x * w
        ops.assign(w, kept)
        return before + x * w

    assert f(x32(1, 2)).asnumpy().tolist() == [10.0, 20.0]
    assert w.asnumpy().tolist() == [9.0, 9.0]
    assert f(x32(1, 2)).asnumpy().tolist() == [18.0, 36.0]
