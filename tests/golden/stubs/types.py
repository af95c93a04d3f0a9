"""Types as text: of a parameter, from its contract and its docstring, and of a result, from ``Returns``."""

import enum
import functools
import math
import re

import numpy as np

from msgrad._contracts import contracts
from msgrad._contracts.doc import Doc
from msgrad._contracts.kinds import Made, Optional, Reals, Scalar, Static, TensorOf
from msgrad.engine.dtypes import DType
from msgrad.engine.handle import Handle

ANY = "Any"
_CONTRACTS = {
    contracts.Array: "Tensor",
    contracts.Arrays: "Sequence[Tensor]",
    contracts.Operand: "Tensor | complex",
    contracts.Callable: "Callable[..., Any]",
    contracts.Axes: "int | Sequence[int] | None",
    contracts.Pairs: "Sequence[Sequence[int]]",
    contracts.AsTuple: ANY,
    contracts.AsFloats: ANY,
    contracts.Shape: "int | Sequence[int] | Tensor",
    contracts.Sequence: "Sequence[int] | Tensor",
    contracts.Dtype: "Type",
    **dict.fromkeys([contracts.Ints, contracts.PositiveInts, contracts.IntOrInts], "int | Sequence[int]"),
    **dict.fromkeys([contracts.Real, contracts.PositiveReal, contracts.NonNegativeReal], "float | Tensor"),
    **dict.fromkeys([contracts.Number, contracts.PositiveFloat, contracts.NonNegativeFloat], "float"),
    contracts.Sizes: ANY,
}
# What docstrings call a type, without its items in brackets. Other words are public classes, or say no type.
_WORDS = {
    **{word: word for word in ("Tensor", "int", "float", "bool", "str", "complex", "bytes", "object", "None")},
    "Number": "complex",
    "dict": "dict",
    "list": "list",
    "tuple": "tuple",
    "set": "set",
    "type": "type",
    "slice": "slice",
    "Iterable": "Iterable",
    "iterable": "Iterable",
    "Iterator": "Iterator",
    "OrderedDict": "OrderedDict",
    "callable": "Callable[..., Any]",
    "function": "Callable[..., Any]",
    "mindspore.dtype": "Type",
    "numpy.ndarray": "np.ndarray",
    "ndarray": "np.ndarray",
    "numpy.dtype": "np.dtype",
    "numpy.generic": "np.generic",
    "os.PathLike": "PathLike[str]",
    "SupportsDLPack": "SupportsDLPack",
}
_CONTAINERS = ("list", "tuple", "dict", "set", "Iterable", "Iterator", "OrderedDict", "type")
_PARAMETERS = {"dict": "dict[Any, Any]", "list": "list[Any]", "tuple": "tuple[Any, ...]", "set": "set[Any]",
               "type": "type[Any]", "Iterable": "Iterable[Any]", "Iterator": "Iterator[Any]",
               "OrderedDict": "OrderedDict[Any, Any]", "np.dtype": "np.dtype[Any]"}  # fmt: skip
_MADE = {
    Handle: "Tensor",
    **dict.fromkeys((bool, int, float, complex), "complex"),
    list: "list[Any]",
    tuple: "tuple[Any, ...]",
    np.ndarray: "np.ndarray",
}
_COUNTS = {"two": 2, "2": 2, "three": 3, "3": 3, "four": 4, "4": 4}
_OTHERWISE = re.compile(
    r"\b(or|for|if|where|with|unless)\b.*\b(tuple|list|None|Tensors|dict|int|float|bool|number)\b",
)
_TUPLE = re.compile(r"tuple of (\w+) Tensors\b")


def of_contract(kind):
    """The type of the values that a contract accepts, as users write them; None if it accepts any.

    A Tensor for an int is not among them: documents do not say so.
    """
    if kind is None:
        return None
    if isinstance(kind, Optional):
        inner = of_contract(kind.kind)
        return inner if inner is None or inner.endswith("None") else f"{inner} | None"
    if text := _CONTRACTS.get(kind):
        return text
    if isinstance(kind, TensorOf):
        return "Tensor"
    if isinstance(kind, Made):
        return " | ".join(dict.fromkeys(filter(None, map(_MADE.get, kind.types))))
    if isinstance(kind, Scalar):
        return "float | Tensor"
    if isinstance(kind, Reals):
        return "Sequence[float]"
    return _of_rule(kind.take, kind.types) if isinstance(kind, Static) else None


def joined(enforced, said):
    """The type of what a contract accepts, with what the docstring says besides; None if neither is known."""
    if enforced is None or said is None or "Literal" in enforced or ANY in (enforced, said):
        return enforced or said
    parts = list(split_outside(enforced.replace(" | ", "|"), "|"))
    for part in split_outside(said.replace(" | ", "|"), "|"):
        number, sequence = part in ("int", "float", "bool"), part in ("tuple[int, ...]", "list[int]")
        known = number and {"complex", "float"} & {*parts} or sequence and "Sequence[int]" in parts
        if part not in parts and not known:
            parts.append(part)
    parts.sort(key="None".__eq__)
    return " | ".join(part.replace("|", " | ") for part in parts)


def _of_rule(take, types):
    words = getattr(take, "args", ())[:1] if isinstance(take, functools.partial) else ()
    if words and isinstance(words[0], tuple) and types != (DType,):
        return literal(words[0])
    names = []
    for each in types:
        if each is Handle or each.__module__ == "numpy":
            continue
        if each is object:
            return None
        name = {type(None): "None", DType: "Type", tuple: "Sequence[int]", list: "Sequence[int]"}.get(
            each, each.__name__
        )
        if each.__module__ not in ("builtins", DType.__module__) and name not in ("COOTensor", "CSRTensor"):
            return {"Real": "float"}.get(name)
        names.append(name)
    return " | ".join(dict.fromkeys(names)) or None


