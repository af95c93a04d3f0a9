"""Scatter into new Tensors; `scatter_write` does it in place."""

from .case import rows

UPDATES = ("update", "add", "sub", "mul", "div", "max", "min")
COLUMN = "Tensor([[1], [0]])"
TWICE = "Tensor([[1], [2], [1]])"
ALONG = "Tensor([[2, 0], [1, 2]])"


def at_tuples(update):
    """The row of a way of putting slices: each place once."""
    method, primitive = f"tensor_scatter_{update}", f"TensorScatter{update.capitalize()}"
    faces = (f"ops.{primitive}()(x, {COLUMN}, y)", f"x.scatter_{update}({COLUMN}, y)")[: 1 + (update != "update")]
    return f"{method}_rows", f"ops.{method}(x, {COLUMN}, y)", {"faces": faces}


def at_repeated_tuples(update):
    """The row of a way of putting slices: one place twice."""
    wrong = {"golden_order": 0, "reason": "MindSpore 2.10's derivative leaves out the other updates of a place"}
    fields = {"shapes": ((3, 2), (3, 2)), **(wrong if update in ("mul", "div") else {})}
    return f"tensor_scatter_{update}_twice", f"ops.tensor_scatter_{update}(x, {TWICE}, y)", fields


AT_TUPLES = rows(
    [at_tuples(update) for update in UPDATES] + [at_repeated_tuples(update) for update in UPDATES[1:]],
    shapes=((3, 2), (2, 2)),
    domain=((-3.0, 3.0), (0.5, 2.0)),
    dtypes=("float64", "int32"),
)

ALONG_AN_AXIS = rows(
    [
        ("scatter", f"ops.scatter(x, 1, {ALONG}, y)", {"faces": (f"x.scatter(1, {ALONG}, y)",)}),
        ("scatter_first_axis", "ops.scatter(x, 0, Tensor([[1, 0]]), y)", {"shapes": ((2, 3), (1, 2))}),
        ("scatter_number", f"ops.scatter(x, 1, {ALONG}, 0.5) + y[0, 0]", {}),
        (
            "tensor_scatter_elements",
            f"ops.tensor_scatter_elements(x, {ALONG}, y, 1)",
            {"faces": (f"ops.TensorScatterElements(1)(x, {ALONG}, y)",)},
        ),
        (
            "tensor_scatter_elements_add",
            "ops.tensor_scatter_elements(x, Tensor([[2, 2], [1, 2]]), y, 1, 'add')",
            {"faces": ("ops.TensorScatterElements(1, 'add')(x, Tensor([[2, 2], [1, 2]]), y)",)},
        ),
        (
            "index_fill",
            "ops.index_fill(x, 1, Tensor([2, 0], ms.int32), 0.5)",
            {
                "faces": (
                    "x.index_fill(1, Tensor([2, 0], ms.int32), 0.5)",
                    "ops.index_fill(x, -1, Tensor([2, 0], ms.int32), Tensor(0.5))",
                ),
                "shapes": ((2, 3),),
            },
        ),
        ("index_fill_from_the_end", "ops.index_fill(x, 0, Tensor([-1, -3], ms.int32), 0.5)", {"shapes": ((3, 2),)}),
    ],
    shapes=((2, 3), (2, 2)),
)

CASES = AT_TUPLES + ALONG_AN_AXIS

ERRORS = [
    ("ops.tensor_scatter_add(Tensor([1.0]), Tensor([[1]]), Tensor([1.0]))", RuntimeError, "the 'indices' must be"),
    ("ops.tensor_scatter_update(Tensor([1.0]), Tensor([[1]]), Tensor([1.0]))", ValueError, "the 'indices' must be"),
    ("ops.tensor_scatter_add(Tensor([1.0]), Tensor([[0]]), Tensor([1]))", TypeError, "the 'updates' must be"),
    ("ops.index_fill(Tensor([1.0]), 0, Tensor([1]), 2.0)", RuntimeError, "For 'IndexFill', the 'index' must be"),
    ("ops.index_fill(Tensor([1.0]), 0, Tensor([-2]), 2.0)", RuntimeError, "For 'IndexFill', the 'index' must be"),
]
