"""The precisions in which training steps are timed.

- ``bf16``: weights in float32, products in bfloat16;
- ``tf32``: float32, and a GPU may round the inputs of products and convolutions to TF32;
- ``float32``: float32, and it may not;
- ``default``: float32 as the library has it without a setting.
"""

NAMES = ("bf16", "tf32", "float32", "default")


def dtype_of_jax(precision):
    import jax.numpy as jnp

    return jnp.bfloat16 if precision == "bf16" else jnp.float32


def set_in_mindspore(precision):
    """Sets MindSpore's two switches, for products and for convolutions."""
    if precision in ("tf32", "float32"):
        from mindspore.device_context.gpu import op_precision

        op_precision.matmul_allow_tf32(precision == "tf32")
        op_precision.conv_allow_tf32(precision == "tf32")


def set_in_jax(precision):
    import jax

    if precision in ("tf32", "float32"):
        jax.config.update("jax_default_matmul_precision", "tensorfloat32" if precision == "tf32" else "highest")


def set_in_torch(precision):
    import torch

    if precision in ("tf32", "float32"):
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = precision == "tf32"
