"""Strategies, layouts and tables of names as ``jax.sharding``: what `sharding` and ``mindspore.parallel`` lower to."""
