"""Selection of elements by conditions, and operations whose shapes depend on values."""

from .case import NO_SECOND, rows

NUMBERS = ("float16", "float64", "int32", "int64")

BY_CONDITION = rows(
    [
        (
            "masked_fill_rows",
            "ops.masked_fill(x, y > 0, Tensor(0.5))",
            {"faces": ("ops.MaskedFill()(x, y > 0, Tensor(0.5))",)},
        ),
        (
            "masked_select",
            "ops.masked_select(x, x > 0)",
            {"looks": True, "reason": NO_SECOND, "faces": ("ops.MaskedSelect()(x, x > 0)", "x.masked_select(x > 0)")},
        ),
        ("masked_select_rows", "ops.masked_select(x, y > 0)", {"looks": True, "reason": NO_SECOND}),
    ],
    shapes=((2, 3), (3,)),
)

POSITIONS = rows(
    [
        (
            "nonzero",
            "ops.nonzero(x.int())",
            {"looks": True, "faces": ("ops.NonZero()(x.int())", "ops.argwhere(x.int())", "x.int().nonzero()")},
        ),
        ("nonzero_tuple", "ops.nonzero(x > 0, as_tuple=True)[1]", {"looks": True}),
        (
            "sequence_mask",
            "ops.sequence_mask(x.int())",
            {"looks": True, "domain": (0.0, 4.0), "faces": ("ops.sequence_mask(x.int(), int(x.max()))",)},
        ),
        ("sequence_mask_length", "ops.sequence_mask(x.int(), 3)", {"domain": (0.0, 4.0)}),
    ],
    order=0,
)

DIFFERENT = rows(
    [
        (
            "unique",
            "ops.unique(x)[0]",
            {"looks": True, "faces": ("ops.Unique()(x.ravel())[0]",), "dtypes": NUMBERS},
        ),
        (
            "unique_places",
            "ops.unique(x)[1]",
            {"looks": True, "faces": ("ops.Unique()(x.reshape(-1))[1].reshape(3, 4)",), "dtypes": NUMBERS},
        ),
        (
            "unique_with_pad",
            "ops.unique_with_pad(x.int(), 7)[0]",
            {"looks": True, "faces": ("x.int().unique_with_pad(7)[0]",), "shapes": ((6,),)},
        ),
        ("unique_with_pad_places", "ops.unique_with_pad(x.int(), 7)[1]", {"looks": True, "shapes": ((6,),)}),
        (
            "unique_consecutive",
            "ops.unique_consecutive(x.int())",
            {"looks": True, "faces": ("ops.UniqueConsecutive()(x.int())[0]", "x.int().unique_consecutive()")},
        ),
        (
            "unique_consecutive_places",
            "ops.unique_consecutive(x.int(), True)[1]",
            {"looks": True, "faces": ("ops.UniqueConsecutive(True)(x.int())[1]",)},
        ),
        (
            "unique_consecutive_counts",
            "ops.unique_consecutive(x.int(), True, True)[2]",
            {"looks": True, "faces": ("ops.UniqueConsecutive(True, True)(x.int())[2]",)},
        ),
        (
            "unique_consecutive_rows",
            "ops.unique_consecutive(x.int() // 2, dim=0)",
            {"looks": True, "faces": ("ops.UniqueConsecutive(dim=0)(x.int() // 2)[0]",), "shapes": ((5, 1),)},
        ),
    ],
    shapes=((3, 4),),
    order=0,
)

CASES = BY_CONDITION + POSITIONS + DIFFERENT
