"""What parameters take, said by annotations: contracts, checks, signatures and docstrings."""
