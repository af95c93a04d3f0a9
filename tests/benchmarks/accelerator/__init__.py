"""One command that checks and times msgrad on an accelerator: ``python -m tests.benchmarks.accelerator``.

Each part runs in a process of its own, with its own time limit and an empty cache; those that say most come first.
Groups of timed parts compile side by side, beside the checks; while one is timed, all other processes are stopped.
A part that fails or runs out of time is named, and the others go on.
"""
