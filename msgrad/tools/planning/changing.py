"""What a plan may change in a script: the batches of its datasets, and the precision of its operations."""

import contextlib
import functools

from ...amp import automatic
from ...dataset.node import Dataset
from ...engine import dtypes
from ...engine.handle import scope

PRECISIONS = {"bf16": dtypes.bfloat16, "fp16": dtypes.float16}


class Batches:
    """The batch size of all datasets that the script batches itself.

    Args:
        size (int | None): the number of rows; None leaves the script's.
    Attributes:
        count (int): how many datasets were batched.
    """

    def __init__(self, size):
        self.size, self.count = size, 0

    @contextlib.contextmanager
    def changed(self):
        """Changes ``Dataset.batch`` within a block."""
        batch = Dataset.batch

        @functools.wraps(batch)
        def resized(dataset, batch_size, *args, **kwargs):
            self.count += 1
            return batch(dataset, self.size, *args, **kwargs)

        if self.size is not None:
            Dataset.batch = resized
        try:
            yield self
        finally:
            Dataset.batch = batch


@contextlib.contextmanager
def in_precision(name):
    """Lets operations compute in half precision as ``amp_level="auto"`` does: products lower, sums in float32."""
    if name is not None:
        scope.casting = automatic.strategy_of(PRECISIONS[name])
    try:
        yield
    finally:
        if name is not None:
            scope.casting = None
