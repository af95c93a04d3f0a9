"""Unsupported names of ``mindspore.nn``: they import, and raise an error with an alternative on use."""

import sys

from ..ops.legacy.left_out import leave_out


def _thor(instead):
    why = "it belongs to THOR, a second-order optimizer for clusters, whose layers keep statistics for it alone"
    return why, f"Use {instead} and a first-order optimizer of mindspore.nn."


_ADASUM = "it adds up what several processes have learnt", "In a program of one process use the optimizer itself."
_LEFT_OUT = [
    ("AdaSumByDeltaWeightWrapCell(optimizer)", _ADASUM),
    ("AdaSumByGradWrapCell(optimizer)", _ADASUM),
    (
        "Conv2dThor(in_channels, out_channels, kernel_size, stride=1, pad_mode='same', padding=0, dilation=1, "
        "group=1, has_bias=False, weight_init='normal', bias_init='zeros')",
        _thor("nn.Conv2d"),
    ),
    (
        "DenseThor(in_channels, out_channels, weight_init='normal', bias_init='zeros', has_bias=True, activation=None)",
        _thor("nn.Dense"),
    ),
    (
        "EmbeddingLookupThor(vocab_size, embedding_size, param_init='normal', target='CPU', "
        "slice_mode='batch_slice', manual_shapes=None, max_norm=None, sparse=True)",
        _thor("nn.EmbeddingLookup"),
    ),
    (
        "EmbeddingThor(vocab_size, embedding_size, use_one_hot=False, embedding_table='normal', dtype=float32, "
        "padding_idx=None)",
        _thor("nn.Embedding"),
    ),
    (
        "GetNextSingleOp(dataset_types, dataset_shapes, queue_name)",
        ("it reads the queue of a device", "Iterate over the data set and pass the Tensors on."),
    ),
    (
        "OptTFTWrapper(opt, **kwargs)",
        (
            "it repairs the run of a cluster of Ascend's after a fault",
            "Save checkpoints with train.ModelCheckpoint, and go on from the last one.",
        ),
    ),
    (
        "thor(net, learning_rate, damping, momentum, weight_decay=0.0, loss_scale=1.0, batch_size=32, "
        "use_nesterov=False, decay_filter=lambda parameter: parameter.name not in (), split_indices=None, "
        "enable_clip_grad=False, frequency=100)",
        _thor("the layers of mindspore.nn"),
    ),
]

__all__ = leave_out(sys.modules[__name__], "nn", _LEFT_OUT)
