"""``mindspore.safeguard``: obfuscation of a network's weights, which is not supported."""

import sys

from ...ops.legacy.left_out import leave_out

_HIDDEN = (
    "it hides weights by a scheme of MindSpore's alone",
    "Encrypt the checkpoint: save_checkpoint(..., enc_key=..., enc_mode=...).",
)
_LEFT_OUT = [
    (
        "load_obf_params_into_net(network, target_modules=None, obf_ratios=None, obf_config=None, data_parallel_num=1, "
        "**kwargs)",
        _HIDDEN,
    ),
    (
        "obfuscate_ckpt(network, ckpt_files, target_modules=None, obf_config=None, saved_path='./', "
        "obfuscate_scale=100)",
        _HIDDEN,
    ),
]

__all__ = leave_out(sys.modules[__name__], "safeguard", _LEFT_OUT)
