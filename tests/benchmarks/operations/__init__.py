"""Single operations at real sizes beside PyTorch: ``python -m tests.benchmarks.operations --torch PYTHON``.

Each row of `rows` is a line that a user writes, run in PYNATIVE_MODE and by PyTorch, eagerly, in turns, one stopped
while the other runs. The first calls are not counted, so what is compiled is compiled; then the median processor time
of a call counts, all threads together, and its ratio to PyTorch's. A result of msgrad's is waited for at each call,
except where a row is a small operation: that is called many times in a row.
"""
