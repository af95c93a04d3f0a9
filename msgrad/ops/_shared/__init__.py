"""Functions of arrays that several families of operations share; no operation is defined here."""
