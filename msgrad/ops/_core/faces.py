"""The faces of an operation: functions, Primitives and Tensor methods, each one row, ``target`` and signature text.

A row's signature is MindSpore's. Each of its parameters maps to a parameter of the target: the one in ``rename``, or
the one of the same name, or of a synonym in `_SYNONYMS` (``dim`` and ``axis``); the first parameter is always the
target's first, the operand, whose name varies between modules. Any other name is an error when the row is defined.
Parameters that the row lacks keep the target's default; a parameter in ``hints`` is not passed on and has no effect on
results. A row's parameter may have its own contract, which is enforced before the target's.
"""

import functools
import inspect

from ..._contracts import contracts
from ..._contracts.doc import Doc
from ..._contracts.enforcement import enforced
from ..._contracts.kinds import ANY, is_setting, kinds_of
from ..._contracts.signature import bare, function, parse, signature, unchecked
from ..._names import contents
from ...tensor.arrays import all_taken, is_array, taken
from ...tensor.sparse import COOTensor, CSRTensor
from ...tensor.tensor import Tensor
from .primitive import Primitive, started
from .tables import Members, Table

PRIMITIVES = Table(contents.PRIMITIVES)  # every Primitive class by name
METHODS = Members(Tensor, contents.METHODS)  # every Tensor method that is attached here by name
OPERATORS = Members(Tensor, contents.OPERATORS)  # Python's operators on Tensors, by method
COO_METHODS = Members(COOTensor, contents.COO_METHODS)  # methods of sparse Tensors, including operators
CSR_METHODS = Members(CSRTensor, contents.CSR_METHODS)

SELF = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)

# Names that MindSpore's modules use for the same parameter.
_SYNONYMS = (
    {"axis", "axes", "dim", "dims"},
    {"dim0", "axis0"},
    {"dim1", "axis1"},
    {"dim2", "axis2"},
    {"keepdim", "keepdims", "keep_dims"},
    {"other", "x2", "y", "input_y", "b", "divisor", "exponent"},
    {"labels", "target", "targets"},
    {"ddof", "correction"},
    {"shape", "size"},
    {"pos_weight", "posWeight"},
)


class Dialect:
    """A module of functions that are faces of operations: ``mindspore.ops`` itself, ``mindspore.mint``.

    Args:
        path (str): MindSpore's name of the module.
        further (dict): contracts that rows may name, besides those of `contracts`. Default: ``None``.
        names (dict of str): the names of functions by the file that defines them, as for `Table`. Default: ``None``.

    Attributes:
        functions (Table of function): every function by name; names that begin with ``_`` are private to a file.
    Example:
        >>> mint = Dialect("mindspore.mint")
        >>> mint.face(ops.sum, "total(input, dim: Int = 0)")(Tensor([1.0, 2.0])).item()
        3.0
        >>> list(mint.public())
        ['total']
    """

    def __init__(self, path, further=None, names=None):
        self.path = path
        self.module = path.replace("mindspore", "msgrad", 1)
        self.functions = Table(names)
        self._contracts = contracts.NAMES | (further or {})

    def face(self, target, text, hints=(), fixed=None, **rename):
        """Defines a function that calls another one with renamed parameters.

        Args:
            target (function): the function to call.
            text (str): name and signature, ``"sum(input, dim=None, keepdim=False)"``; a parameter may have a contract.
            hints (tuple[str]): parameters that are not passed on.
            fixed (dict): constant arguments of the target, by name.
            rename (dict): the target's parameter for a parameter of the row.
        Returns:
            The function.
        """
        name, sig = parse(text, self._contracts)
        passing = Passing(target, sig.parameters.values(), hints, fixed, rename)
        wrapper = function(name, sig, passing.call(), passing.scope)
        wrapper.__module__ = target.__module__
        wrapper.__signature__ = sig
        wrapper = enforced(wrapper, name)
        wrapper.__signature__ = bare(sig)
        wrapper.__doc__ = passing.doc(f"{self.path}.{name}")
        wrapper.targets, wrapper.kinds = (target,), passing.kinds | _own_contracts(sig)
        return self.add(name, wrapper)

    def overload(self, name, *rows):
        """Defines a function with several signatures; the first one that matches a call is used.

        Args:
            name (str): of the function.
            rows: each ``(target, text)`` or ``(target, text, options)``, as for `method`, but ``text`` is the whole
                signature.
        Returns:
            The function.
        """
        source = f"{self.path}.{name}"
        variants = [_Variant(source, signature(row[1], self._contracts), *row) for row in rows]
        return self.add(name, _overloaded(name, variants))

    def add(self, name, function):
        """Registers a function; a public one is pickled by its name in this module."""
        if name[0] != "_":
            function.__module__, function.__qualname__ = self.module, name
        return register(self.functions, name, function)

    def share(self, names, origin=None):
        """Registers functions that are identical in another module.

        Args:
            names (str): of the functions, with spaces between.
            origin (Dialect): the other module. Default: ``mindspore.ops``.
        """
        for name in names.split():
            register(self.functions, name, (origin or OPS).functions[name])

    def public(self):
        """The functions that programs may use, by name."""
        return {name: face for name, face in self.functions.items() if name[0] != "_"}


