"""Exports networks as ONNX models: jax2onnx converts the JAX program, and onnxruntime runs the model as a check."""
