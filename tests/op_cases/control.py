"""Primitives over functions, casts of nested containers, sums to a size, and collectives of one process."""

from .case import NO_KERNEL, rows

_PROCESSES = "MindSpore 2.10 needs several processes"

CASES = (
    rows(
        [
            ("map_uniform", "ops.MapUniform()(x, 4, 2)", "i[8]<8", {"order": 0}),
            ("move_to_primitive", "ops.MoveTo()(x, 'CPU') * x", {"reference": "x * x", "reason": NO_KERNEL}),
            ("update_state", "ops.UpdateState()(x, x * 2) * x", {"reference": "x * x", "reason": NO_KERNEL}),
            ("dynamic_shape", "x + ops.DynamicShape()(x)[1]", {"reference": "x + 3", "reason": NO_KERNEL}),
            (
                "scalar_to_array",
                "x * ops.scalar_to_array(2.0)",
                {"faces": ("x * ops.ScalarToArray()(2.0)",), "reference": "x * 2", "reason": NO_KERNEL},
            ),
            ("partial_primitive", "ops.Partial()(ops.mul, x)(x)", {}),
            (
                "partial_of_keywords",
                "ops.partial(lambda a, b: a * b, b=x)(x) + ops.Partial()(lambda a, b: a * b, b=x)(x)",
                {"reference": "2 * x * x", "reason": "MindSpore 2.10 takes keywords in GRAPH_MODE alone"},
            ),
            ("reusing", "ops.Reusing()(ops.sin)(x)", {}),
            ("morph", "ops.Morph(lambda x: x * x, None, None)(x)", {"reference": "x * x", "reason": NO_KERNEL}),
            ("hyper_add", "ops.hyper_add((x, 1.0), (x, 2.0))[0] * x", {}),
            ("mixed_precision_cast", "ops.mixed_precision_cast(ms.float64, (x, 1))[0] * x", {"exact_slope": False}),
            ("init_flag", "x * x if x.set_init_flag(True) is None and x.is_init() else x", {"reference": "x * x"}),
            ("waited_for", "x if x.data_sync() is x.wait_pipeline() else x + 1", {"reference": "x"}),
            ("hooks", "x + len(x.hooks())", {"reference": "x"}),
            ("stride", "x * x.stride(0)", {"reference": "x * 3"}),
            ("sum_to_size", "x.sum_to_size(2, 1) * x", {"reference": "x.sum(1, keepdims=True) * x"}),
            ("sum_to_size_of_fewer", "x.sum_to_size((3,)) * x", {"reference": "x.sum(0) * x"}),
            ("assign_value_cpp", "(x * 1).assign_value_cpp(x * 2)", {"reference": "x * 2"}),
            (
                "soft_shrink",
                "x.soft_shrink(0.3)",
                {
                    "reference": "np.sign(x) * np.maximum(np.abs(x) - np.float32(0.3), 0)",
                    "reason": "MindSpore 2.10 warns when it is called, and cannot in GRAPH_MODE",
                },
            ),
        ]
    )
    + rows(
        [
            (
                "all_to_all_v",
                "ops.AlltoAllV()(x, [6], [6]) * x",
                {
                    "faces": (
                        "ops.AlltoAllV('hccl_world_group', 2)(x, [3], [3]) * x",
                        "ops.AlltoAllVC()(x, [6]) * x",
                        "ops.AllGatherV()(x, [6]) * x",
                        "ops.ReduceScatterV()(x, [6]) * x",
                    ),
                },
            ),
            ("copy_with_slice", "ops.CopyWithSlice()(x * 0, x) * x", {"order": 0}),
            (
                "set_",
                "(x * 0).set_(x * 1, 1, (2, 2), (2, 1)) * 2",
                {"order": 0, "reference": "2 * x[1:5].reshape(2, 2)"},
            ),
        ],
        spec="f[6]",
        reference="x * x",
        reason=_PROCESSES,
    )
    + rows(
        [
            ("unfold_method", "x.unfold((3, 2), 1, 1, 2)", "f[1,2,5,4]", {}),
            ("fold_method", "x.fold(Tensor([4, 4], ms.int32), 2)", "f[1,8,9]", {}),
            (
                "col2im_method",
                "x.col2im(Tensor([4, 4], ms.int32), [2, 2], [1, 1], [0, 0], [1, 1])",
                "f[1,2,4,9]",
                {},
            ),
        ],
        golden_order=0,
        reason="MindSpore 2.10 has no derivatives of it on a CPU",
    )
)
ERRORS = [
    ("ops.AlltoAllV()(ops.ones(6), [5], [6])", ValueError, "For 'AlltoAllV', the 'send_numel_list' must be [6]"),
    ("ops.ones((2, 3)).sum_to_size(2)", ValueError, "For 'sum_to_size', the 'size' must be a shape that broadcasts"),
    ("ops.ones(3).set_(ops.ones(2), 1, (2,), (1,))", RuntimeError, "of an allocated storage that is large enough"),
    ("ops.ones(3).set_(ops.ones(2, ms.int32))", RuntimeError, "For 'set_', the 'source' must be of dtype"),
    ("ops.ones(3).to_coo()", ValueError, "must be a Tensor with two axes"),
    ("ops.ones(3).to_csr()", ValueError, "must be a Tensor with two axes"),
    ("ops.CopyWithSlice()(ops.ones(2), ops.ones(2, ms.int32))", RuntimeError, "must be of the dtype of 'x'"),
    ("ops.scalar_to_array('a')", TypeError, "For 'ScalarToArray', the 'input_x' must be a bool, an int or a float"),
    ("ops.Reusing()(1)", TypeError, "the 'input_x' must be a function"),
]
