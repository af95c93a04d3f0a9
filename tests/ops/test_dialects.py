"""A dialect: a module whose functions are faces of operations, or a few lines over them."""

import inspect

import pytest

from msgrad import Tensor, nn, ops
from msgrad._contracts.contracts import Array, Int, Mask
from msgrad.experimental.optim.optimizer import GroupedFormulaOptimizer
from msgrad.nn._rows import layer
from msgrad.nn.optim._formula_optimizer import FormulaOptimizer
from msgrad.ops._core.define import composite, op
from msgrad.ops._core.faces import FUNCTIONS, METHODS, Dialect, method, primitive
from msgrad.ops._core.tables import Table
from msgrad.ops.optim.optimizer_formulas import descent, momentum
from msgrad.ops.optim.update import Update

from ..examples import complaints

HERE = Dialect("mindspore.here", {"Count": Int})


def test_the_example_of_a_dialect():
    assert not complaints(
        "Dialect",
        Dialect.__doc__.replace(">>> mint", ">>> from msgrad.ops._core.faces import Dialect\n        >>> mint", 1),
    )


def test_a_row_has_its_own_names_defaults_contracts_and_source():
    total = HERE.face(ops.sum, "total(a, axis: Count = 0, *, keepdims=False)")
    assert str(inspect.signature(total)) == "(a, axis=0, *, keepdims=False)"
    assert total(Tensor([[1.0, 2.0]])).tolist() == [1.0, 2.0]
    assert "    a (Tensor)" in total.__doc__ and "Source: mindspore.here.total" in total.__doc__
    with pytest.raises(TypeError, match="For 'total', the 'axis' must be an int"):
        total(Tensor([1.0]), None)


def test_a_function_of_its_own_belongs_to_the_dialect_alone():
    @composite(dialect=HERE)
    def twice_over(x: Array):
        return x + x

    @op(dialect=HERE)
    def tripled(x: Array):
        return 3 * x

    assert HERE.public()["twice_over"](Tensor([2.0])).tolist() == [4.0]
    assert HERE.public()["tripled"](Tensor([2.0])).tolist() == [6.0]
    assert not hasattr(ops, "twice_over") and "tripled" not in FUNCTIONS


def test_an_overload_checks_each_tensor_and_tells_equal_arguments_apart():
    @op(dialect=HERE)
    def counted(mask: Mask, axis: Int = 0):
        return mask.sum(axis)

    @op(dialect=HERE)
    def shifted(x: Array, axis: Int = 0):
        return x + axis

    count = HERE.overload("count", (counted, "(mask, axis=0)"), (counted, "(mask, *, dim)"))
    shift = HERE.overload("shift", (shifted, "(x, axis=0)"), (shifted, "(x, *, dim)"))
    mask, x, large = Tensor([[True, False]]), Tensor([1.0]), 1000
    for _ in range(3):
        assert [count(mask).tolist(), count(mask, 1).tolist(), count(mask, dim=1).tolist()] == [[1, 0], [1], [1]]
        assert [shift(x).item(), shift(x, 2).item(), shift(x, axis=3).item(), shift(x, dim=4).item()] == [1, 3, 4, 5]
        assert [shift(x, large + each).item() for each in range(3)] == [1001, 1002, 1003]
        assert shift(Tensor([1, 2]), 2).dtype == Tensor([1]).dtype
        with pytest.raises(TypeError, match="'mask' must be a Tensor of bool"):
            count(x)
        with pytest.raises(TypeError, match="It takes"):
            shift(x, 2.0)
        with pytest.raises(TypeError):
            shift(x, True)


ROWS = Table()


def made(table, _, name):
    """The face ``name`` of a row that was just defined, and whose table does not keep it."""
    try:
        return table[name]
    finally:
        del table[name]


