"""CTC loss, sequence labels, attention, and collectives of one process."""

from .case import NO_KERNEL, NO_SECOND, rows

LOGITS = "f[5,2,4] i[2,3](1,4)"
LENGTHS = "Tensor([5, 4]), Tensor([2, 2])"
CTC_LOSS = "ops.ctc_loss(ops.ones((5, 2, 4)), Tensor([[1, 2, 3], [1, 1, 0]])"
SPARSE_CTC = "ops.CTCLoss()(ops.ones((5, 2, 4)), Tensor([[0, 0], [0, 1], [1, 0]]), Tensor([1, 2, 2], ms.int32)"
SPARSE = "Tensor([[0, 0], [0, 1], [1, 0]]), Tensor([1, 2, 2], ms.int32), Tensor([5, 4], ms.int32)"
LOOKS = {"order": 0, "looks": True}

CTC = rows(
    [
        (
            "ctc_loss",
            f"ops.ctc_loss(ops.log_softmax(x), y, {LENGTHS})[0]",
            LOGITS,
            {"golden_order": 1},
        ),
        (
            "ctc_loss_none",
            f"ops.ctc_loss(ops.log_softmax(x), y, {LENGTHS}, 0, 'none')[0]",
            LOGITS,
            {"faces": (f"ops.CTCLossV2()(ops.log_softmax(x), y, {LENGTHS})[0]",), "golden_order": 1},
        ),
        (
            "ctc_loss_of_no_times",
            "ops.ctc_loss(ops.log_softmax(x), y, Tensor([0, 4]), Tensor([0, 2]), 0, 'none')[0]",
            LOGITS,
            {"golden_order": 0},
        ),
        ("ctc_loss_paths", f"ops.ctc_loss(ops.log_softmax(x), y, {LENGTHS})[1][:, 0, :2]", LOGITS, {"order": 0}),
        ("ctc_loss_sparse", f"ops.CTCLoss()(x, {SPARSE})[0]", "f[5,2,4]", {"golden_order": 0}),
        (
            "ctc_loss_sparse_longer",
            "ops.CTCLoss(ignore_longer_outputs_than_inputs=True)"
            "(x, Tensor([[0, 0], [0, 1], [0, 2], [1, 0]]), Tensor([1, 2, 1, 2], ms.int32), Tensor([2, 4], ms.int32))"
            "[0]",
            "f[5,2,4]",
            {"order": 0},
        ),
        (
            "ctc_greedy_decoder_of_no_times",
            "ops.ctc_greedy_decoder(x, Tensor([-1, 4], ms.int32))[1]",
            "f[6,2,3]",
            LOOKS,
        ),
        ("ctc_loss_sparse_slope", f"ops.CTCLoss()(x, {SPARSE})[1][:4]", "f[5,2,4]", {"order": 0}),
        (
            "ctc_greedy_decoder",
            "ops.ctc_greedy_decoder(x, Tensor([6, 4], ms.int32))[1]",
            "f[6,2,3]",
            {"faces": ("ops.CTCGreedyDecoder()(x, Tensor([6, 4], ms.int32))[1]",), **LOOKS},
        ),
        ("ctc_greedy_decoder_places", "ops.CTCGreedyDecoder(False)(x, Tensor([6, 4], ms.int32))[0]", "f[6,2,3]", LOOKS),
        ("ctc_greedy_decoder_shape", "ops.ctc_greedy_decoder(x, Tensor([6, 4], ms.int32))[2]", "f[6,2,3]", LOOKS),
        (
            "ctc_greedy_decoder_score",
            "ops.ctc_greedy_decoder(x, Tensor([6, 4], ms.int32))[3]",
            "f[6,2,3]",
            LOOKS,
        ),
    ],
    reason=NO_SECOND,
)

