"""Cell: attributes, names, enumeration, flags, calls, text. Expected values are MindSpore 2.10's."""

import abc
import copy
import inspect
import pickle

import pytest

import msgrad as ms
from msgrad import Parameter, ParameterTuple, Tensor, nn


class Sub(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0]), name="w")

    def construct(self, x):
        return x * self.w


class Shared(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Sub()
        self.b = self.a
        self.c = Sub()
        self.p = self.a.w


class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.x = Shared()
        self.k = Parameter(Tensor([1.0]), name="k")
        self.y = Sub()


def names(cell):
    return [p.name for p in cell.get_parameters()], [path for path, _ in cell.parameters_and_names()]


def test_parameters_are_listed_before_those_of_sub_cells_and_shared_ones_once():
    assert names(Shared()) == (["b.w", "c.w"], ["p", "c.w"])
    assert names(Outer())[1] == ["k", "x.p", "x.c.w", "y.w"]
    assert [path for path, _ in Outer().cells_and_names()] == ["", "x", "x.a", "x.c", "y"]
    assert list(Shared().name_cells()) == ["a", "c"]
    assert len(Shared().cells()) == 2


def test_enumeration_arguments():
    net = Outer()
    net.x.c.w.requires_grad = False
    assert [p.name for p in net.trainable_params()] == ["k", "x.p", "y.w"]
    assert [p.name for p in net.untrainable_params()] == ["x.c.w"]
    assert [p.name for p in net.get_parameters(expand=False)] == ["k"]
    assert [p.name for p in net.trainable_params(recurse=False)] == ["k"]
    assert [path for path, _ in net.parameters_and_names(name_prefix="pre")][:2] == ["pre.k", "pre.x.p"]
    assert list(net.parameters_dict()) == ["k", "x.p", "x.c.w", "y.w"]


def test_update_parameters_name():
    net = Outer()
    net.update_parameters_name("zz.")
    assert names(net) == (["zz.k", "zz.x.p", "zz.x.c.w", "zz.y.w"], ["k", "x.p", "x.c.w", "y.w"])
    with pytest.raises(
        ValueError,
        match="For 'update_parameters_name', the 'prefix' must be made of letters, digits, '_', '.'",
    ):
        net.update_parameters_name("a b")


def test_a_custom_name_lasts_until_the_cell_is_a_sub_cell():
    class Named(nn.Cell):
        def __init__(self):
            super().__init__()
            self.q = Parameter(Tensor([1.0]), name="custom")

    assert names(Named()) == (["custom"], ["q"])
    outer = nn.Cell()
    outer.a = Named()
    assert names(outer) == (["a.q"], ["a.q"])


def test_auto_prefix_false_leaves_names_alone():
    inner = nn.Cell(auto_prefix=False)
    inner.c = Sub()
    inner.z = Parameter(Tensor([1.0]), name="z")
    assert names(inner) == (["z", "w"], ["z", "c.w"])
    outer = nn.Cell()
    outer.m = inner
    assert names(outer) == (["m.z", "m.c.w"], ["m.z", "m.c.w"])


def test_equal_names_in_one_cell_are_replaced_at_the_first_call():
    class Same(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = Parameter(Tensor([1.0]), name="same")
            self.b = Parameter(Tensor([2.0]), name="same")

        def construct(self, x):
            return x * self.a * self.b

    net = Same()
    message = "Two different Parameters have the name 'same'"
    with pytest.raises(ValueError, match=message):
        net.check_names()
    net(Tensor([1.0]))
    assert names(net)[0] == ["a", "b"]


def test_parameter_tuples_are_registered_and_lists_are_not():
    net = nn.Cell()
    net.listed = [Parameter(Tensor([1.0]), name="k1")]
    net.tupled = ParameterTuple([Parameter(Tensor([1.0]), name="k2"), Parameter(Tensor([2.0]))])
    assert names(net) == (["k2", "Parameter$1"], ["k2", "Parameter$1"])
    assert net.k2 is net.tupled[0]
    assert type(net.listed) is list
    with pytest.raises(
        ValueError,
        match="Two different Parameters have the name 'k'",
    ):
        net.other = [Parameter(Tensor([1.0]), name="k"), Parameter(Tensor([2.0]), name="k")]


def test_what_a_parameter_attribute_may_become():
    net = Sub()
    parameter = net.w
    net.w = Tensor([7.0, 8.0])
    assert net.w is parameter
    assert parameter.asnumpy().tolist() == [7.0, 8.0]
    with pytest.raises(TypeError, match="For 'Cell', the Parameter 'w' can only become a Parameter, a Tensor or None"):
        net.w = 3
    net.w = Parameter(Tensor([1.0]), name="other")
    assert names(net) == (["other"], ["w"])
    with pytest.raises(KeyError, match="insert_child_to_cell', the name 'w' belongs to another attribute"):
        net.w = Sub()
    net.w = None
    assert names(net) == ([], [])
    assert net.w is None


def test_what_a_cell_attribute_may_become():
    net = nn.Cell()
    net.sub = Sub()
    with pytest.raises(TypeError, match="For 'Cell', the sub-cell 'sub' can only become another sub-cell or None"):
        net.sub = 3
    with pytest.raises(KeyError, match="insert_param_to_cell', the name 'sub' belongs to another attribute"):
        net.sub = Parameter(Tensor([1.0]))
    net.sub = None
    assert names(net) == ([], [])
    assert str(net) == "Cell(\n  (sub): None\n)"


def test_a_plain_attribute_may_become_a_cell():
    net = nn.Cell()
    net.k = 3
    net.k = Sub()
    assert names(net)[1] == ["k.w"]


def test_attributes_can_be_deleted():
    net = Sub()
    del net.w
    assert names(net) == ([], [])
    with pytest.raises(AttributeError, match="^The 'Sub' object has no attribute 'w'.$"):
        _ = net.w


def test_parameters_and_cells_may_have_names_in_slots():
    class Slotted(nn.Cell):  # as MindChemistry's TensorProduct
        __slots__ = ("weights", "inner", "factor")

        def __init__(self):
            super().__init__()
            self.weights = Parameter(Tensor([1.0, 2.0]), name="w")
            self.inner = nn.Dense(2, 2, weight_init="ones", has_bias=False)
            self.factor = 3

        def construct(self, x):
            return self.inner(x * self.weights) * self.factor

    net = Slotted()
    assert [parameter.name for parameter in net.get_parameters()] == ["w", "inner.weight"]
    assert net(Tensor([[1.0, 2.0]])).tolist() == [[15.0, 15.0]]  # MindSpore 2.10's, as what follows
    net.weights = Parameter(Tensor([3.0, 4.0]), name="w")
    assert net(Tensor([[1.0, 2.0]])).tolist() == [[33.0, 33.0]]
    del net.weights
    assert not hasattr(net, "weights")


def test_the_registries_can_be_written_directly():
    net = nn.Cell()
    net._cells["first"] = Sub()
    assert net.first is net._cells["first"]
    net._cells.pop("first")
    assert not hasattr(net, "first")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda n: n.insert_param_to_cell("a.b", None),
            KeyError,
            "For 'insert_param_to_cell', the 'param_name' must be a name without a dot, and not",
        ),
        (
            lambda n: n.insert_param_to_cell("", None),
            KeyError,
            "For 'insert_param_to_cell', the 'param_name' must be a name without a dot, and not",
        ),
        (
            lambda n: n.insert_param_to_cell("c", Tensor([1.0])),
            TypeError,
            "For 'insert_param_to_cell', the 'param' must be a Parameter or None",
        ),
        (
            lambda n: n.insert_param_to_cell("construct", None),
            KeyError,
            "For 'insert_param_to_cell', the name 'construct' belongs to another attribute",
        ),
        (
            lambda n: n.insert_child_to_cell("w", Sub()),
            KeyError,
            "For 'insert_child_to_cell', the name 'w' belongs to another attribute",
        ),
        (
            lambda n: n.insert_child_to_cell("", Sub()),
            KeyError,
            "For 'insert_child_to_cell', the 'child_name' must be a name without a dot, and not",
        ),
        (
            lambda n: n.insert_child_to_cell(3, Sub()),
            TypeError,
            "For 'insert_child_to_cell', the 'child_name' must be a str",
        ),
        (
            lambda n: n.insert_child_to_cell("z", 3),
            TypeError,
            "For 'insert_child_to_cell', the 'child_cell' must be a Cell or None",
        ),
    ],
)
def test_insert_errors(call, error, message):
    net = Sub()
    with pytest.raises(error) as caught:
        call(net)
    assert message in str(caught.value)
    assert names(net) == (["w"], ["w"])


