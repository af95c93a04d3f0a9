"""Optimizer steps as Primitives: each computes new values and writes them to some of its inputs.

A row is the Primitive's text and the step: a function of arrays that returns the new values of what it updates.
"""

import inspect

from ..._contracts import contracts
from ..._contracts.contracts import Array, Operand
from ..._contracts.doc import filled
from ..._contracts.kinds import accepted
from ..._contracts.signature import function, parse, signature
from ...engine.dtypes import float32
from ...tensor.tensor import Tensor
from .._core.define import composite, op
from .._core.faces import PRIMITIVES, primitive
from .optimizer_formulas import updated_by

_DOC = """{summary}

    Args:
{args}
    Returns:
        {returns}
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> {example}
        (1,)
    Source: {name}
    """
_WRITTEN, _TENSOR, _OPERAND = (
    "(Parameter | Tensor): written to.",
    "(Tensor): see above.",
    "(Tensor | Number): see above.",
)


# Inputs that are Tensors, though nothing is written to them: an example of each.
_TENSORS = {
    "delta": "Tensor([1.0])",
    "epsilons": "Tensor([0.001, 0.001])",
    "indices": "Tensor([0])",
    "stat": "Tensor([0.0])",
}
_SETTINGS = {"lr_power": "-0.5"}  # attributes in examples that must not be positive


def rule(text, step, summary, written=None, gives=None, hints=(), table=PRIMITIVES, path="mindspore.ops"):
    """Defines the Primitive of an optimizer's step.

    Args:
        text (str): name, constructor and call of the Primitive.
        step (callable): of the inputs, and of the attributes by name; returns their new values, or those and a result.
        summary (str): what it computes, in the names of ``text``.
        written (tuple[int]): the indices of the inputs that are written to. Default: the first ones, which ``step``
            says that it updates, by ``/``.
        gives (str): ``'first'`` if the result is the first new value alone, ``'extra'`` if it is what ``step`` returns
            after the new values. Default: ``None``, all new values.
        hints (tuple[str]): attributes without effect.
        table, path: as for `primitive`. Default: those of ``mindspore.ops``.
    """
    head, _, tail = text.partition(")(")
    name, constructor = parse(f"{head})", contracts.NAMES)
    inputs, options = list(signature(f"({tail}").parameters), constructor.parameters.values()
    written = written or tuple(range(len(updated_by(step))))
    contract_of = {each: Array if k in written or "grad" in each or each in _TENSORS else Operand
             for k, each in enumerate(inputs)}  # fmt: skip
    parameters = [each for each in options if each.name not in hints]
    kinds = [inspect.Parameter(each, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=kind)
             for each, kind in contract_of.items()]  # fmt: skip
    kernel = _kernel(name, inspect.Signature([*kinds, *parameters]), step, written)
    run = _writing(kernel, name, inputs, written, gives)
    parameters_text = ", ".join([*inputs, *[str(each.replace(annotation=each.empty)) for each in parameters]])
    call = f"_run({', '.join([*inputs, *[each.name for each in parameters]])})"
    target = function(f"_{name}", signature(f"({parameters_text})"), call, {"_run": run})
    target.__module__ = __name__
    target.__doc__ = _documented(name, contract_of, parameters, written, gives, summary, path)
    definition = composite(name=f"_{name}")(target)
    primitive(definition, f"{head})({', '.join(inputs)})", hints=hints, table=table, path=path)


def _kernel(name, sig, step, written):
    def compute(*values):
        results = step(*values)
        new = [each.astype(values[position].dtype) for position, each in zip(written, results, strict=False)]
        return (*new, *results[len(written) :])

    body = function(f"_{name}_step", sig, f"_compute({', '.join(sig.parameters)})", {"_compute": compute})
    body.__signature__ = sig
    body.__module__ = __name__
    return op(name=f"_{name}_step")(body)


def _writing(kernel, name, inputs, written, gives):
    def run(*values):
        values = [Tensor(each, float32) if isinstance(each, tuple) else each for each in values]
        for position in written:
            values[position] = accepted(Array, values[position], inputs[position], name)._original_()
        targets = [values[position] for position in written]
        results = kernel(*values)
        for target, value in zip(targets, results, strict=False):
            target._write_(value)
        if gives == "extra":
            return results[-1]
        return results[0] if gives == "first" or len(written) == 1 else tuple(results)

    return run


def _is_required(parameter):
    return parameter.default is parameter.empty


def _documented(name, contract_of, options, written, gives, summary, path):
    args = [(each, _WRITTEN if k in written else _TENSOR if kind is Array else _OPERAND)
            for k, (each, kind) in enumerate(contract_of.items())]  # fmt: skip
    args += [(each.name, f"({type(each.default).__name__}): see above.") for each in options]
    operands = [_TENSORS.get(each, "Tensor([1.0])" if kind is Array else "0.5") for each, kind in contract_of.items()]
    constants = ", ".join(f"{each.name}={_SETTINGS.get(each.name, '0.5')}" for each in options if _is_required(each))
    alone = gives or len(written) == 1
    owner = path.removeprefix("mindspore.")
    return filled(
        _DOC,
        summary=summary,
        args="\n".join(f"        {each} {description}" for each, description in args),
        returns="Tensor." if alone else f"tuple of {len(written)} Tensors, the new values.",
        example=f"{owner}.{name}({constants})({', '.join(operands)}){'' if alone else '[0]'}.shape",
        name=f"{path}.{name}",
    )
