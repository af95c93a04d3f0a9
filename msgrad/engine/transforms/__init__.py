"""Transforms of Programs by JAX: transform ops, gradients of integers, users' rules, the chain rule over segments."""
