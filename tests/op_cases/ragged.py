"""Ragged sequences, mixture of experts, ring and paged attention, the RNN transducer loss."""

from .case import NO_KERNEL, NO_SECOND, rows

LOOKS = {"order": 0, "looks": True}
ONE = "Tensor([[0, 0], [0, 1], [1, 0]]), y, Tensor([2, 2])"
OTHER = "Tensor([[0, 0], [0, 1], [0, 2], [1, 1]]), z, Tensor([2, 3])"
VALUES = "i[3]<3 i[3]<3 i[4]<3"
SEQUENCE = "Tensor([[[1, 2, 1, 2, 5, 1, 2]], [[4, 0, 6, 4, 5, 6, 4]]], ms.int32)"
SOFT = "(lambda s: np.exp(s) / np.exp(s).sum(-1, keepdims=True))"
EXPERTS = "Tensor([[0, 1], [2, 1], [0, 2]], ms.int32)"
PART = "f[2,1,4] f[1,2,2,8] f[1,2,2,8](1,2) f[2,1,4]"
SHARE = "(z / (z + np.exp(np.float32(1)) * z))[0, :, :, :1].transpose(1, 0, 2)[:, None]"
LOGS = "(x - np.log(np.exp(x).sum(-1, keepdims=True)))[0]"
BLOCKS = "f[2,2,4] f[3,2,2,4] f[3,2,2,4]"
KEYS = "{0}.reshape(6, 2, 4)[[2, 3, 0]]"
SECOND = f"np.einsum('nt,tnd->nd', {SOFT}(0.5 * np.einsum('nd,tnd->nt', x[1], {KEYS.format('y')})), {KEYS.format('z')})"
PAGES = "Tensor([[0, 2], [1, 0]], ms.int32), Tensor([1, 3], ms.int32)"

CASES = (
    rows(
        [
            ("edit_distance", f"ops.EditDistance()({ONE}, {OTHER})", VALUES, LOOKS),
            ("edit_distance_whole", f"ops.EditDistance(False)({ONE}, {OTHER})", VALUES, LOOKS),
            ("ragged_range", "ops.RaggedRange(ms.int64)(x, x + Tensor([1, 4, 2]), Tensor([1, 2, 1]))[1]", "i[3]<5",
             LOOKS),
            ("ragged_range_places", "ops.RaggedRange(ms.int32)(x, x - 2, x * 0 - 0.75)[0]", "f[3]", LOOKS),
            ("sparse_slice", "ops.SparseSlice()(x, y, Tensor([3, 3]), Tensor([0, 1]), Tensor([2, 3]))[1]",
             "i[6,2]<3 f[6]", LOOKS),
            ("sparse_slice_places", "ops.SparseSlice()(x, y, Tensor([3, 3]), Tensor([1, 1]), Tensor([5, 5]))[0]",
             "i[6,2]<3 f[6]", LOOKS),
            ("no_repeat_ngram", f"ops.NoRepeatNGram(3)({SEQUENCE}, x)", "f[2,1,8]", {"order": 0}),
            ("no_repeat_ngram_one", f"ops.NoRepeatNGram()({SEQUENCE}, x)", "f[2,1,8]", {"order": 0}),
        ],
        reason=NO_SECOND,
    )
    + rows(
        [
            ("accidental_hits", "ops.ComputeAccidentalHits(2)(x, y)[1]", "i[3,2]<4 i[3]<4",
             {"reference": "np.nonzero(x[:, :, None] == y)[2]", **LOOKS}),
            ("moe_token_permute", f"ops.moe_token_permute(x, {EXPERTS}, 5)[0]", "f[3,2]",
             {"reference": "x[[0, 2, 0, 1, 1]]"}),
            ("moe_token_unpermute", "ops.moe_token_unpermute(x, Tensor([0, 2, 4, 3, 1, 5], ms.int32), y)",
             "f[5,2] f[3,2]",
             {"reference": "(np.append(x, 0 * x[:1], 0)[[0, 2, 4, 3, 1, 5]].reshape(3, 2, 2) * y[..., None]).sum(1)"}),
            ("moe_init_routing", f"ops.moe_init_routing_v2(x, {EXPERTS}, 0, 1, 3, 1, 0, True)[0]", "f[3,2]",
             {"reference": "x[[[0], [0], [1]]]"}),
            ("moe_init_routing_counts", f"ops.moe_init_routing_v2(x, {EXPERTS}, 4, 0, 3, 0, 2, False)[2]", "f[3,2]",
             {"reference": "np.int32([2, 2, 2])", "order": 0}),
            ("moe_init_routing_places", f"ops.moe_init_routing_v2(x, {EXPERTS}, 4, 0, 3, 0, 1, False)[1]", "f[3,2]",
             {"reference": "np.int32([0, 2, 4, 3, 1, 5])", "order": 0}),
            ("ring_attention_update", "ops.ring_attention_update(x, y, z, u, y + 1, z)[0]", PART,
             {"reference": f"(x.reshape(2, 1, 2, 2) * {SHARE} + u.reshape(2, 1, 2, 2) * (1 - {SHARE}))"
              ".reshape(2, 1, 4)"}),
            ("ring_attention_update_sum", "ops.ring_attention_update(x, y, z, u, y + 1, z)[2]", PART,
             {"reference": "z * np.exp(np.float32(-1)) + z"}),
            ("multi_scale_deformable",
             "ops.multi_scale_deformable_attn_function(x, Tensor([[1, 2], [1, 1]]), Tensor([0, 2]), y * 0 + 0.5, z)",
             "f[1,3,1,2] f[1,1,1,2,1,2] f[1,1,1,2,1]",
             {"reference": "((x[:, 0] + x[:, 1]) / 2 * z[..., 0, :] + x[:, 2] * z[..., 1, :])[0]", "order": 1}),
            ("rnnt_loss", "ops.RNNTLoss()(x, Tensor([[1]], ms.int32), Tensor([2], ms.int32), Tensor([1], ms.int32))[0]",
             "f[1,2,2,3]",
             {"reference": f"(lambda p: -(np.logaddexp(p[0, 0, 1] + p[0, 1, 0], p[0, 0, 0] + p[1, 0, 1])"
              f" + p[1, 1, 0])[None])({LOGS})"}),
            ("paged_attention", f"ops.PagedAttention(2, 0.5, 2)(x, y, z, {PAGES})[1]", BLOCKS,
             {"faces": (f"ops.PagedAttentionMask(2, 0.5, 2)(x, y, z, {PAGES})[1]",), "reference": SECOND}),
            ("reshape_and_cache", "(ops.ReshapeAndCache()(y, y, x, x * 1, Tensor([2, -1], ms.int32)), x * 1)[1]",
             "f[2,2,1,3] f[2,1,3]",
             {"faces": ("(ops.reshape_and_cache(y, None, x, None, Tensor([2, -1], ms.int32)), x * 1)[1]",),
              "reference": "np.concatenate([x[0], y[:1], x[1, 1:]]).reshape(x.shape)", "order": 0, "parameters": 1}),
        ],
        reason=NO_KERNEL,
    )
)  # fmt: skip

