"""How a deep program of small arrays is separated into parts, across which XLA does not fuse."""
