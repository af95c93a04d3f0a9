"""Definitions as text: functions, overloads, classes with their members and attributes, constants."""

import builtins
import enum
import inspect
import keyword
import re
import types as python_types
from typing import Self

from msgrad._contracts.kinds import ANY as KINDS_ANY
from msgrad._contracts.kinds import Kind, kinds_of
from msgrad.engine.dtypes import DType
from msgrad.engine.handle import Handle
from msgrad.ops._operators import _ARITHMETIC, _ORDER
from msgrad.tensor.tensor import Tensor

from . import types
from .sources import assigned, gives_nothing
from .types import ANY, Documented

_EMPTY = inspect.Parameter.empty
BUILTINS = "bool bytes complex dict float int list object set slice str tuple type".split()
_TYPES = {getattr(builtins, name) for name in BUILTINS}
_SPECIAL = (
    "__getattr__ __getitem__ __setitem__ __delitem__ __len__ __iter__ __next__ __contains__ __enter__ __exit__ "
    "__bool__ __int__ __float__ __complex__ __index__ __array__ __jax_array__ __hash__ __eq__ __ne__ __lt__ __le__ "
    "__gt__ __ge__ __add__ __sub__ __mul__ __truediv__ __floordiv__ __mod__ __pow__ __matmul__ __and__ __or__ __xor__ "
    "__neg__ __pos__ __abs__ __invert__ __radd__ __rsub__ __rmul__ __rtruediv__ __rfloordiv__ __rmod__ __rpow__ "
    "__rmatmul__ __round__ __dlpack__ __dlpack_device__"
).split()
_OPERATORS = {f"__{name}__" for row in _ARITHMETIC for name in (row[0], f"r{row[0]}")} | {
    f"__{row[0]}__" for row in _ORDER
}
# In a graph, lists may stand on both sides of those that have an operator in place.
_LISTS = {
    f"__{name}__"
    for row in _ARITHMETIC
    for name, takes in ((row.symbol, row.takes_list_right), (f"r{row.symbol}", row.takes_list_left))
    if takes or row.is_in_place
}
# What Python's protocols fix, whatever the method is.
_RESULTS = {
    **dict.fromkeys(("__len__", "__int__", "__index__", "__hash__"), "int"),
    **dict.fromkeys(("__bool__", "__contains__"), "bool"),
    **dict.fromkeys(("__exit__", "__setitem__", "__delitem__"), "None"),
    "__float__": "float",
    "__complex__": "complex",
    "__array__": "np.ndarray",
    "__enter__": "Self",
    "__getattr__": ANY,
}
_OF_TENSOR = {("Writes.__getitem__", "__getitem__"): "Tensor", ("Conversions.__iter__", "__iter__"): "Iterator[Tensor]"}
# Layers whose calls are those of `construct`; users derive from others, with a `construct` of their own.
_GIVE_TENSORS = tuple(
    f"msgrad.{room}."
    for room in (
        "nn.basic",
        "nn.convolution",
        "nn.normalization",
        "nn.image",
        "nn.loss",
        "nn.learning_rate_schedule",
        "mint.nn",
    )
)
_LAYERS = (*_GIVE_TENSORS, "msgrad.nn.recurrent.", "msgrad.nn.attention.")
_BASES = ("LossBase", "LearningRateSchedule")  # of losses and schedules of users, with inputs of their own
_INTERNAL = ("_targets_", "update", "_is_python", "variants", "kinds")
_KEPT = (Handle,)  # private bases that other code of msgrad asks for


