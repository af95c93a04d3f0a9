"""One row of the tables of operations that the tests check. It needs numpy alone: MindSpore reads it too."""

import dataclasses
import re
import zlib

import numpy as np

NAMES = ("x", "y", "z", "u", "v", "w")
_SPEC = re.compile(r"(?P<kind>[a-z]+\d*)\[(?P<shape>[\d,]*)\](<(?P<count>\d+)|\((?P<domain>[^)]+)\))?")
_DTYPES = {"b": "bool", "c64": "complex64", "c128": "complex128", "f": "float32", "i": "int64", "u": "uint"}
NO_SECOND = "MindSpore 2.10 has no second derivative of it"
NO_KERNEL = "MindSpore 2.10 has no kernel of it for CPUs"


@dataclasses.dataclass(frozen=True)
class OpCase:
    """An expression over Tensors ``x``, ``y``, ``z``, ..., and how its inputs are made.

    Args:
        name (str): of the row; golden figures are found by it.
        expression (str): over the inputs and the names ``ms``, ``mnp``, ``ops``, ``nn`` and ``Tensor``.
        spec (str): the inputs in order, ``"f[2,3](0.1,2) i32[4]<3 b[2]"``: dtype (``f`` float32, ``i`` int64, ``b``
            bool, ``f16``, ``i32``, ``u8``, ``c64``), shape, and from where to where the numbers go, or below which
            count. The row is differentiated by the floating ones; float32 ones also take the ``dtypes``. Instead of
            ``shapes`` and ``domain``.
        shapes (tuple): shapes of the inputs, in order. Default: one input of shape ``(2, 3)``.
        domain (tuple): the inputs' smallest and largest value, or one such pair for each input. Default: ``(-2, 2)``.
        order (int): how often it can be differentiated. Default: ``2``.
        golden_order (int): up to which order MindSpore 2.10's derivatives are right, and so figures. Default: ``2``.
        faces (tuple): other expressions that mean the same.
        dtypes (tuple): names of further dtypes that all inputs may have; values alone are checked.
        elementwise (bool): whether each element of the result comes from one element of each input.
        parameters (int): how many inputs, the first ones, are Parameters of a Cell, for operations that write to them.
        reference (str): the value as a NumPy expression over ``np`` and the inputs, if MindSpore 2.10 cannot compute it
            on a CPU, or there is no MindSpore. Without a golden file the tests compute it.
        exact_slope (bool): whether finite differences tell the derivative. Not where values are rounded on the way: by
            a cast, whose derivative is the identity, or by a loss, which computes in float32. Default: ``True``.
        rtol (float): relative tolerance. Default: ``1e-5``.
        platforms (tuple): the kinds of device that it lowers for. Default: all.
        looks (bool): whether it reads values, and so is neither mapped nor traced. Default: ``False``.
        reason (str): why ``rtol`` is not the default, or why the golden figures are less than ``order`` promises.
    """

    name: str
    expression: str
    spec: str = ""
    shapes: tuple = ((2, 3),)
    domain: tuple = (-2.0, 2.0)
    order: int = 2
    golden_order: int = 2
    faces: tuple = ()
    dtypes: tuple = ()
    elementwise: bool = False
    parameters: int = 0
    reference: str = ""
    exact_slope: bool = True
    rtol: float = 1e-5
    platforms: tuple = ("cpu", "cuda", "tpu")
    looks: bool = False
    reason: str = ""

    def drawn(self):
        """Yields dtype, shape, smallest and largest value of each input."""
        if not self.spec:
            domains = self.domain if isinstance(self.domain[0], tuple) else (self.domain,) * len(self.shapes)
            for shape, (low, high) in zip(self.shapes, domains, strict=True):
                yield "float32", shape, low, high
        for text in self.spec.split():
            yield parsed(text)

    def inputs(self, dtype="float32"):
        """Returns the inputs as numpy arrays, always the same ones; those of floating dtypes are the float32 ones."""
        random = np.random.RandomState(zlib.crc32(self.name.encode()))
        return [array_of(random, *drawn, dtype) for drawn in self.drawn()]

    def held(self):
        """The names of the inputs that it is not differentiated by: those of no floating dtype."""
        return [name for name, (own, *_) in zip(NAMES, self.drawn(), strict=False) if not own.startswith("float")]

    def cotangents(self, like):
        """Returns one fixed direction for each array of ``like``, of its shape and dtype."""
        random = np.random.RandomState(zlib.crc32(self.name.encode()) ^ 1)
        return [np.asarray(random.uniform(0.5, 1.5, array.shape)).astype(array.dtype) for array in like]


def array_of(random, own, shape, low, high, dtype="float32"):
    """An array that ``random`` draws, as `parsed` says it; of ``dtype`` where its own is float32."""
    if own == "float32":
        values = np.asarray(random.uniform(low, high, shape), np.float32)
        return (np.ceil(values) if np.dtype(dtype).kind in "iu" else values).astype(dtype)
    if own.startswith("complex"):
        parts = random.uniform(low, high, (2, *shape))
        return np.asarray(parts[0] + 1j * parts[1], own)
    if own.startswith("float"):
        return np.asarray(random.uniform(low, high, shape), own)
    return np.asarray(random.randint(low, high, shape), own)


def parsed(text):
    """Dtype, shape, smallest and largest value that the spec of one input says."""
    match = _SPEC.fullmatch(text)
    if match is None:
        raise ValueError(f"No spec of an input: {text!r}. Write one like 'f[2,3](0.1,2)' or 'i32[4]<3'.")
    kind = match["kind"]
    letter, bits = kind[0], kind[1:]
    dtype = _DTYPES.get(kind) or {"f": "float", "i": "int", "u": "uint"}[letter] + bits
    shape = tuple(int(length) for length in match["shape"].split(",") if length)
    if match["domain"]:
        low, high = (float(end) for end in match["domain"].split(","))
        return dtype, shape, *((low, high) if letter in "fc" else (int(low), int(high)))
    if letter in "fc":
        return dtype, shape, -2.0, 2.0
    return dtype, shape, 0, int(match["count"] or 2)


def rows(table, **common):
    """Makes rows of ``(name, expression, {fields})``, a spec before the fields if need be, and fields in ``common``."""
    made = []
    for name, expression, *spec, fields in table:
        options = {"spec": spec[0]} if spec else {}
        made.append(OpCase(name, expression, **{**common, **options, **fields}))
    return made
