"""The classes of Primitives: a constructor that stores attributes, and a call that passes them on to a function."""

from ...._contracts import contracts
from ...._contracts.kinds import is_setting
from ...._contracts.signature import bare, function, parse, signature, unchecked
from ..primitive import Primitive, started
from .passing import SELF, Passing, own_contracts, own_parameters

_BY_DEFAULT = {bool: contracts.Bool, float: contracts.Real}  # contracts by the types of defaults


def primitive_class(target, text, hints, fixed, path, module, rename):
    """Makes the class of a Primitive; the arguments are those of `faces.primitive`."""
    head, has_call, tail = text.partition(")(")
    name, annotated = parse(f"{head})" if has_call else text, contracts.NAMES)
    own = {} if annotated is None else own_contracts(annotated)
    attrs = list(bare(annotated).parameters.values()) if annotated else []
    if has_call:
        inputs = list(signature(f"({tail}").parameters.values())
    else:
        fixed_names = {rename.get(each.name, each.name) for each in attrs} | set(fixed or ())
        inputs = [each for each in own_parameters(target) if each.name not in fixed_names]
    passing = Passing(target, [*inputs, *attrs], hints, fixed, rename)
    by_default = {each.name: _BY_DEFAULT[type(each.default)] for each in attrs if type(each.default) in _BY_DEFAULT}
    theirs = {key: kind for key, kind in passing.kinds.items() if is_setting(kind)}
    init, call = starter(name, attrs, by_default | theirs | own), _caller(name, inputs, attrs, passing)
    init.kinds = call.kinds = passing.kinds | by_default | theirs | own
    members = {
        "__init__": init,
        "__call__": call,
        "__doc__": passing.doc(f"{path}.{name}", [each.name for each in attrs]),
        "__module__": module,
        "_targets_": (target,),
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


def _caller(name, inputs, attrs, passing):
    call = passing.call({each.name: f"self.{each.name}" for each in attrs})
    call_method = function("__call__", unchecked([SELF, *inputs]), call, passing.scope)
    call_method.__qualname__ = f"{name}.__call__"
    return call_method
