"""Families of operations that differ by one function; each is a table row."""

from ..._contracts import check, contracts
from ..._contracts.doc import filled
from ..._contracts.signature import function, parse
from ...tensor import promotion
from ...tensor.c_casts import convert
from .define import importing, op
from .faces import FUNCTIONS, register

_UNARY = """{summary}

    Args:
        {argument} (Tensor): any shape.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if ``{argument}`` is not a Tensor, or of a dtype that MindSpore refuses.
    Example:
        >>> ops.{name}(Tensor([{at}])).tolist()
        [{value}]
    Source: {sources}
    """
_BINARY = """{summary}

    Args:
        {first}, {second} ({kinds}): shapes that broadcast.
    Returns:
        Tensor of the broadcast shape.
    Raises:
        TypeError: if an operand is neither, or the dtypes do not go together.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.{call}(Tensor([{left}]), Tensor([{right}])).tolist()
        [{value}]
    Source: {sources}
    """


def body(text, compute, doc, further=None, **fields):
    """The body of a row of a family, for `op`.

    Args:
        text (str): its name and signature, with contracts: ``"addr(x: Array, vec1: Array, *, beta: Operand = 1)"``.
        compute (callable): of all parameters, in order.
        doc (str): the docstring of the family, with ``{word}`` where the rows differ.
        further (dict): further contracts that ``text`` names. Default: ``None``.
        fields (dict): the values of the docstring's other fields; ``{name}`` is the operation's name.
    Returns:
        function.
    """
    name, sig = parse(text, contracts.NAMES | (further or {}))
    result = function(name, sig, f"_compute({', '.join(sig.parameters)})", {"_compute": compute}, at_once=True)
    result.__signature__ = sig
    result.__module__ = getattr(compute, "__module__", __name__)
    result.__doc__ = filled(doc, name=name, **fields)
    return result


def sources(name, primitives=(), methods=()):
    """The MindSpore names of a row, for ``Source:`` in its docstring."""
    primitives = (primitives,) if isinstance(primitives, str) else primitives
    functions = [] if name.startswith("_") else [name]
    functions += [each.partition("(")[0] for each in primitives]
    return ", ".join([f"mindspore.ops.{each}" for each in functions] + [f"mindspore.Tensor.{each}" for each in methods])


def _written(number):
    """A number as Python source text."""
    return repr(number) if number - number == 0 else f'float("{number}")'


def alias(face, *names):
    """Registers a function under further names."""
    for name in names:
        register(FUNCTIONS, name, face)
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
        dtypes (str): its row of `promotion.unary_dtype`, or ``'any'`` to keep the operand's dtype. Default: the row
            ``name``.
    Returns:
        The function.
    """
    row = dtypes or name

    def compute(x):
        return function(x if row == "any" else x.astype(promotion.unary_dtype(row, x.dtype)))

    at, value = example
    methods = (name, *aliases) if method else ()
    fields = {"at": _written(at), "value": repr(value), "sources": sources(name, primitive or (), methods[:1])}
    definition = body(f"{name}({argument}: Array)", compute, _UNARY, summary=summary, argument=argument, **fields)
    face = op(primitive or (), method=methods)(definition)
    return alias(face, *aliases)


def promoted(kind, x, y):
    """``x`` and ``y`` promoted to MindSpore's common dtype for operations of the family ``kind``."""
    check.broadcastable(x.shape, y.shape, promotion.FAMILIES[kind].name)
    zero_d = None if (x.ndim == 0) == (y.ndim == 0) else "right" if x.ndim else "left"
    dtype = promotion.result_dtype(kind, x.dtype, y.dtype, zero_d)
    return convert(x, dtype), convert(y, dtype)


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
    accepts="Operand",
):
    """Defines an elementwise function of two operands, which are broadcast against each other.

    Args:
        name (str): of the function and of the method; a private name defines only the Primitive.
        primitive (str | tuple[str] | None): of the Primitive class.
        kind (str): the family of `promotion.result_dtype`.
        function (callable): of two arrays of the same dtype.
        summary (str): what it computes.
        example (tuple): two arguments and the value, as Python numbers.
        method (bool): whether it is a Tensor method too.
        arguments (tuple[str]): the parameters' names.
        aliases (tuple[str]): further names of the function and the method.
        accepts (str): the contract of both operands. Default: ``"Operand"``, a Tensor or a number.
    Returns:
        The function.
    """

    def compute(x, y):
        return function(*promoted(kind, x, y))

    left, right, value = example
    first, second = arguments
    is_private = name.startswith("_")
    methods = (name, *aliases) if method and not is_private else ()
    definition = body(
        f"{name}({first}: {accepts}, {second}: {accepts})",
        compute,
        _BINARY,
        summary=summary,
        first=first,
        second=second,
        call=f"{primitive}()" if is_private else name,
        kinds="Tensor" if accepts == "Array" else "Tensor | Number",
        left=_written(left),
        right=_written(right),
        value=repr(value),
        sources=sources(name, primitive or (), methods[:1]),
    )
    definition.__module__ = importing()  # that of the table
    face = op(primitive or (), method=methods)(definition)
    face.op.kind = kind
    return alias(face, *aliases)
