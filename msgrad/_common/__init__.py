"""What programs use of `mindspore.common` beside Tensors, dtypes and initializers: ``jit``, devices, seeds."""
