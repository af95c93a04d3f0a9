"""Scatter into Parameters, in place; each row takes the result and, after it, the Parameter."""

from .case import rows
from .scattering import UPDATES


def repeated_indices(update):
    """Repeated indices, except for the update whose result depends on their order."""
    return [1, 0] if update == "update" else [1, 1]


def at_tuples(update):
    indices = f"Tensor({[[index] for index in repeated_indices(update)]})"
    function, primitive = f"scatter_nd_{update}", f"ScatterNd{update.capitalize()}"
    return function, f"ops.{function}(x, {indices}, y) + x", {"faces": (f"ops.{primitive}()(x, {indices}, y) + x",)}


def at_rows(update):
    indices = f"Tensor({repeated_indices(update)})"
    faces = (f"ops.Scatter{update.capitalize()}()(x, {indices}, y) + x", f"ops.scatter_{update}(x, {indices}, y) + x")
    name, faces = f"parameter_scatter_{update}", faces if update != "sub" else faces[:1]  # there is no ops.scatter_sub
    return name, faces[0], {"faces": faces[1:]}


ASSIGNING = rows(
    [
        ("assign_add", "ops.assign_add(x, y) + x", {"faces": ("ops.AssignAdd()(x, y) + x",)}),
        ("assign_sub", "ops.assign_sub(x, y) + x", {"faces": ("ops.AssignSub()(x, y) + x",)}),
    ],
    shapes=((2, 3), (2, 3)),
    parameters=1,
    order=0,
    dtypes=("float16", "float64", "int32"),
)

SCATTERING = rows(
    [at_tuples(update) for update in UPDATES]
    + [at_rows(update) for update in UPDATES]
    + [
        (
            "index_add",
            "ops.index_add(x, Tensor([1, 1], ms.int32), y, 0) + x",
            {"faces": ("ops.IndexAdd(0)(x, Tensor([1, 1], ms.int32), y) + x",)},
        ),
        ("index_add_columns", "ops.index_add(x, Tensor([1, 0, 1], ms.int32), y, 1) + x", {"shapes": ((3, 2), (3, 3))}),
    ],
    shapes=((3, 2), (2, 2)),
    domain=((-3.0, 3.0), (0.5, 2.0)),
    parameters=1,
    order=0,
    dtypes=("float64", "int32"),
)

CASES = ASSIGNING + SCATTERING
