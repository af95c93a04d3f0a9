"""Aliases of operations, and small ones: each row is another name for an operation."""

from .case import NO_SECOND, rows

CASES = (
    rows(
        [
            (
                "transposed",
                "ops.t(x)",
                {"faces": ("x.t()", "ops.TransposeView()(x, (1, 0))", "ops.TransposeExtView()(x, 0, 1)")},
            ),
            ("adjoint", "ops.adjoint(x)", {"faces": ("x.adjoint()", "x.mH", "ops.ConjugateTranspose()(x, (1, 0))")}),
            ("reshape_", "ops.reshape_(x, (3, 2))", {}),
            ("shape_", "x * ops.shape_(x)[1]", {}),
            ("expand_primitive", "ops.Expand()(x, Tensor([2, 2, 3]))", {}),
            ("select_view", "ops.SelectView()(x, 0, 1)", {"reason": NO_SECOND}),
            ("tensor_slice", "ops.tensor_slice(x, (0, 1), (1, 2))", {"golden_order": 1, "reason": NO_SECOND}),
            ("row_stack", "ops.row_stack((x, x))", {"faces": ("ops.ParallelConcat()((x, x))",)}),
            ("pack", "ops.stack((x, x))", {"faces": ("ops.Pack(0)((x, x))",)}),
            ("unpack", "ops.unstack(x)[1]", {"faces": ("ops.Unpack(0)(x)[1]",)}),
            ("split_by_lengths", "ops.SplitV([1, -1], 1, 2)(x)[1]", {"reference": "x[:, 1:]"}),
            (
                "gather_names",
                "ops.gather(x, Tensor([1, 0]), 0)",
                {
                    "faces": ("ops.GatherV2()(x, Tensor([1, 0]), 0)", "ops.SparseGatherV2()(x, Tensor([1, 0]), 0)"),
                },
            ),
            ("roll_primitive", "ops.Roll(1, 0)(x)", {"reference": "np.roll(x, 1, 0)"}),
            ("matrix_band_part_primitive", "ops.MatrixBandPart()(x, 1, 0)", {}),
            ("diag_part", "ops.DiagPart()(x[:, :2])", {}),
            (
                "mirror_pad",
                "ops.mirror_pad(x, Tensor([[1, 0], [2, 1]]), 'REFLECT')",
                {
                    "faces": ("ops.MirrorPad('REFLECT')(x, Tensor([[1, 0], [2, 1]]))",),
                },
            ),
            ("mirror_pad_edge", "ops.MirrorPad('SYMMETRIC')(x, Tensor([[1, 0], [2, 1]]))", {}),
            ("padding", "ops.padding(x[:, :1], 4)", {"faces": ("ops.Padding(4)(x[:, :1])",)}),
            ("identities", "ops.IdentityN()((x, x))[1] * x", {}),
            ("deepcopy", "ops.deepcopy(x) * x", {}),
            ("move_to", "ops.move_to(x, 'CPU') * x", {"faces": ("x.move_to('CPU') * x",), "reference": "x * x"}),
            (
                "fills",
                "ops.fills(x, 5.0) * x",
                {
                    "faces": ("ops.Fills()(x, 5.0) * x", "x.fills(5.0) * x"),
                    "reference": "np.float32(5) * x",
                },
            ),
            ("new_empty", "x.new_empty((2, 3)) * 0 + x", {}),
            ("scalar_cast", "x * ops.scalar_cast(2.5, ms.int64)", {"faces": ("x * ops.ScalarCast()(2.5, ms.int64)",)}),
            ("view_as_real", "ops.view_as_real(x.astype(ms.complex64))", {"golden_order": 0, "order": 0}),
            ("storage_offset", "x + x.storage_offset()", {"reference": "x"}),
            ("memory", "x + x.is_pinned() + x.is_shared() + x.is_meta", {"reference": "x"}),
            ("set_const_arg", "x.set_const_arg() * x", {"reference": "x * x"}),
            ("flush_from_cache", "x if x.flush_from_cache() is None else x + 1", {"reference": "x"}),
            ("zero_", "ops.zero_(x * 1) + x", {"reference": "x"}),
            (
                "put_",
                "ops.put_(x * 1, Tensor([0, 4]), x[0, :2] * 0 + 5.0) * x",
                {
                    "reference": "x * np.where(np.eye(2, 3), np.float32(5), x)",
                },
            ),
            ("tril_indices_primitive", "ops.TrilIndices(2, 3, 0)()[0] + x[0, 0]", {}),
            ("triu_indices_primitive", "ops.TriuIndices(2, 3, 0)()[0] + x[0, 0]", {}),
            ("tensor_range", "ops.tensor_range(Tensor(0), Tensor(6), Tensor(2)) + x", {}),
            ("logspace_primitive", "ops.LogSpace(3, 10)(Tensor(0.0), Tensor(2.0)) + x", {}),
        ],
    )
    + rows(
        [
            ("unique_with_pad_primitive", "ops.UniqueWithPad()(x, 0)[0]", "i[5]<3", {"order": 0, "looks": True}),
        ],
    )
    + rows(
        [
            (
                "inplace_index_add",
                "ops.inplace_index_add(x, Tensor([1], ms.int32), y, 0) + x",
                {
                    "faces": ("ops.InplaceIndexAdd(0)(x, Tensor([1], ms.int32), y) + x",),
                },
            ),
            (
                "scatter_non_aliasing_add",
                "ops.ScatterNonAliasingAdd()(x, Tensor([[1]], ms.int32), y) + x",
                {"reference": "2 * (x + np.float32([[0], [1]]) * y)"},
            ),
        ],
        shapes=((2, 3), (1, 3)),
        parameters=1,
        order=0,
    )
)