class Definitions:
    """The text of definitions of one stub.

    Args:
        classes (dict of str): the public classes' names by class: what types may name.
        names (collection of str): what the stub defines; a name of a builtin type hides the type.
    """

    def __init__(self, classes, names=()):
        self.classes = classes
        self._class_names = {*classes.values()}
        self._hidden = {*names} & {*BUILTINS}
        self.lines = []
        self.bases = {}  # base classes that the stub imports, by their names in it

    def add(self, name, value):
        """Adds the definition of ``value``."""
        if isinstance(value, type):
            self._class(name, value)
        elif callable(value) and hasattr(value, "__name__") and not isinstance(value, python_types.BuiltinFunctionType):
            self._function(name, value)
        else:
            self.lines.append(f"{name}: {self._shown(types.of_value(value, self._class_names))}")

    # -- functions -------------------------------------------------------------------------------------------------

    def _function(self, name, function, indent="", own="", decorator=None, hidden=(), documented=None):
        variants = getattr(function, "variants", None)
        for variant in variants or [function]:
            if variants:
                self.lines.append(f"{indent}@overload")
            if decorator:
                self.lines.append(f"{indent}@{decorator}")
            target = variant.callee.function if variants else variant
            kinds = variant.kinds if variants else contracts_of(function)
            said = documented or Documented(target.__doc__, self._class_names)
            head, result = self._signature(name, target, kinds, said, own, hidden)
            self._def(f"{indent}def {name}({head}) -> {result}:", "" if documented else said.summary, indent)

    def _def(self, head, summary, indent):
        """A definition of one or two lines; the summary is cut to fit into one."""
        if len(head) > 118:
            name, _, rest = head.partition("(")
            parameters, _, end = rest.rpartition(") -> ")
            self.lines += [f"{name}(", *wrapped(parameters, f"{indent}    "), f"{indent}) -> {end}"]
            head = self.lines.pop()
        if not summary:
            self.lines.append(f"{head} ...")
        else:
            self.lines += [head, f"{indent}    {docstring(summary, indent)}"]

    def _signature(self, name, target, kinds, documented, own, hidden):
        try:
            signature = inspect.signature(target)
        except (TypeError, ValueError):
            return "*args: Any, **kwargs: Any", ANY
        parts, star, optional = [], False, False
        for position, (key, each) in enumerate(signature.parameters.items()):
            if own and not position and each.kind is not each.VAR_POSITIONAL:
                parts.append(own)
                continue
            kind = self._parameter_type(key, each, kinds, documented, name == "__call__")
            kind = self._shown(kind, hidden)
            if each.kind is each.KEYWORD_ONLY and not star:
                parts.append("*")
                star = True
            if each.kind is each.VAR_POSITIONAL:
                star = True
                parts.append(f"*{key}: {kind}")
            elif each.kind is each.VAR_KEYWORD:
                parts.append(f"**{key}: {kind}")
            elif each.default is _EMPTY and not (optional and not star):
                parts.append(f"{key}: {kind}")
            else:
                optional = True
                value = "..." if each.default is _EMPTY else types.default(each.default)
                parts.append(f"{key}: {kind} = {value}")
            if each.kind is each.POSITIONAL_ONLY and all(
                later.kind is not each.POSITIONAL_ONLY for later in list(signature.parameters.values())[position + 1 :]
            ):
                parts.append("/")
        if own and not parts:
            parts.append(own)
        if name == "__call__" and parts[-1].startswith("*") and len(parts) <= 3:
            parts = [own, "*args: Any", "**kwargs: Any"]  # of a base class: its subclasses have their own parameters
        result = (
            _OF_TENSOR.get((getattr(target, "__qualname__", ""), name))
            or _RESULTS.get(name)
            or self._annotated(result_of(target))
            or documented.of_result()
        )
        return ", ".join(parts), self._shown(result or ("None" if _gives_nothing(target) else ANY), hidden)

    def _parameter_type(self, key, each, kinds, documented, is_call=False):
        kind = kinds.get(key)
        text, said = types.of_contract(kind), documented.of_parameter(key)
        text = types.joined(text, said)
        if (
            is_call
            and text not in (None, ANY)
            and "Tensor" not in text
            and (kind is None or {Handle, object} & {*kind.types})
        ):
            text = types.joined(text, "Tensor")  # the input of a Primitive may be one, where an int is documented
        text = text or self._annotated(each.annotation) or ANY
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            return ANY
        return text if each.default is _EMPTY else types.with_default(text, each.default)

    def _annotated(self, annotation):
        if annotation is _EMPTY or isinstance(annotation, Kind):
            return None
        if annotation in (None, DType, Self):
            return {None: "None", DType: "Type", Self: "Self"}[annotation]
        if isinstance(annotation, str):
            return annotation
        if isinstance(annotation, python_types.GenericAlias | python_types.UnionType):
            return re.sub(r"\b[a-z_]+\.(?:\w+\.)*(?=[A-Z])", "", str(annotation))
        if not isinstance(annotation, type):
            return None
        if annotation in self.classes:
            return self.classes[annotation]
        return annotation.__name__ if annotation.__module__ == "builtins" and annotation in _TYPES else None

    def _shown(self, text, hidden=()):
        hidden = self._hidden | {*hidden}
        if not hidden:
            return text
        return re.sub(rf"(?<![\w.\"])({'|'.join(sorted(hidden))})(?![\w\"])", r"_\1", text)

    # -- classes ---------------------------------------------------------------------------------------------------

    def _class(self, name, cls):
        doc = cls.__doc__ if "__doc__" in vars(cls) else None
        documented = Documented(doc, self._class_names)
        members, bases = members_of(cls, self.classes)
        named = ", ".join(self._base(base, name) for base in bases)
        self.lines.append(f"class {name}({named}):" if named else f"class {name}:")
        start = len(self.lines)
        if documented.summary:
            self.lines.append(f"    {docstring(documented.summary)}")
            start -= issubclass(cls, BaseException)
        if issubclass(cls, enum.Enum):
            self.lines += [f"    {key} = {each.value!r}" if type(each.value) in (int, str) else f"    {key} = ..."
                           for key, each in cls.__members__.items()]  # fmt: skip
        else:
            self._members(cls, members, documented)
        if len(self.lines) == start:
            self.lines[-1] += " ..."

    def _base(self, base, name):
        """A base class as text; one of the same name as the class is imported under another."""
        shown = self.classes.get(base, base.__name__)
        if shown == name or base not in self.classes and shown in self._class_names:
            shown = f"_{shown}"
        if base.__module__ != "builtins" and self.classes.get(base) != shown:
            self.bases[shown] = base
        return shown

    def _members(self, cls, members, documented):
        hidden = {key for key in members if key in BUILTINS}
        known = self._init_types(members, documented)
        known |= dict.fromkeys(documented.of_parameters(), "Parameter")
        for key, kind in attributes_of(cls, members, known, self.classes).items():
            self.lines.append(f"    {key}: {self._shown(kind, hidden)}")
        for key, member in members.items():
            if key == "__new__":
                self._new(member.__func__, documented, hidden)
            elif isinstance(member, property) or type(member).__name__ == "cached_property":
                self._property(key, member, hidden)
            elif isinstance(member, staticmethod):
                self._function(key, member.__func__, "    ", decorator="staticmethod", hidden=hidden)
            elif isinstance(member, classmethod):
                self._function(key, member.__func__, "    ", "cls", "classmethod", hidden=hidden)
            elif key == "__init__":
                doc = next((c.__doc__ for c in cls.__mro__ if member is vars(c).get(key)), "") or ""
                self._constructor(key, member, doc, hidden)
            elif key == "construct" or key in ("__eq__", "__ne__", "__hash__") and cls is not Tensor:
                continue  # users name the parameters of their own `construct` as they like
            elif cls is Tensor and (key in _OPERATORS or key in ("__eq__", "__ne__")):
                self._operator(key)
            elif callable(member):
                own = documented if key == "__call__" else None
                self._function(key, member, "    ", "self", hidden=hidden, documented=own)
            elif isinstance(member, type):
                continue
            else:
                text = types.of_value(member, self._class_names)
                clashes = any(hasattr(base, key) for base in cls.__mro__[1:] if base in self.classes)
                ignored = "  # type: ignore[assignment]" if clashes else ""
                self.lines.append(f"    {key}: {self._shown(text, hidden)}{ignored}")
        self._call(cls, members, documented, hidden)

    def _operator(self, key):
        """A binary operator of Tensor, by what `_operators` accepts."""
        if key in ("__eq__", "__ne__"):
            self.lines.append(f"    def {key}(self, other: object) -> Tensor: ...  # type: ignore[override]")
            return
        arrays = " | np.ndarray" if key[2] == "r" else ""  # NumPy adds ``array + tensor`` itself
        lists = f"{arrays} | list[Any] | tuple[Any, ...]" if key in _LISTS else ""
        self.lines.append(
            f"    def {key}(self, other: Tensor | complex | np.generic{lists}) -> Tensor: ...".replace(
                "complex", self._shown("complex")
            )
        )

    def _constructor(self, key, member, doc, hidden):
        documented = Documented(doc, self._class_names)
        head, _ = self._signature(key, member, contracts_of(member), documented, "self", hidden)
        self._def(f"    def {key}({head}) -> None:", "", "    ")

    def _new(self, member, documented, hidden):
        """``__new__``, unless it leaves all arguments to ``__init__``."""
        head, _ = self._signature("__new__", member, {}, documented, "cls", hidden)
        if "*args" not in head:
            self._def(f"    def __new__({head}) -> Self:", "", "    ")

    def _property(self, key, member, hidden):
        getter = getattr(member, "fget", None) or member.func
        documented = Documented(member.__doc__, self._class_names)
        result = self._annotated(result_of(getter)) or documented.of_result()
        result = result or types.of_value(getattr(member, "default", None), self._class_names)
        result = self._shown(result, hidden)
        self.lines.append("    @property")
        self._def(f"    def {key}(self) -> {result}:", documented.summary, "    ")
        if getattr(member, "fset", None):
            self.lines += [f"    @{key}.setter", f"    def {key}(self, value: Any) -> None: ..."]

    def _call(self, cls, members, documented, hidden):
        """The call of a layer has the parameters of its ``construct``."""
        construct = members.get("construct")
        if (
            not inspect.isfunction(construct)
            or "__call__" in members
            or not cls.__module__.startswith(_LAYERS)
            or cls.__name__ in _BASES
        ):
            return
        kinds = contracts_of(construct)
        head, result = self._signature("__call__", construct, kinds, documented, "self", hidden)
        if result == ANY and cls.__module__.startswith(_GIVE_TENSORS):
            result = "Tensor"
        self._def(f"    def __call__({head}) -> {result}:", "", "    ")

    def _init_types(self, members, documented):
        init = members.get("__init__")
        if init is None:
            return {}
        kinds = contracts_of(init)
        parameters = inspect.signature(init).parameters
        return {key: self._parameter_type(key, each, kinds, documented) for key, each in parameters.items()}


