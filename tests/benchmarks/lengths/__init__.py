"""Programs whose sizes change at each step, beside PyTorch: ``python -m tests.benchmarks.lengths [--torch PYTHON]``.

`mindspore_model` and `torch_model` are the same transformer with the same weights: a MindSpore program that knows
nothing of msgrad, and its translation. `rows` lists what is done with it; each row runs in a process of its own for
each library, with an empty cache; that of the memory once more without length-polymorphic programs.
What is counted is the processor time of each turn, over all threads: an epoch, or the generation of some tokens.
"""
