"""Operations at shapes that never come again, as at last batches and in ragged data."""

import numpy as np
from mindspore import Tensor, ops

OPERATIONS = [
    lambda x: x + x,
    ops.gelu,
    lambda x: x.sum(),
    lambda x: ops.matmul(x, x.T),
    ops.softmax,
    lambda x: x[1:],
    lambda x: ops.concat([x, x]),
    lambda x: x.reshape(-1),
]
for rows in range(3, 43):
    x = Tensor(np.ones((rows, 7), np.float32))
    for operation in OPERATIONS:
        operation(x).asnumpy()