OPS = Dialect("mindspore.ops", names=contents.FUNCTIONS)
FUNCTIONS = OPS.functions
face = OPS.face


def primitive(
    target, text, hints=(), fixed=None, table=PRIMITIVES, path="mindspore.ops", module="msgrad.ops", **rename
):
    """Defines a Primitive that calls a function; its class is created on first use.

    Args:
        target (function): the function to call.
        text (str): ``"Gather(batch_dims=0)"``, its name and its constructor's parameters; the call takes the others, or
            those in a second pair of parentheses: ``"ReduceSum(keep_dims=False)(x, axis=())"``. A parameter of the
            constructor may have its own contract; without one and the target's, its default decides (`_BY_DEFAULT`).
        hints, fixed, rename: as for `Dialect.face`.
        table (Table): where it is registered. Default: `PRIMITIVES`, those of ``mindspore.ops``.
        path (str): MindSpore's name of its module. Default: ``"mindspore.ops"``.
        module (str): the class's ``__module__``. Default: ``"msgrad.ops"``.
    """

    def make():
        return _primitive_class(target, text, hints, fixed, f"{path}.{name}", module, rename)

    name = text.partition("(")[0]
    define(table, name, make)


_BY_DEFAULT = {bool: contracts.Bool, float: contracts.Real}  # contracts by the types of defaults


def _own_contracts(sig):
    return {key: kind for key, kind in kinds_of(sig).items() if kind is not ANY}


def _primitive_class(target, text, hints, fixed, source, module, rename):
    head, has_call, tail = text.partition(")(")
    name, annotated = parse(f"{head})" if has_call else text, contracts.NAMES)
    own = {} if annotated is None else _own_contracts(annotated)
    attrs = list(bare(annotated).parameters.values()) if annotated else []
    if has_call:
        inputs = list(signature(f"({tail}").parameters.values())
    else:
        fixed_names = {rename.get(each.name, each.name) for each in attrs} | set(fixed or ())
        inputs = [each for each in _own_parameters(target) if each.name not in fixed_names]
    passing = Passing(target, [*inputs, *attrs], hints, fixed, rename)
    by_default = {each.name: _BY_DEFAULT[type(each.default)] for each in attrs if type(each.default) in _BY_DEFAULT}
    theirs = {key: kind for key, kind in passing.kinds.items() if is_setting(kind)}
    init, call = starter(name, attrs, by_default | theirs | own), _caller(name, inputs, attrs, passing)
    init.kinds = call.kinds = passing.kinds | by_default | theirs | own
    members = {
        "__init__": init,
        "__call__": call,
        "__doc__": passing.doc(source, [each.name for each in attrs]),
        "__module__": module,
        "targets": (target,),
    }
    return type(name, (Primitive,), members)


def starter(name, attrs, kinds=None):
    """Makes the ``__init__`` of a Primitive, which stores its arguments.

    Args:
        name (str): of the Primitive.
        attrs (list of inspect.Parameter): its parameters.
        kinds (dict of Kind): contracts of some of the parameters, which are enforced. Default: ``None``.
    """
    attributes = ", ".join(f"{each.name!r}: {each.name}" for each in attrs)
    settings = {each.name: kinds[each.name] for each in attrs if each.name in kinds} if kinds else {}
    scope = {"_started": started, "_name": name, "_kinds": settings}
    whole = unchecked([SELF, *attrs])
    init = function("__init__", whole, f"_started(self, _name, {{{attributes}}}, _kinds)", scope)
    init.__signature__ = whole
    return init


def completed(*names):
    """Decorates the last step of Primitives' constructors, which checks combinations of arguments and adds attributes.

    Args:
        names (str): of the Primitives.
    """

    def define(step):
        for each in names:
            PRIMITIVES[each]._complete = step
        return step

    return define


def _caller(name, inputs, attrs, passing):
    call = passing.call({each.name: f"self.{each.name}" for each in attrs})
    call_method = function("__call__", unchecked([SELF, *inputs]), call, passing.scope)
    call_method.__qualname__ = f"{name}.__call__"
    return call_method


