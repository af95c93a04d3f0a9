"""Methods of Tensor, and functions of several signatures: each call takes the first one that its arguments match."""

import functools

from ...._contracts.signature import bare, function, signature, unchecked
from ....engine.calls.staging import is_in_graph
from ....tensor.arrays import all_taken, is_array, taken
from .passing import SELF, Passing, own_contracts


def method_of(name, rows):
    """Makes a method of Tensor; ``rows`` as of `faces.method`."""
    variants = [_Variant(f"mindspore.Tensor.{name}", _with_self(signature(row[1])), *row) for row in rows]
    if len(variants) == 1:
        return variants[0].function
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


class _Variant:
    """One signature of a method, or of a function of several."""

    def __init__(self, source, sig, target, text, options=None):
        options = dict(options or {})
        hints, fixed = options.pop("hints", ()), options.pop("fixed", None)
        self.min_args = options.pop("min_args", -1)
        self.is_last_in_graphs = options.pop("is_last_in_graphs", False)
        self.text = text
        own = own_contracts(sig)
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
