"""How an operation is defined: bodies, faces, Primitives and views."""
