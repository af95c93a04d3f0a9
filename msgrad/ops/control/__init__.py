"""Operations on functions: loops, maps over nested containers, user functions, gradients, debugging and summaries."""
