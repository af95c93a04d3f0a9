"""Methods of Tensor without a function in `ops`: conversions and sizes."""

from .case import rows

CASES = rows(
    [
        ("half", "x.half()", {"faces": ("x.type(ms.float16)",), "exact_slope": False}),
        ("double", "x.double()", {}),
        ("float_of_half", "x.half().float() * x", {"exact_slope": False}),
        ("bfloat16", "x.bfloat16().float()", {"exact_slope": False}),
        ("byte", "x.byte()", {"domain": (0.0, 5.0), "order": 0}),
        ("short", "x.short()", {"order": 0}),
        ("long", "x.long()", {"order": 0}),
        ("to", "x.to(ms.float16)", {"exact_slope": False}),
        ("reshape_as", "x.reshape_as(y) * y", {"shapes": ((2, 3), (3, 2))}),
        ("resize", "x.resize(3, 2)", {}),
        ("contiguous", "x.contiguous() * x", {}),
        ("nelement", "x * x.nelement()", {}),
        ("is_contiguous", "x * x.is_contiguous()", {"order": 0}),
        ("new_zeros", "x.new_zeros((2, 3)) + x", {}),
        ("new_ones", "x.new_ones((2, 3)) * x", {}),
        ("ptp", "x.ptp(1)", {}),
        ("allclose", "x * x.allclose(x)", {"looks": True}),
        ("repeat", "x.repeat(2, 1)", {"reference": "np.tile(x, (2, 1))"}),
    ]
)
