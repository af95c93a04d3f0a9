"""Padding and dropout."""

from .case import rows

OWN = {"without": ("attributes",), "reason": "MindSpore keeps the widths as pairs, the last axis last"}

PAD = rows(
    [
        ("pad", "nn.Pad(((1, 0), (0, 2)))", "f[2,3]"),
        ("pad_reflect", "nn.Pad(((0, 0), (2, 1)), 'REFLECT')", "f[2,3]", {**OWN, "reason": "MindSpore keeps a Tensor"}),
        ("pad_symmetric", "nn.Pad(((1, 2), (3, 1)), 'SYMMETRIC')", "f[2,3]"),
        ("constant_pad1d", "nn.ConstantPad1d((1, 2), 0.5)", "f[2,2,3]"),
        ("constant_pad1d_cut", "nn.ConstantPad1d((-1, 2), 0.5)", "f[2,2,3]"),
        ("constant_pad2d", "nn.ConstantPad2d((1, 2, 0, 1), 3)", "f[2,2,3]"),
        ("constant_pad2d_last", "nn.ConstantPad2d((1, 2), 3)", "f[2,2,3]"),
        ("constant_pad3d", "nn.ConstantPad3d(1, -1.5)", "f[1,2,2,3]"),
        ("zero_pad2d", "nn.ZeroPad2d(1)", "f[1,2,2,3]"),
        ("reflection_pad1d", "nn.ReflectionPad1d((2, 1))", "f[2,3]", OWN),
        ("reflection_pad2d", "nn.ReflectionPad2d((2, 1, 0, 1))", "f[1,2,2,3]", OWN),
        ("reflection_pad3d", "nn.ReflectionPad3d(1)", "f[2,2,2,3]", OWN),
        ("replication_pad1d", "nn.ReplicationPad1d((2, 1))", "f[2,3]"),
        ("replication_pad2d", "nn.ReplicationPad2d((2, 1, 0, 3))", "f[1,2,2,3]"),
        ("replication_pad3d", "nn.ReplicationPad3d(2)", "f[1,2,2,2,3]"),
    ]
)

DROPOUT = rows(
    [
        ("dropout", "nn.Dropout(p=0.3)", "f[2,3]"),
        ("dropout_kept", "nn.Dropout(0.8)", "f[2,3]"),
        ("dropout1d", "nn.Dropout1d(0.3)", "f[2,3,2]"),
        ("dropout2d", "nn.Dropout2d(0.3)", "f[2,3,2,2]"),
        ("dropout3d", "nn.Dropout3d(0.3)", "f[2,3,2,1,2]"),
        ("dropout_ext", "nn.DropoutExt(0.3)", "f[2,3]"),
        ("dropout2d_ext", "nn.Dropout2dExt(0.3)", "f[2,3,2,2]"),
    ],
    phases=(False,),
)

CASES = PAD + DROPOUT

ERRORS = [
    ("nn.Pad([(1, 1)])", TypeError, "For 'Pad', the 'paddings' must be a tuple of pairs"),
    ("nn.Pad(((1, 1, 1),))", ValueError, "For 'Pad', the 'paddings' must be at most four pairs"),
    ("nn.Pad(((1, 1),), 'EDGE')", ValueError, "For 'Pad', the 'mode' must be one of"),
    ("nn.ConstantPad1d(1.0, 1)", TypeError, "For 'ConstantPad1d', the 'padding' must be an int or a tuple"),
    ("nn.ConstantPad1d((1, 1, 1, 1), 1)", ValueError, "the 'padding' must be at most 1 pairs of widths"),
    ("nn.ConstantPad2d(1, '1')", TypeError, "For 'ConstantPad2d', the 'value' must be an int or a float"),
    ("nn.ReflectionPad1d((-1, 0))", ValueError, "For 'ReflectionPad1d', the 'padding' must be non-negative"),
    ("nn.ReflectionPad1d(3)(ops.ones((1, 3)))", ValueError, "the 'padding' must be less than the lengths"),
    ("nn.ReplicationPad2d((1, 1, 1))", ValueError, "the 'padding' must be at most 2 pairs of widths"),
    ("nn.Dropout(p=1)", ValueError, "For 'Dropout', the 'p' must be in the range [0, 1)"),
    ("nn.Dropout(1)", TypeError, "For 'Dropout', the 'keep_prob' must be a float"),
    ("nn.Dropout2d(1.5)", ValueError, "For 'Dropout2d', the 'p' must be in the range [0, 1]"),
    ("nn.Dropout1d(1)", TypeError, "For 'Dropout1d', the 'p' must be a"),
]