def literal(values):
    """The type of one of ``values``."""
    plain = [each for each in values if type(each) in (str, int, bool) or each is None]
    others = {type(each).__name__ for each in values if type(each) is float}
    if len(plain) + sum(type(each) is float for each in values) != len(values):
        return None
    parts = [f"Literal[{', '.join(map(_quoted, plain))}]"] if plain else []
    return " | ".join([*parts, *sorted(others)])


def _quoted(value):
    return '"' + value.replace('"', '\\"') + '"' if isinstance(value, str) else repr(value)


class Documented:
    """The types that a docstring says.

    Args:
        text (str): the docstring.
        classes (collection of str): names of public classes.
    """

    def __init__(self, text, classes):
        doc = Doc(text)
        self.classes = classes
        self._text = text or ""
        self.summary = re.sub(r"\s+", " ", doc.summary.split("\n\n")[0]).partition(" Source: ")[0].strip()
        self._returns = re.sub(r"\s+", " ", doc.sections.get("Returns", "")).strip()
        self._args = {}
        for names, description in doc.args:
            self._note(names, description)
        for line in doc.sections.get("Inputs", "").splitlines():  # of the call: those of a row's layer or Primitive
            if match := re.match(r"    ([\w*, ]+) (\(.*)", line):
                self._note(match[1].split(","), match[2])

    def _note(self, names, description):
        if match := re.match(r"\((.*?)\)(?:[:,. ]|$)", description):
            self._args.update(dict.fromkeys([name.strip().lstrip("*") for name in names], match[1]))

    def of_parameter(self, name):
        """The type of a parameter; None where the docstring says none, or one that has no words."""
        return self._union(self._args.get(name, ""))

    def of_result(self):
        """The type of the result; None where it depends, or is not known."""
        text = self._returns
        if not text:
            return None
        if match := _TUPLE.match(text):
            count = _COUNTS.get(match[1])
            return f"tuple[{', '.join(['Tensor'] * count)}]" if count else "tuple[Tensor, ...]"
        if re.match(r"tuple of Tensors\b", text) and not _depends(text):
            return "tuple[Tensor, ...]"
        if re.match(r"list of Tensors\b", text) and not _depends(text):
            return "list[Tensor]"
        match = re.match(r"[\w.]+(\[[\w.,\[\] ]+\])?(?=[.,;: ]|$)", text)
        if match is None or _depends(text[match.end() :]):
            return None
        word = match[0].rstrip(".")
        if word in ("object", "type"):
            return None
        if word in ("list", "tuple", "dict") and re.match(r" of\b|:", text[match.end() :]):
            return _PARAMETERS[word]
        return self._one(word)

    def of_parameters(self):
        """The names of the Parameters that a layer always has, and whose shape its docstring says."""
        match = re.search(r"\n\s*Parameters: (.*?)(?=\n\s*[A-Z]\w*:|\Z)", self._text, re.DOTALL)
        parts = [part for part in match[1].split(";") if " of shape " in part and "None" not in part] if match else []
        return {name for part in parts for name in re.findall(r"``([a-z]\w*)``", part.partition(" of shape ")[0])}

    def _union(self, text):
        parts = [self._one(part.strip()) for part in split_outside(text, "|")] if text else [None]
        return None if None in parts else " | ".join(dict.fromkeys(parts))

    def _one(self, word):
        head, bracket, items = word.partition("[")
        known = _WORDS.get(head) or (head if head in self.classes else None)
        if known is None:
            return None
        if not bracket:
            return _PARAMETERS.get(known, known)
        inner = [self._union(part.strip()) for part in split_outside(items[:-1], ",")]
        if None in inner or known not in _CONTAINERS:
            return _PARAMETERS.get(known)
        if known == "tuple" and len(inner) == 1:
            inner.append("...")
        return f"{known}[{', '.join(inner)}]"


def _depends(text):
    """Whether what follows the first word of ``Returns`` names another type."""
    return bool(_OTHERWISE.search(text) or re.match(r"; |,? or ", text))


def split_outside(text, separator):
    """The parts of ``text`` between separators that are outside of brackets."""
    depth, start = 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "[(") - (letter in "])")
        if letter == separator and not depth:
            yield text[start:place]
            start = place + 1
    yield text[start:]


def of_value(value, classes):
    """The type of a constant of a module or a class."""
    if isinstance(value, enum.Enum):
        return type(value).__name__ if type(value).__name__ in classes else ANY
    if type(value) in (int, float, bool, str):
        return type(value).__name__
    return "Type" if isinstance(value, DType) else ANY


def default(value):
    """A default as text."""
    if isinstance(value, enum.Enum) or isinstance(value, float) and not math.isfinite(value):
        return "..."
    if value is None or type(value) in (bool, int, float, str):
        return _quoted(value)
    if type(value) in (tuple, list) and all(type(each) in (bool, int, float, str) for each in value):
        inner = ", ".join(map(_quoted, value))
        return f"[{inner}]" if type(value) is list else f"({inner},)" if len(value) == 1 else f"({inner})"
    return "..."


def with_default(text, value):
    """The type of a parameter whose default is ``value``: None is accepted where it is the default."""
    if value is None and "None" not in text and text not in (ANY, "object"):
        return f"{text} | None"
    floats = value if isinstance(value, tuple | list) else [value]
    if any(type(each) is float for each in floats) and not re.search(r"float|complex|Any|object", text):
        return re.sub(r"\bint\b", "float", text)
    return text