def test_insert_child_does_not_rename():
    net = nn.Cell()
    net.insert_child_to_cell("kid", Sub())
    assert names(net) == (["w"], ["kid.w"])


def test_without_super_init():
    class NoInit(nn.Cell):
        def __init__(self, value):
            self.a = value

    with pytest.raises(AttributeError, match="For 'insert_param_to_cell', the Cell cannot hold a Parameter yet."):
        NoInit(Parameter(Tensor([1.0])))
    with pytest.raises(AttributeError, match="^The 'NoInit' object has no attribute '_auto_prefix'."):
        NoInit(Sub())
    with pytest.raises(AttributeError, match="^The 'NoInit' object has no attribute '_init_flag'."):
        NoInit(3)(Tensor([1.0]))


def test_construct_may_be_a_staticmethod(mode):
    class Twice(nn.Cell):
        @staticmethod
        def construct(x):
            return x * 2

    assert Twice()(Tensor([3.0])).tolist() == ms.value_and_grad(Twice())(Tensor([3.0]))[0].tolist() == [6.0]


def test_training_flags():
    net = nn.SequentialCell(nn.Dropout(p=0.5))
    assert (net.training, net.requires_grad, net.phase) == (False, False, "train")
    assert net.set_train() is net
    assert (net.training, net[0].training, net.phase) == (True, True, "train")
    net.set_train(False)
    assert (net.training, net[0].training, net.phase) == (False, False, "predict")


