"""Compiles operations, layers and training steps for an H100 and a TPU v5e, by their real compilers, without a chip.

``.ci/accelerators`` runs it: the extra ``accelerators`` brings the compilers (6 GB). A compiler may abort its process:
each works in one of its own, which is started again.
"""
