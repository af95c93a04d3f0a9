"""From the start of a process to its first results: ``python -m tests.benchmarks.cold``.

Each program beside this file is a MindSpore script that knows nothing of msgrad. It runs in fresh processes: by msgrad
with an empty folder of compiled programs and once more with what that left, the same with everything compiled at once
(``MSGRAD_TIERS=off``), and by MindSpore. What is counted is the processor time of the whole process, imports included.
"""
