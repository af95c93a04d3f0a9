"""Several processes, side by side: ``python -m tests.benchmarks.distributed``.

msgrad by its launcher, JAX as one writes it by hand (`by_hand`) and MindSpore by msrun have two processes each, then
four, which wait for their turns: AllReduce of three sizes, and data-parallel training steps. Before, each is started
some times: from the launch to the end of the first step of LeNet.
"""