ERRORS = [
    ("ops.RaggedRange(ms.int64)(Tensor([1]), Tensor([2]), Tensor([0]))", ValueError, "the 'deltas' must be without 0"),
    ("ops.NoRepeatNGram(4)(Tensor([[[1, 2]]]), Tensor([[[0.5]]]))", ValueError, "the 'ngram_size' must be at most 2"),
    ("ops.ComputeAccidentalHits(2)(Tensor([[1]]), Tensor([1]))", ValueError, "the 'true_classes' must be of shape"),
    ("ops.EditDistance()(Tensor([0]), Tensor([1]), (1,), Tensor([[0]]), Tensor([1]), (1,))", ValueError,
     "the 'hypothesis_indices' must be"),
    ("ops.SparseSlice()(Tensor([[0]]), Tensor([1]), (1, 2), (0,), (1,))", ValueError, "the 'indices' must be of shape"),
    ("ops.moe_token_permute(Tensor([[1.0]]), Tensor([0, 1]))", ValueError, "the 'indices' must be of shape"),
    ("ops.moe_token_permute(Tensor([[1.0]]), Tensor([0]), padded_mode=True)", ValueError, "the 'padded_mode' must be"),
    ("ops.moe_init_routing_v2(Tensor([[1.0]]), Tensor([[0]]), 0, 2, 1, 1, 0, False)", ValueError, "'expert_capacity'"),
    ("ops.ring_attention_update(*[Tensor([[[1.0]]])] * 6, layout='TND')", ValueError, "the 'actual_seq_qlen' must be"),
    ("ops.RNNTLoss(5)(ops.ones((1, 1, 1, 3)), ops.zeros((1, 0), ms.int32), Tensor([1]), Tensor([0]))", ValueError,
     "the 'blank_label' must be below 3"),
    ("ops.ReshapeAndCache()(ops.ones((1, 1, 1)))", TypeError, "the 'key_cache' must be a Tensor"),
    ("ops.PagedAttention(2, 1.0, 1, 'PERTOKEN')(*[Tensor([[1]])] * 5)", ValueError,
     "the 'kv_cache_quant_mode' must be"),
]  # fmt: skip