WEIGHTS = "(lambda s: np.exp(s) / np.exp(s).sum(-1, keepdims=True))"
ATTENTION = rows(
    [
        (
            "flash_attention_score",
            "ops.flash_attention_score(x, y, z, 1, scalar_value=0.5)",
            "f[2,3,4] f[2,5,4] f[2,5,4]",
            {"reference": f"{WEIGHTS}(0.5 * np.einsum('bsd,btd->bst', x, y)) @ z"},
        ),
        (
            "flash_attention_score_heads",
            "ops.flash_attention_score(x, y, z, 2, input_layout='BNSD', sparse_mode=2)",
            "f[2,2,3,4] f[2,1,3,4] f[2,1,3,4]",
            {
                "reference": f"{WEIGHTS}(np.where(np.tri(3) > 0, np.einsum('bnsd,bmtd->bnst', x, y),"
                " np.float32(-1e9))) @ z",
            },
        ),
        (
            "flash_attention_score_masked",
            "ops.flash_attention_score(x, y, z, 1, attn_mask=Tensor([[0, 1], [0, 0]], ms.uint8), input_layout='SBH')",
            "f[2,1,4] f[2,1,4] f[2,1,4]",
            {
                "reference": f"({WEIGHTS}(np.where(np.tri(2) > 0, np.einsum('sbd,tbd->bst', x, y),"
                " np.float32(-1e9))) @ z.swapaxes(0, 1)).swapaxes(0, 1)",
            },
        ),
        (
            "prompt_flash_attention",
            "ops.prompt_flash_attention(x, y, z, None, None, [3], scale_value=0.5)",
            "f[1,3,4] f[1,5,4] f[1,5,4]",
            {"reference": f"{WEIGHTS}(0.5 * np.einsum('bsd,btd->bst', x, y[:, :3])) @ z[:, :3]"},
        ),
        (
            "incre_flash_attention",
            "ops.incre_flash_attention(x, [y], [z], Tensor([[0, 0, 1]], ms.uint8), num_heads=2, input_layout='BNSD')",
            "f[1,2,1,4] f[1,1,3,4] f[1,1,3,4]",
            {"reference": f"{WEIGHTS}(np.einsum('bnsd,bmtd->bnst', x, y[:, :, :2])) @ z[:, :, :2]"},
        ),
        (
            "fused_infer_attention_score",
            "ops.fused_infer_attention_score(x, y, z, pse_shift=u, scale=0.5)[0]",
            "f[1,3,4] f[1,5,4] f[1,5,4] f[1,1,3,5]",
            {"reference": f"{WEIGHTS}(0.5 * np.einsum('bsd,btd->bst', x, y) + u[0]) @ z"},
        ),
        (
            "rotary_position_embedding",
            "ops.rotary_position_embedding(x, y, z)",
            "f[2,4] f[2,4] f[2,4]",
            {"reference": "x * y + np.concatenate([-x[:, 2:], x[:, :2]], 1) * z"},
        ),
        (
            "rotary_position_embedding_pairs",
            "ops.rotary_position_embedding(x, y, z, 1)",
            "f[2,4] f[2,4] f[2,4]",
            {"reference": "x * y + np.stack([-x[:, 1::2], x[:, ::2]], -1).reshape(2, 4) * z"},
        ),
    ],
    reason=NO_KERNEL,
)

ALONE = rows(
    [
        (
            "all_reduce",
            "ops.AllReduce()(x)",
            {
                "faces": (
                    "ops.AllGather()(x)",
                    "ops.ReduceScatter()(x)",
                    "ops.Reduce(0)(x)",
                    "ops.CollectiveGather(0)(x)",
                    "ops.CollectiveScatter(0)(x)",
                    "ops.AlltoAll(1, 0, 0)(x)",
                    "ops.Broadcast(0)((x,))[0]",
                    "(ops.Barrier()(), x)[1]",
                ),
                "reference": "x",
            },
        ),
    ],
    reason="MindSpore 2.10 needs several processes",
)

CASES = CTC + ATTENTION + ALONE

ERRORS = [
    (
        f"{SPARSE_CTC}, Tensor([6, 4], ms.int32))",
        RuntimeError,
        "the 'sequence_length' must be made of lengths in [1, 6)",
    ),
    (
        f"{SPARSE_CTC}, Tensor([0, 4], ms.int32))",
        RuntimeError,
        "the 'sequence_length' must be made of lengths in [1, 6)",
    ),
    (
        f"{SPARSE_CTC}, Tensor([1, 4], ms.int32))",
        RuntimeError,
        "must be at least the number of labels of each sequence",
    ),
    (
        f"{SPARSE_CTC}, Tensor([5, 4], ms.int32))".replace("[1, 0]", "[2, 0]"),
        RuntimeError,
        "the 'labels_indices' must be of rows in the range [0, 2), but got 2",
    ),
    (
        "ops.CTCLoss()(ops.ones((5, 2, 4)), Tensor([[0, 0], [1, 0]]), Tensor([1], ms.int32), Tensor([5, 4], ms.int32))",
        ValueError,
        "the 'labels_values' must be of shape (2,)",
    ),
    (
        "ops.ctc_greedy_decoder(ops.ones((5, 2, 4)), Tensor([6, 4], ms.int32))",
        RuntimeError,
        "the 'sequence_length' must be made of numbers of times below 6, but got 6",
    ),
    ("ops.ctc_loss(ops.ones((2, 2)), *[Tensor([[1]])] * 3)", ValueError, "For 'CTCLossV2', the 'targets' must be"),
    (f"{CTC_LOSS}, Tensor([5]), Tensor([2, 2]))", ValueError, "the 'input_lengths' must be of shape (2,)"),
    (f"{CTC_LOSS}, Tensor([5, 4]), Tensor(2))", ValueError, "the 'target_lengths' must be of shape (2,)"),
    (f"{CTC_LOSS}, Tensor([5, 6]), Tensor([2, 2]))", RuntimeError, "the 'input_lengths' must be made of lengths in [0"),
    (f"{CTC_LOSS}, Tensor([5, -1]), Tensor([2, 2]))", RuntimeError, "the 'input_lengths' must be made of lengths"),
    (f"{CTC_LOSS}, Tensor([5, 4]), Tensor([2, 4]))", RuntimeError, "the 'target_lengths' must be made of lengths"),
    (f"{CTC_LOSS}, Tensor([5.0, 4.0]), Tensor([2, 2]))", TypeError, "the 'input_lengths' must be a Tensor of int32"),
    (
        "ops.flash_attention_score(*[ops.ones((1, 2, 4))] * 3, 2, keep_prob=0.5)",
        ValueError,
        "For 'flash_attention_score', the 'drop_mask' must be a mask where 'keep_prob' is below 1",
    ),
]
