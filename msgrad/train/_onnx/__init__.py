"""Networks as ONNX models: programs of JAX's that jax2onnx converts, and onnxruntime runs as a check."""