def method(name, *rows):
    """Defines a Tensor method, created on first use: the first row whose signature matches a call is used.

    Args:
        name (str): of the method.
        rows: each ``(target, text)`` or ``(target, text, options)``: ``text`` the signature without the Tensor itself,
            ``options`` a dict of arguments of `Dialect.face` and renames, and ``min_args``, the smallest number of
            positional arguments besides the Tensor.
    """

    def make():
        variants = [_Variant(f"mindspore.Tensor.{name}", _with_self(signature(row[1])), *row) for row in rows]
        return variants[0].function if len(variants) == 1 else _overloaded(f"Tensor.{name}", variants)

    define(METHODS, name, make)


def _with_self(sig):
    return unchecked([SELF, *sig.parameters.values()])


class _Variant:
    """One signature of a method, or of a function of several."""

    def __init__(self, source, sig, target, text, options=None):
        options = dict(options or {})
        hints, fixed = options.pop("hints", ()), options.pop("fixed", None)
        self.min_args = options.pop("min_args", -1)
        self.text = text
        own = _own_contracts(sig)
        self.signature = sig = bare(sig)
        passing = Passing(target, sig.parameters.values(), hints, fixed, options)
        self.kinds = passing.kinds | own  # the row's contract distinguishes signatures; the target enforces its own
        self.function = function(source.rpartition(".")[2], sig, passing.call(), passing.scope)
        self.function.__doc__ = passing.doc(source)
        self.function.targets = (target,)

    def accepts(self, args, kwargs):
        """Whether arguments of these types match the signature; the Tensor of a method always does."""
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError:
            return False
        argument_types = bound.arguments.items()
        has_enough = len(args) > self.min_args
        return has_enough and all(self._fits(name, kind) for name, kind in argument_types if name != "self")

    def _fits(self, name, argument_type):
        # A tuple holds the types of ``*args``.
        return isinstance(argument_type, tuple) or issubclass(argument_type, self.kinds[name].types)


def _overloaded(full_name, variants):
    """Makes the function that selects a variant by its arguments; ``full_name`` is its name in errors."""
    name = full_name.rpartition(".")[2]
    chosen = {}  # cached by the types of the arguments, which determine the variant

    def choose(args, kwargs):
        if any(map(is_array, (*args, *kwargs.values()))):
            return with_tensors
        kinds = tuple(map(type, args)), {key: type(value) for key, value in kwargs.items()}
        for variant in variants:
            if variant.accepts(*kinds):
                return variant.function
        own = args[1:] if full_name != name else args  # without the Tensor of a method
        argument_types = [type(each).__name__ for each in own]
        argument_types += [f"{key}={kind.__name__}" for key, kind in kinds[1].items()]
        valid = " or ".join(f"{full_name}{variant.text}" for variant in variants)
        raise TypeError(f'Failed calling {name} with "{name}({", ".join(argument_types)})". It takes {valid}.')

    def call(*args, **kwargs):
        key = tuple(map(type, args))
        if kwargs:
            key += tuple([(word, type(value)) for word, value in kwargs.items()])
        face = chosen.get(key)
        if face is None:
            face = chosen[key] = choose(args, kwargs)
        return face(*args, **kwargs)

    def with_tensors(*args, **kwargs):
        return call(*all_taken(args), **taken(kwargs))

    call.__name__ = call.__qualname__ = name
    call.__signature__, call.variants = _combined([variant.signature for variant in variants]), variants
    call.targets = tuple([target for variant in variants for target in variant.function.targets])
    forms = "\n".join(f"- ``{name}{variant.text}``" for variant in variants)
    call.__doc__ = f"One of these, by the arguments:\n\n{forms}\n\n{variants[0].function.__doc__}"
    return call


