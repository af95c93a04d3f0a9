"""Functions as operands: loops, nests, user functions, gradients, and what people look at."""

from . import (  # noqa: F401  each registers its operations
    callables,
    custom,
    debug,
    elementwise_gradients,
    gradient,
    gradient_primitives,
    language,
    loops,
    sequence_primitives,
    summaries,
)
