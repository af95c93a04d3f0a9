"""Families of operations that differ by one function: a row of a table defines each."""

import inspect

from ..tensor import promotion
from . import check
from .define import FUNCTIONS, Array, Operand, op


def named(function, **parameters):
    """``function`` of arrays with its parameters named, and annotated, as ``parameters`` say."""
    signature = inspect.Signature(
        [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in parameters]
    )

    def body(*args, **kwargs):
        return function(*signature.bind(*args, **kwargs).args)

    body.__signature__ = signature
    body.__annotations__ = dict(parameters)
    return body


def documented(body, name, text):
    """``body`` under the name and with the docstring of a row."""
    body.__name__ = body.__qualname__ = name
    body.__doc__ = text
    return body


def _sources(name, primitive, method):
    primitives = (primitive,) if isinstance(primitive, str) else primitive or ()
    names = [f"ops.{name}", *(f"ops.{each}" for each in primitives), *([f"Tensor.{name}"] if method else [])]
    return ", ".join(f"mindspore.{each}" for each in names)


def _written(number):
    """A number as Python reads it."""
    return repr(number) if number - number == 0 else f'float("{number}")'


def alias(face, *names):
    """Gives a function further names."""
    for name in names:
        if name in FUNCTIONS:
            raise NameError(f"'{name}' is defined twice: it cannot be an alias of '{face.__name__}'.")
        FUNCTIONS[name] = face
    return face


def unary(name, primitive, function, summary, example, method=True, argument="input", aliases=(), dtypes=None):
    """Defines an elementwise function of one Tensor.

    Args:
        name (str): of the function, and of the method.
        primitive (str | tuple[str] | None): of the Primitive class.
        function (callable): of one array.
        summary (str): what it computes.
        example (tuple): an argument and its value, as Python numbers.
        method (bool): whether it is a Tensor method too.
        argument (str): the parameter's name.
        aliases (tuple[str]): further names of the function and the method.
        dtypes (str): the row of `promotion.unary_dtype` that holds for it, or ``'any'`` to leave the operand alone.
            Default: that of ``name``.
    Returns:
        The function.
    """
    row = dtypes or name

    def compute(x):
        return function(x if row == "any" else x.astype(promotion.unary_dtype(row, x.dtype)))

    at, value = example
    sources = _sources(name, primitive, method)
    text = f"""{summary}

    Args:
        {argument} (Tensor): any shape.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if ``{argument}`` is not a Tensor, or of a dtype that MindSpore refuses.
    Example:
        >>> ops.{name}(Tensor([{_written(at)}])).tolist()
        [{value!r}]
    Source: {sources}
    """
    body = documented(named(compute, **{argument: Array}), name, text)
    face = op(primitive, method=(name, *aliases) if method else None)(body)
    return alias(face, *aliases)


def promoted(kind, x, y):
    """``x`` and ``y`` in the dtype that MindSpore computes in for operations of the family ``kind``."""
    check.broadcastable(x.shape, y.shape, promotion.FAMILIES[kind].name)
    zero_d = None if (x.ndim == 0) == (y.ndim == 0) else "right" if x.ndim else "left"
    dtype = promotion.result_dtype(kind, x.dtype, y.dtype, zero_d)
    return x.astype(dtype), y.astype(dtype)


def binary(
    name,
    primitive,
    kind,
    function,
    summary,
    example,
    method=True,
    arguments=("input", "other"),
    aliases=(),
    accepts=None,
):
    """Defines an elementwise function of two operands, which are broadcast against each other.

    Args:
        name (str): of the function, and of the method.
        primitive (str | tuple[str] | None): of the Primitive class.
        kind (str): the family of `promotion.result_dtype`.
        function (callable): of two arrays of one dtype.
        summary (str): what it computes.
        example (tuple): two arguments and the value, as Python numbers.
        method (bool): whether it is a Tensor method too.
        arguments (tuple[str]): the parameters' names.
        aliases (tuple[str]): further names of the function and the method.
        accepts (type): what an operand may be. Default: `Operand`, a Tensor or a number.
    Returns:
        The function.
    """

    def compute(x, y):
        return function(*promoted(kind, x, y))

    left, right, value = example
    first, second = arguments
    sources = _sources(name, primitive, method)
    text = f"""{summary}

    Args:
        {first}, {second} (Tensor{" | Number" if accepts is None else ""}): shapes that broadcast.
    Returns:
        Tensor of the broadcast shape.
    Raises:
        TypeError: if an operand is neither, or the dtypes do not go together.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.{name}(Tensor([{_written(left)}]), Tensor([{_written(right)}])).tolist()
        [{value!r}]
    Source: {sources}
    """
    operand = accepts or Operand
    body = documented(named(compute, **{first: operand, second: operand}), name, text)
    face = op(primitive, method=(name, *aliases) if method else None)(body)
    face.op.kind = kind
    return alias(face, *aliases)
