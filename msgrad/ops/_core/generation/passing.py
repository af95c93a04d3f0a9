"""How the parameters of a row are passed on to its target's: by name, by a synonym, or as the row renames them.

The first parameter is always the target's first, the operand, whose name varies between modules. Parameters that the
row lacks keep the target's default; a parameter in ``hints`` is not passed on. Any other name is an error.
"""

import functools
import inspect

from ...._contracts.doc import Doc
from ...._contracts.kinds import ANY, kinds_of
from ...._contracts.signature import bare

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


def sorting(target):
    """The function that sorts the arguments of a call of ``target``, and gives its `Definition` too.

    None for another function than that of a definition itself.
    """
    record = getattr(target, "op", None)
    if record is None or target.__wrapped__ is not record.body:
        return None
    return lambda *args, **kwargs: (record, record.arguments.sort(args, kwargs))


def own_contracts(sig):
    return {key: kind for key, kind in kinds_of(sig).items() if kind is not ANY}


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
        self.theirs = own_parameters(target)
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
def own_parameters(target):
    return list(bare(inspect.signature(target)).parameters.values())


@functools.cache
def _own_kinds(target):
    return kinds_of(inspect.signature(inspect.unwrap(target)))
