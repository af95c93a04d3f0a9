"""What is lowered otherwise than by JAX, for one kind of device."""