def test_set_grad_is_for_one_cell():
    net = nn.Cell()
    net.sub = nn.Cell()
    assert net.set_grad() is net
    assert (net.requires_grad, net.sub.requires_grad) == (True, False)


def test_add_flags():
    net = nn.Cell()
    net.sub = nn.Cell()
    net.set_train(False)
    net.add_flags(foo=3)
    net.add_flags_recursive(bar=1)
    assert net.foo == 3
    assert net.get_flags() == {"training": False, "foo": 3, "bar": 1}
    assert net.sub.get_flags() == {"training": False, "bar": 1}


def test_checked_properties():
    net = nn.Cell()
    with pytest.raises(TypeError, match="For 'Cell', the 'phase' must be a str"):
        net.phase = 3
    with pytest.raises(TypeError, match="For 'Cell', the 'bprop_debug' must be a bool"):
        net.bprop_debug = 3


def test_recompute_keywords():
    with pytest.raises(
        ValueError,
        match="For 'recompute', the 'kwargs' must be out of mp_comm_recompute,",
    ):
        nn.Cell().recompute(foo=3)
    with pytest.raises(TypeError, match="For 'recompute', the 'mp_comm_recompute' must be a bool"):
        nn.Cell().recompute(mp_comm_recompute=3)
    with pytest.raises(TypeError, match="For 'recompute', the 'output_recompute' must be a bool"):
        nn.Cell().recompute(output_recompute=1)


def test_recompute_sets_a_flag():
    net = nn.SequentialCell(nn.Dense(2, 2))
    net.recompute()
    assert net.get_flags() == {"output_recompute": False} and net[0].get_flags() == {}
    net.recompute(output_recompute=True)
    assert net.output_recompute is True