def result_of(function):
    """The annotation of a function's result."""
    return getattr(inspect.unwrap(function), "__annotations__", {}).get("return", _EMPTY)


def _gives_nothing(function):
    code = getattr(inspect.unwrap(function), "__code__", None)
    return code is not None and gives_nothing(code)


def contracts_of(function):
    """The contract of each parameter; a face without one has that of its target's parameter of the same name."""
    if hasattr(function, "op"):
        return function.op.kinds
    try:
        kinds = getattr(function, "kinds", None) or kinds_of(inspect.signature(inspect.unwrap(function)))
    except (TypeError, ValueError):
        return {}
    for target in getattr(function, "_targets_", ())[:1]:
        theirs = contracts_of(target)
        kinds = {key: theirs.get(key, kind) if kind is KINDS_ANY else kind for key, kind in kinds.items()}
    return kinds


def lineage(cls, classes):
    """A class with its private bases, whose members it seems to define, and its public bases."""
    own, bases = [], []
    for each in cls.__mro__[:-1]:
        is_public = each in classes or each in _KEPT or not each.__module__.startswith("msgrad")
        if any(issubclass(base, each) for base in bases):
            continue
        (bases if is_public and each is not cls else own).append(each)
    return own, bases


def members_of(cls, classes):
    """The members that a class defines, also by its private bases, and its public bases."""
    own, bases = lineage(cls, classes)
    members = {}
    for each in own:
        for key in vars(each):
            is_shown = key[0] != "_" or key in ("__init__", "__new__", "__call__", *_SPECIAL)
            member = vars(each)[key]
            is_internal = key in _INTERNAL and not inspect.isfunction(member)
            if is_shown and not keyword.iskeyword(key) and key not in members and not is_internal:
                members[key] = made(each, key) if type(member).__name__ == "_OnDemand" else member
    return {key: each for key, each in members.items() if key != "__hash__" or each is not None}, bases


