"""Lowers strategies, layouts and name rules to ``jax.sharding``, for `sharding` and ``mindspore.parallel``."""
