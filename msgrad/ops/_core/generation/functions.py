"""Functions that call another one with renamed parameters."""

from ...._contracts.enforcement import enforced
from ...._contracts.signature import bare, function, parse
from .passing import Passing, own_contracts


def renamed(target, text, hints, fixed, rename, path, names):
    """Makes the function of a row; ``(name, function)``.

    Args:
        target, text, hints, fixed, rename: as of `Dialect.face`.
        path (str): MindSpore's name of the module.
        names (dict): contracts that ``text`` may name.
    """
    name, sig = parse(text, names)
    passing = Passing(target, sig.parameters.values(), hints, fixed, rename)
    wrapper = function(name, sig, passing.call(), passing.scope)
    wrapper.__module__ = target.__module__
    wrapper.__signature__ = sig
    wrapper = enforced(wrapper, name)
    wrapper.__signature__ = bare(sig)
    wrapper.__doc__ = passing.doc(f"{path}.{name}")
    wrapper._targets_, wrapper.kinds = (target,), passing.kinds | own_contracts(sig)
    return name, wrapper
