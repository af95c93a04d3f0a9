"""The function of a definition, which every call of an operation comes to, by whichever face."""

import functools
import inspect
from typing import Any

from ...._contracts.contracts import Array, Operand
from ....engine.handle import Handle
from ....tensor.arrays import all_taken
from .arguments import is_inside_body


def function_of(record, name) -> Any:
    """Makes the function ``name`` of a `Definition`."""
    body, sort, launch = record.body, record.arguments.sort, record.apply
    operands = [getattr(kind, "kind", kind) in (Array, Operand) for kind in record.kinds.values()]  # or an Optional one
    maximum = operands.index(False) if False in operands else len(operands)
    minimum = len(record.arguments.required)

    @functools.wraps(record.body)
    def face(*args, **kwargs):
        # The usual call, with Tensors only, skips sorting the arguments.
        if not kwargs and minimum <= len(args) <= maximum:
            for value in args:
                if not isinstance(value, Handle):
                    break
            else:
                return launch(record, args)
        sorted_arguments = sort(args, kwargs)
        if sorted_arguments is None:  # another body calls this one
            return body(*args, **kwargs)
        return launch(record, *sorted_arguments)

    face.__name__ = name
    vars(face).update(__signature__=record.signature, op=record)
    return face


def looking(face, look):
    """Wraps ``face`` to call ``look`` after all arguments have been checked, unless another body calls it.

    Its parameters are named as those of the operation; ``shape``, if it comes first, is that of the result.
    """
    record = face.op
    names = list(inspect.signature(look).parameters)
    takes_shape = names[0] == "shape" and "shape" not in record.signature.parameters
    parameters = [record.signature.parameters[name] for name in names[takes_shape:]]
    rows = [(each.name, record.arguments.positional[each.name], each.default) for each in parameters]
    kinds = [record.kinds[each.name] for each in parameters]
    operands = [position for position, kind in enumerate(kinds) if getattr(kind, "kind", kind) is Array]

    @functools.wraps(face)
    def looked(*args, **kwargs):
        result = face(*args, **kwargs)
        if not is_inside_body(args, kwargs):
            values = [args[k] if k < len(args) else kwargs.get(name, default) for name, k, default in rows]
            values = list(all_taken(values))
            is_whole = all([each is not inspect.Parameter.empty for each in values])
            if is_whole and all([isinstance(values[index], Handle) for index in operands]):
                look(result.aval[0], *values) if takes_shape else look(*values)
        return result

    return looked
