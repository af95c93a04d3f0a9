"""Operations on functions: loops, mapping over nests, user functions, gradients, debugging and summaries."""
