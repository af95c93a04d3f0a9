"""The definition of operations: bodies, faces, Primitives and views."""
