"""Making, casting, reshaping, joining, splitting and padding Tensors."""