def test_to_float_computes_in_half_precision_and_keeps_the_parameters():
    net = Sub().to_float(ms.float16)
    x = Tensor([1.0, 2.0])
    assert net(x).dtype == ms.float16
    by_input, (by_weight,) = ms.grad(net, 0, net.trainable_params())(x)
    assert (by_input.dtype, by_weight.dtype, net.w.dtype) == (ms.float32, ms.float32, ms.float32)
    assert by_weight.asnumpy().tolist() == [1.0, 2.0]
    with pytest.raises(
        ValueError,
        match="For 'to_float', the 'dst_type' must be one of mindspore.float16, mindspore.float32,",
    ):
        net.to_float(ms.int32)


class Two(nn.Cell):
    def construct(self, a, b):
        return a * b


class Default(nn.Cell):
    def construct(self, a, b=2):
        return a * b


def test_construct_missing():
    with pytest.raises(AttributeError, match="For 'Cell', the class Cell must define the method 'construct'."):
        nn.Cell()(1)


@pytest.mark.parametrize(
    ("cell", "args", "kwargs", "message"),
    [
        (Two, (1,), {}, "Two.construct() missing 1 required positional argument: 'b'"),
        (Two, (1, 2, 3), {}, "Two.construct() takes 3 positional arguments but 4 were given"),
        (Default, (1, 2, 3), {}, "Default.construct() takes from 2 to 3 positional arguments but 4 were given"),
        (Two, (1,), {"c": 2}, "Two.construct() got an unexpected keyword argument 'c'"),
        (Two, (1, 2), {"b": 2}, "Two.construct() got multiple values for argument 'b'"),
    ],
)
def test_wrong_arguments(cell, args, kwargs, message):
    with pytest.raises(TypeError) as caught:
        cell()(*args, **kwargs)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("cell", "args", "kwargs", "message"),
    [
        (Two, (1,), {}, "For 'Cell', the function construct of Two takes 2 positional arguments"),
        (Two, (1, 2, 3), {}, "For 'Cell', the function construct of Two takes 2 positional arguments"),
        (Default, (1, 2, 3), {}, "For 'Cell', the function construct of Default takes 1 to 2 positional arguments"),
        (Two, (1,), {"c": 2}, "missing a required argument: 'b'"),
        (Two, (1, 2), {"b": 2}, "multiple values for argument 'b'"),
    ],
)
def test_wrong_arguments_in_graph_mode(cell, args, kwargs, message, graph_mode):
    with pytest.raises(TypeError) as caught:
        cell()(*args, **kwargs)
    assert message in str(caught.value)


def test_any_values_pass_through():
    class Nest(nn.Cell):
        def construct(self, a):
            return {"k": a}, [a], None, "s", 2.5

    assert Two()("a", 3) == "aaa"
    assert Two()(b=3, a=2) == 6
    assert Nest()(1) == ({"k": 1}, [1], None, "s", 2.5)


def test_text():
    class Described(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = nn.ReLU()

        def extend_repr(self):
            return "k=3"

    class Line(nn.Cell):
        def extend_repr(self):
            return "a=1, b=2"

    assert str(Sub()) == repr(Sub()) == "Sub()"
    assert str(Line()) == "Line(a=1, b=2)"
    assert str(nn.SequentialCell(Described(), nn.SequentialCell(Line()))) == (
        "SequentialCell(\n  (0): Described(\n    k=3\n    (a): ReLU()\n  )\n"
        "  (1): SequentialCell(\n    (0): Line(a=1, b=2)\n  )\n)"
    )
    assert Sub().cls_name == "Sub"


def test_apply_goes_from_the_inside_out():
    net = nn.SequentialCell(nn.Tanh(), nn.ReLU())
    seen = []
    assert net.apply(lambda cell: seen.append(cell.cls_name)) is net
    assert seen == ["Tanh", "ReLU", "SequentialCell"]


def test_param_prefix():
    net = Outer()
    net.update_cell_prefix()
    assert (net.param_prefix, net.x.c.param_prefix) == ("", "x.c")


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda net: pickle.loads(pickle.dumps(net))])
def test_copies_are_independent_and_keep_sharing(duplicate):
    net = Shared()
    net.extra = [net.c]
    other = duplicate(net)
    assert other.a is other.b
    assert other.p is other.a.w
    assert other.extra[0] is other.c
    assert other.a.w is not net.a.w
    assert names(other) == names(net)
    other.a.w.set_data(Tensor([0.0, 0.0]))
    assert net.a.w.asnumpy().tolist() == [2.0, 3.0]
    other.d = Sub()
    assert not hasattr(net, "d")


