"""Networks of real sizes beside PyTorch on a CPU: ``python -m tests.benchmarks.real --torch PYTHON``.

Each version of a row has a process of its own, which is stopped while it is not its turn. The table gives processor
time and wall time of the first step, with compilation, and the median of steps after two more, and the process's peak
memory. PyTorch's threads wait passively (``OMP_WAIT_POLICY=passive``): processor time counts no idle waiting.

| module | what it answers |
|---|---|
| `rows` | Which networks, sizes and precisions? |
| `bert`, `llama`, `lstm`, `unet`, `yolo` | How is a network written in MindSpore and PyTorch, and BERT in JAX? |
| `convolutional` | How are other networks of convolutions written once for both? |
| `forward` | How is a network run without gradients? Training steps are those of `accelerator.training`. |
| `worker` | What does the process of a version do? |
"""
