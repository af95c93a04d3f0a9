"""Speed of msgrad beside hand-written JAX, and MindSpore where it is installed: ``python -m tests.benchmarks``."""
