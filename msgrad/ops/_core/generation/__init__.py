"""Generated on first use: the functions, methods and classes of rows, with their signatures and docstrings."""