@pytest.mark.parametrize(
    "define, wrong",
    [
        (lambda: HERE.face(ops.softmax, "smax(input, axsi=-1)"), "axsi"),
        (lambda: HERE.face(ops.softmax, "smax(input, axis=-1)", dim="axis"), "dim"),
        (lambda: HERE.face(ops.softmax, "smax(input)", fixed={"axsi": 0}), "the fixed axsi"),
        (lambda: HERE.face(ops.softmax, "smax(input, axis=-1)", fixed={"axis": 0}), "the fixed axis"),
        (lambda: made(ROWS, primitive(ops.softmax, "Smax(axsi=-1)(x)", table=ROWS), "Smax"), "axsi"),
        (lambda: made(METHODS, method("smax", (ops.softmax, "(axsi=-1)")), "smax"), "axsi"),
        (lambda: HERE.overload("smax", (ops.softmax, "(input, axis=-1)"), (ops.softmax, "(input, axsi)")), "axsi"),
        (lambda: layer(ops.softmax, "Smax(axsi=-1)(x)"), "axsi"),
        (lambda: layer(ops.softmax, "Smax(axis=-1)(y, x)"), "x"),
        (lambda: Update(descent, rat="lr"), "rat"),
    ],
)
def test_a_name_that_matches_nothing_is_an_error_of_the_row(define, wrong):
    with pytest.raises(NameError, match=rf"^(softmax|descent)\(.* has no (parameter for|argument) {wrong}\b"):
        define()


def test_a_row_gives_each_argument_that_its_target_needs():
    text = r"^gather\(input_params, .*\) needs axis, which its face \(input, indices\) lacks"
    with pytest.raises(NameError, match=text):
        HERE.face(ops.gather, "pick(input, indices)", indices="input_indices")


@pytest.mark.parametrize(
    "define",
    [
        lambda: HERE.face(ops.softmax, "smax(input, axis==-1)"),
        lambda: HERE.face(ops.softmax, "smax(input, axis=-1"),
        lambda: layer(ops.softmax, "Smax(axis=-1)"),
    ],
)
def test_a_text_that_is_no_signature_is_in_the_error(define):
    with pytest.raises(SyntaxError, match=r"^'.*axis=.*' (is not a signature: |must have the parameters of)"):
        define()


def test_a_formula_says_what_it_updates():
    with pytest.raises(
        NameError, match=r"^unmarked\(var, rate, grad\) must say what it updates: \(var, \.\.\., /, \.\.\.\)"
    ):

        def unmarked(var, rate, grad): ...

        Update(unmarked)


@pytest.mark.parametrize("base", [FormulaOptimizer, GroupedFormulaOptimizer])
def test_each_argument_of_an_optimizers_formula_has_a_source(base):
    def optimizer(**names):
        def start(self, params):
            base.__init__(self, *((0.5, params) if base is FormulaOptimizer else (params, {"lr": 0.5})))
            self.factor, self.nesterov = Tensor(0.5), False
            self.moments = self.parameters.clone(prefix="moments", init="zeros")

        members = {"_update_": Update(momentum, **names), "__init__": start}
        return type("Heavy", (base,), members)(net.trainable_params())

    net = nn.Dense(2, 1)
    gradients = tuple(ops.ones_like(each) for each in net.trainable_params())
    before = net.bias.asnumpy().copy()
    optimizer(accum="moments", momentum="factor")(gradients)
    assert (net.bias.asnumpy() == before - 0.5).all()
    text = r"^momentum\(var, accum, /, rate, grad, momentum, nesterov, scale=1\) "
    with pytest.raises(NameError, match=text + "takes moment of Heavy, which has no such attribute"):
        optimizer(accum="moment", momentum="factor")(gradients)
    with pytest.raises(NameError, match=text + "gives new values of var, factor, but factor is no slot"):
        optimizer(accum="factor", momentum="moments")(gradients)
    assert (net.bias.asnumpy() == before - 0.5).all()


def test_a_name_comes_once():
    HERE.face(ops.sin, "sine(x)")
    with pytest.raises(NameError, match="'sine' is defined twice"):
        HERE.face(ops.cos, "sine(x)")
