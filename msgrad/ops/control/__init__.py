"""Functions as operands: loops, nests, user functions, gradients, and what people look at."""
