"""Arrays as JSON, in golden files: what the makers write and the tests read."""

import numpy as np


def encoded(array):
    """The dtype, shape and elements of an array; floats have the digits of their own dtype."""
    array = np.asarray(array)
    if array.dtype.kind == "c":
        raise TypeError("complex")
    data = [float(str(value)) for value in array.ravel()] if array.dtype.kind == "f" else array.ravel().tolist()
    return {"dtype": str(array.dtype), "shape": list(array.shape), "data": data}


def decoded(figure):
    """The array of what `encoded` returned."""
    return np.array(figure["data"], figure["dtype"]).reshape(figure["shape"])
