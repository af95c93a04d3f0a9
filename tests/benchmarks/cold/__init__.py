"""From the start of a process to its first results: ``python -m tests.benchmarks.cold``.

Each program beside this file is a MindSpore script that knows nothing of msgrad. `by_hand` has the same written for
`jax.jit`, `by_torch` some of it for PyTorch. It runs in fresh processes: by msgrad with an empty folder of compiled
programs and again with what that left, the same with everything compiled at once (``MSGRAD_TIERS=off``), by JAX with
its persistent cache, by MindSpore and by PyTorch.
What is counted is the processor time of the whole process, imports included.
"""
