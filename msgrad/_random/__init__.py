"""MindSpore's own generators of random numbers, on the host: the same seeds give the same numbers, bit for bit."""
