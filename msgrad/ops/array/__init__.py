"""Creating, casting, reshaping, concatenating, splitting and padding Tensors."""