def _combined(signatures):
    """The first signature with the other names of the rest, as keywords: what editors complete, and `help` shows."""
    first = dict(signatures[0].parameters)
    more = {name: each for sig in signatures[1:] for name, each in sig.parameters.items() if name not in first}
    named = [each for each in more.values() if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    keywords = [each.replace(kind=each.KEYWORD_ONLY, default=_default(each)) for each in named]
    end = [each for each in first.values() if each.kind is each.VAR_KEYWORD]
    return unchecked([*[each for each in first.values() if each not in end], *keywords, *end])


def _default(parameter):
    return None if parameter.default is parameter.empty else parameter.default


class Passing:
    """The mapping of a row's parameters to those of its target.

    Attributes:
        names (dict of str): the target's parameter for each parameter of the row.
        kinds (dict of Kind): the contracts of the row's parameters.
        scope (dict): the names used in the call expression, with their values.
    """

    def __init__(self, target, parameters, hints, fixed, rename):
        self.target = target
        self.parameters = {each.name: each for each in parameters}
        self.theirs = _own_parameters(target)
        self.fixed = fixed or {}
        self.hints = hints
        self.names = self._matched([name for name in self.parameters if name not in hints], rename)
        kinds = target.op.kinds if hasattr(target, "op") else _own_kinds(target)
        self.kinds = {name: kinds.get(self.names.get(name), ANY) for name in self.parameters}
        self.scope = {"_target": target, **{f"_fixed_{name}": value for name, value in self.fixed.items()}}

    def _matched(self, names, rename):
        theirs = [each.name for each in self.theirs]
        matched = {name: rename.get(name, name) for name in names if rename.get(name, name) in theirs}
        free = [name for name in theirs if name not in matched.values() and name not in self.fixed]
        for name in names:
            same = [each for each in free if _is_operand(name, each, names, theirs) or _are_synonyms(name, each)]
            if name not in matched and same:
                matched[name] = same[0]
                free.remove(same[0])
        wrong = [name for name in names if name not in matched] + sorted(set(rename) - set(names))
        wrong += [f"the fixed {name}" for name in self.fixed if name not in theirs or name in matched.values()]
        if wrong:
            raise NameError(f"{self._text()} has no parameter for {', '.join(wrong)} of its face ({', '.join(names)}).")
        supplied = {*matched.values(), *self.fixed}
        missing = [each.name for each in self.theirs if each.name not in supplied and _is_required(each)]
        if missing:
            raise NameError(f"{self._text()} needs {', '.join(missing)}, which its face ({', '.join(names)}) lacks.")
        return matched

    def _text(self):
        return f"{self.target.__name__}({', '.join(each.name for each in self.theirs)})"

    def call(self, values=None):
        """The expression of the call; ``values`` has expressions for parameters of the row, by default their names."""
        values = {name: name for name in self.parameters} | (values or {})
        expressions = {theirs: values[ours] for ours, theirs in self.names.items()}
        expressions |= {name: f"_fixed_{name}" for name in self.fixed}
        parts, gap = [], False
        for each in self.theirs:
            if each.name not in expressions:
                gap = True
            elif each.kind is each.VAR_POSITIONAL:
                parts.append(f"*{expressions[each.name]}")
            elif each.kind is each.VAR_KEYWORD:
                parts.append(f"**{expressions[each.name]}")
            elif gap or each.kind is each.KEYWORD_ONLY:
                parts.append(f"{each.name}={expressions[each.name]}")
            else:
                parts.append(expressions[each.name])
        return f"_target({', '.join(parts)})"

    def doc(self, source, attrs=()):
        """The docstring of the row, derived from the target's."""
        names = {theirs: ours for ours, theirs in self.names.items() if ours != "self"}
        doc = Doc(self.target.__doc__)
        doc.args += [
            ([name], "(object): MindSpore's alone, without effect.") for name in self.hints if name not in names
        ]
        names |= {name: name for name in self.hints}
        return doc.face(names, source, [self.names.get(name, name) for name in attrs])


def _is_required(parameter):
    return parameter.default is parameter.empty and parameter.kind not in (
        parameter.VAR_POSITIONAL,
        parameter.VAR_KEYWORD,
    )


def _is_operand(name, their_name, names, their_names):
    return name == names[0] and their_name == their_names[0]


def _are_synonyms(name, their_name):
    return any({name, their_name} <= same for same in _SYNONYMS)


@functools.cache
def _own_parameters(target):
    return list(bare(inspect.signature(target)).parameters.values())


@functools.cache
def _own_kinds(target):
    return kinds_of(inspect.signature(inspect.unwrap(target)))


def attach(member, names):
    """Makes ``member`` a Tensor method under one name or several."""
    for each in (names,) if isinstance(names, str) else names or ():
        register(METHODS, each, member)


def register(table, name, value):
    """Registers a face in its table; a repeated name is an error."""
    define(table, name, lambda: value)
    table[name] = value
    return value


def define(table, name, make):
    """Registers in its table a face that ``make()`` creates on first use; a repeated name is an error."""
    if table.is_defined(name):
        raise NameError(f"'{name}' is defined twice: {_place(table.get(name, name))} and {_place(make())}.")
    table.define(name, make)


def _place(member):
    code = getattr(inspect.unwrap(member) if callable(member) else member, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else repr(member)
