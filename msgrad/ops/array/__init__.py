"""Making, casting, reshaping, joining, splitting and padding Tensors."""

from . import (  # noqa: F401  each registers its operations
    assignment,
    axes,
    casting,
    concatenation,
    creation,
    data_format,
    diagonal_bands,
    diagonals,
    dtype_numbers,
    identity,
    inplace,
    inplace_functions,
    padding,
    ragged,
    rearrange,
    reshaping,
    sequences,
    space_to_depth,
    splitting,
    storage,
)