def made(cls, key):
    """A member that is made on first use."""
    getattr(cls, key)
    return inspect.getattr_static(cls, key)


def attributes_of(cls, members, parameters, classes):
    """The types of the public attributes that the methods of a class set, by name."""
    own, bases = lineage(cls, classes)
    found = {}
    for each in own:
        for key, value in assigned(each):
            if key[0] != "_" and key not in members and not any(hasattr(base, key) for base in bases):
                is_parameter = value == "Parameter()" or parameters.get(key) == "Parameter"
                kind = "Parameter" if is_parameter else parameters.get(key, ANY) if value == key else ANY
                found.setdefault(key, kind)
    inherited = {key for base in bases if base.__module__.startswith("msgrad") for key in all_assigned(base)}
    return {key: found[key] for key in sorted(found) if key not in inherited or found[key] != ANY}


def all_assigned(cls):
    return {key for each in cls.__mro__[:-1] for key, _ in assigned(each)}


def docstring(summary, indent=""):
    """One line of text that fits."""
    text = summary.replace("\\", "\\\\").replace('"""', "'''")
    most = 108 - len(indent)
    if len(text) > most:
        text = text[: most - 3].rsplit(" ", 1)[0] + "..."
    return f'"""{text}"""'


def wrapped(parameters, indent):
    """Parameters over several lines."""
    parts = [f"{part.strip()}," for part in types.split_outside(parameters, ",")]
    lines = [indent.rstrip("\n")]
    for part in parts:
        if len(lines[-1]) + len(part) > 116 and lines[-1].strip():
            lines.append(indent)
        lines[-1] += part if lines[-1] == indent else f" {part}"
    return lines
