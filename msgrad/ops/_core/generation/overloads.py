"""Methods of Tensor, and functions of several signatures: each call takes the first one that its arguments match."""

import functools
from collections.abc import Callable
from typing import NamedTuple

from ...._contracts.signature import bare, function, signature, unchecked
from ....engine.calls.staging import is_in_graph
from ....engine.handle import Handle
from ....tensor.arrays import all_taken, is_array, taken
from ..calls.arguments import ATOMS
from .passing import SELF, Passing, own_contracts, sorting

_MOST = 512  # calls of a function whose sorted arguments are kept


def method_of(name, rows):
    """Makes a method of Tensor; ``rows`` as of `faces.method`."""
    variants = [_Variant(f"mindspore.Tensor.{name}", _with_self(signature(row[1])), *row) for row in rows]
    if len(variants) == 1:
        return variants[0].callee.function
    made = _overloaded(f"Tensor.{name}", variants)
    in_graphs = sorted(variants, key=lambda variant: variant.is_last_in_graphs)  # the order of the others stays
    return made if in_graphs == variants else _by_mode(made, _overloaded(f"Tensor.{name}", in_graphs))


def _by_mode(usual, in_graphs):
    """A method that takes the first match of other signatures in a graph."""

    @functools.wraps(usual)
    def call(*args, **kwargs):
        return (in_graphs if is_in_graph() else usual)(*args, **kwargs)

    return call


def overload_of(source, rows, names):
    """Makes a function of several signatures.

    Args:
        source (str): MindSpore's name of it.
        rows: as of `Dialect.overload`.
        names (dict): contracts that rows may name.
    """
    variants = [_Variant(source, signature(row[1], names), *row) for row in rows]
    return _overloaded(source.rpartition(".")[2], variants)


def _with_self(sig):
    return unchecked([SELF, *sig.parameters.values()])


class _Callee(NamedTuple):
    """The target of calls with arguments of some types.

    Attributes:
        function (function): passes the arguments on to the target.
        sort (function): gives the target's `Definition`, and what it makes of the arguments, in place of a result; None
            where the target is not the function of a definition itself.
        sort_alone (function): the same, of calls with a Tensor alone.
    """

    function: Callable
    sort: Callable | None = None
    sort_alone: Callable | None = None


class _Variant:
    """One signature of a method, or of a function of several; ``callee`` is the target of calls that match it."""

    def __init__(self, source, sig, target, text, options=None):
        options = dict(options or {})
        hints, fixed = options.pop("hints", ()), options.pop("fixed", None)
        self.min_args = options.pop("min_args", -1)
        self.is_last_in_graphs = options.pop("is_last_in_graphs", False)
        alone = options.pop("alone", None)
        self.text = text
        own = own_contracts(sig)
        self.signature = sig = bare(sig)
        passing = Passing(target, sig.parameters.values(), hints, fixed, options)
        self.kinds = passing.kinds | own  # the row's contract distinguishes signatures; the target enforces its own
        name = source.rpartition(".")[2]
        made = function(name, sig, passing.call(), passing.scope)
        made.__doc__, made._targets_ = passing.doc(source), (target,)
        sort = sorting(target)
        if sort is not None:
            sort = function(name, sig, passing.call(), passing.scope | {"_target": sort})
        self.callee = _Callee(made, sort, sort if alone is None else sorting(alone))

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
    chosen = {}  # callees by the types of the arguments, which determine them

    def call(*args, **kwargs):
        key = tuple(map(type, args))
        if kwargs:
            key += tuple([(word, type(value)) for word, value in kwargs.items()])
        callee = chosen.get(key)
        if callee is None:
            has_arrays = any(map(is_array, (*args, *kwargs.values())))
            callee = chosen[key] = of_tensors if has_arrays else _callee_for(full_name, variants, args, kwargs)
        others = *args[1:], *kwargs.values()
        sort = callee.sort if others else callee.sort_alone
        if sort is not None and all(map(_is_same_object, others)):
            record, (operands, static) = sort(*args, **kwargs)
            if record.arguments.takes_any_tensor and len(operands) == 1 and operands[0] is args[0]:
                if len(same) >= _MOST:
                    same.clear()
                same[(*map(id, args[1:]), *kwargs, *map(id, kwargs.values()))] = record, static, others
            else:
                chosen[key] = _Callee(callee.function)
        return callee.function(*args, **kwargs)

    def remembering(*args, **kwargs):
        # Constants of a program are the same objects at each call, so ids find what the operation makes of them.
        entry = same.get((*map(id, args[1:]), *kwargs, *map(id, kwargs.values())))
        if entry is not None and args and isinstance(args[0], Handle):
            record, static, _ = entry
            return record.apply(record, args[:1], static)
        return call(*args, **kwargs)

    def with_tensors(*args, **kwargs):
        return call(*all_taken(args), **taken(kwargs))

    same, of_tensors = {}, _Callee(with_tensors)
    face = remembering if any([each.callee.sort or each.callee.sort_alone for each in variants]) else call
    face.__name__ = face.__qualname__ = name
    face.__signature__, face.variants = _combined([variant.signature for variant in variants]), variants
    face._targets_ = tuple([target for variant in variants for target in variant.callee.function._targets_])
    forms = "\n".join(f"- ``{name}{variant.text}``" for variant in variants)
    face.__doc__ = f"One of these, by the arguments:\n\n{forms}\n\n{variants[0].callee.function.__doc__}"
    return face


def _callee_for(full_name, variants, args, kwargs):
    """The callee of the first variant that accepts the types of these arguments."""
    kinds = tuple(map(type, args)), {key: type(value) for key, value in kwargs.items()}
    for variant in variants:
        if variant.accepts(*kinds):
            return variant.callee
    name = full_name.rpartition(".")[2]
    own = args[1:] if full_name != name else args  # without the Tensor of a method
    argument_types = [type(each).__name__ for each in own]
    argument_types += [f"{key}={kind.__name__}" for key, kind in kinds[1].items()]
    valid = " or ".join(f"{full_name}{variant.text}" for variant in variants)
    raise TypeError(f'Failed calling {name} with "{name}({", ".join(argument_types)})". It takes {valid}.')


def _is_same_object(value):
    """Whether equal arguments of this type are mostly one object, as in the code of a function."""
    return type(value) in ATOMS and (type(value) is not int or -5 <= value <= 256)


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