def test_copy_is_a_cell_of_its_own_with_the_same_members():
    net = Shared()
    other = copy.copy(net)
    assert other.a is net.a
    other.d = Sub()
    assert not hasattr(net, "d")


def test_a_failed_call_leaves_the_parameters_as_they_were():
    class Fails(Sub):
        def construct(self, x):
            self.w.set_data(x)
            raise ValueError("oops")

    net = Fails()
    with pytest.raises(ValueError, match="^oops$"):
        net(Tensor([0.0, 0.0]))
    assert net.w.asnumpy().tolist() == [2.0, 3.0]


def test_what_few_programs_ask():
    net = nn.SequentialCell(nn.Dense(2, 3), nn.SequentialCell(nn.ReLU()))
    assert net[0].get_scope() is None
    net.generate_scope()
    scopes = ["Default/0-Dense", "Default/1-SequentialCell", "Default/1-SequentialCell/0-ReLU"]
    assert [cell.get_scope() for _, cell in net.cells_and_names()] == [None, *scopes]
    assert net.create_time < nn.ReLU().create_time
    assert (net.parameter_layout_dict, net.parallel_parameter_name_list) == ({}, ())
    assert net.remove_redundant_parameters() is None
    assert not set(vars(net)) - set(net.IGNORE_LIST) - {"0", "1"}
    for name in ("cell_init_args", "pipeline_segment"):
        assert not hasattr(net, name)
    net.pipeline_segment, net.parameter_layout_dict = 1, {"a": 1}
    assert (net.pipeline_segment, net.parameter_layout_dict) == (1, {"a": 1})
    with pytest.raises(TypeError, match="the 'parallel_parameter_name_list' must be a list"):
        net.parallel_parameter_name_list = 3
    with pytest.raises(NotImplementedError, match="'nn.Cell.get_func_graph_proto' is left out"):
        net.get_func_graph_proto()


def test_calls_of_former_versions():
    cell, x = nn.ReLU(), Tensor([1.0, -1.0])
    lowered, label, plain = cell.cast_inputs((x, Tensor([1]), 3), ms.float16)
    assert (lowered.dtype, label.dtype, plain) == (ms.float16, ms.int64, 3)
    assert cell.run_construct((x,), {}).tolist() == [1, 0]
    with pytest.raises(TypeError, match="the 'cast_inputs' must be a tuple"):
        cell.run_construct(x, {})


def test_whether_a_call_is_recorded(graph_mode):
    cell = nn.ReLU()
    assert not cell.compiled
    cell(Tensor([1.0]))
    assert cell.compiled


class Abstract(nn.Cell, abc.ABC):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    @abc.abstractmethod
    def features(self, x):
        """What a subclass computes."""


def test_cells_with_abstract_methods_can_be_made():
    cell = Abstract(3)
    assert (cell.scale, copy.deepcopy(cell).scale) == (3, 3)
    assert Abstract.__abstractmethods__ == {"features"} and inspect.isabstract(Abstract)
    assert list(inspect.signature(Abstract).parameters) == ["scale"]
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'scale'"):
        Abstract()
    with pytest.raises(TypeError, match="abstract"):
        object.__new__(Abstract)
    with pytest.raises(AttributeError, match="For 'Cell', the class Abstract must define the method 'construct'"):
        cell(Tensor(1.0))
