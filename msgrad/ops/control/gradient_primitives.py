"""MindSpore's internal gradient Primitives of whole operations, computed by JAX from the operations.

Each is a row: the operation, the Primitive with its inputs, the input that is the gradient of the result, the operands
to differentiate by, and the input (the operation's result) that it does not need.
"""

import jax

from ..._contracts import check
from ..._contracts.doc import Doc
from ..._contracts.signature import parse, signature
from .._core.define import op
from .._core.families import body
from ..loss.classification_losses import binary_cross_entropy, kl_div, sigmoid_cross_entropy
from ..loss.margin_losses import soft_margin_loss
from ..loss.regression_losses import smooth_l1_loss
from ..math.elementwise import logit_primitive
from ..math.statistics import l2_normalize
from ..nn.activation import fast_gelu, gelu_tanh, hardshrink, prelu, softshrink
from ..nn.normalization import lrn
from ..nn.pooling import avg_pool, max_pool

_DOC = """The derivative of `{of}`{by}.

    Args:
        {operands} (Tensor): as for `{of}`.
        {dout} (Tensor): the gradient of the result, of its shape.{others}
    Returns:
        Tensor of the operand's shape; a tuple for several.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> ops.{primitive}{example}.tolist()
        {value}
    Source: mindspore.ops.operations._grad_ops.{primitive}
    """
_ONE, _ZERO, _HALF = "Tensor([1.0])", "Tensor([0.0])", "Tensor([0.5])"
_PIXEL = "ops.ones((1, 1, 1, 1))"
# The operation, the Primitive, the gradient of its result, the operands to differentiate by, the unused input, example.
_ROWS = [
    (fast_gelu, "FastGeLUGrad()(dy, x)", "dy", "x", None, f"()({_ONE}, {_ZERO})", "[0.5]"),
    (gelu_tanh, "GeLUGrad()(dy, x, y)", "dy", "x", "y", f"()({_ONE}, {_ZERO}, {_ZERO})", "[0.5]"),
    (hardshrink, "HShrinkGrad(lambd=0.5)(gradients, features)", "gradients", "features", None,
     f"()({_HALF}, {_ONE})", "[0.5]"),
    (softshrink, "SoftShrinkGrad(lambd=0.5)(input_grad, input_x)", "input_grad", "input_x", None,
     f"()({_HALF}, {_ONE})", "[0.5]"),
    (logit_primitive, "LogitGrad(eps=-1.0)(grad, input)", "grad", "input", None, f"()({_ONE}, {_HALF})", "[4.0]"),
    (prelu, "PReLUGrad()(dy, x, weight)", "dy", "x, weight", None,
     "()(Tensor([[1.0]]), Tensor([[-1.0]]), Tensor([0.5]))[1]", "[-1.0]"),
    (kl_div, "KLDivLossGrad(reduction='mean')(dout, x, y)", "dout", "x", None,
     f"('none')({_ONE}, {_ONE}, {_HALF})", "[-0.5]"),
    (smooth_l1_loss, "SmoothL1LossGrad(beta=1.0, reduction='none')(prediction, target, dout)", "dout", "prediction",
     None, f"()({_ONE}, {_HALF}, {_ONE})", "[0.5]"),
    (soft_margin_loss, "SoftMarginLossGrad(reduction='mean')(predict, label, dout)", "dout", "predict", None,
     f"('none')({_ZERO}, {_ONE}, {_ONE})", "[-0.5]"),
    (sigmoid_cross_entropy, "SigmoidCrossEntropyWithLogitsGrad()(x, y, dout)", "dout", "x", None,
     f"()({_ZERO}, {_ONE}, {_ONE})", "[-0.5]"),
    (binary_cross_entropy, "BinaryCrossEntropyGrad(reduction='mean')(input, target, grad_output, weight=None)",
     "grad_output", "input", None, f"('none')({_HALF}, {_ONE}, {_ONE})", "[-2.0]"),
    (l2_normalize, "L2NormalizeGrad(axis=0, epsilon=0.0001)(input_x, out, dout)", "dout", "input_x", "out",
     f"()({_ONE}, {_ONE}, {_ONE})", "[0.0]"),
    (lrn, "LRNGrad(depth_radius=5, bias=1.0, alpha=1.0, beta=0.5)(grads, x, y)", "grads", "x", "y",
     f"(alpha=0.0)({_PIXEL}, {_PIXEL}, {_PIXEL})", "[[[[1.0]]]]"),
    (max_pool, "MaxPoolGrad(kernel_size=1, strides=1, pad_mode='VALID', data_format='NCHW')"
     "(x_origin, out_origin, grad)", "grad", "x_origin", "out_origin", f"()({_PIXEL}, {_PIXEL}, {_PIXEL})",
     "[[[[1.0]]]]"),
    (avg_pool, "AvgPoolGrad(kernel_size=1, strides=1, pad_mode='VALID', data_format='NCHW')(x, out, dout)", "dout",
     "x", "out", f"()({_PIXEL}, {_PIXEL}, {_PIXEL})", "[[[[1.0]]]]"),
]  # fmt: skip


def _row(target, text, dout, by, unused, example, value):
    head, _, tail = text.partition(")(")
    name, attributes = parse(f"{head})")
    inputs, own_names = signature(f"({tail}").parameters, attributes.parameters
    operands = [each for each in inputs if each not in (dout, unused)]
    positions = [operands.index(each) for each in by.split(", ")]

    def compute(*values):
        by_name = dict(zip([*inputs, *own_names], values, strict=True))
        held = [by_name[each] for each in operands]

        def run(*chosen):
            for position, value in zip(positions, chosen, strict=True):
                held[position] = value
            return target(*held, **{each: by_name[each] for each in own_names})

        result, pull = jax.vjp(run, *[held[position] for position in positions])
        if result.shape == () and by_name[dout].size == 1:  # MindSpore also accepts a vector of length 1
            by_name[dout] = by_name[dout].reshape(())
        if by_name[dout].shape != result.shape:
            check.refuse(ValueError, name, dout, f"of shape {result.shape}", by_name[dout])
        gradients = pull(by_name[dout].astype(result.dtype))
        return gradients if len(gradients) > 1 else gradients[0]

    parameters = [f"{each}: Array{' | None = None' if p.default is None else ''}" for each, p in inputs.items()]
    parameters += [f"{each}: Of_{each} = {p.default!r}" for each, p in own_names.items()]
    kinds = {f"Of_{each}": target.op.kinds[each] for each in own_names}
    fields = {"of": target.op.name, "by": f" by `{by}`", "primitive": name, "dout": dout, "example": example}
    entries = [f"{unused} (Tensor): the result, which is not needed."] if unused else []
    entries += [f"{', '.join(names)} {entry}" for names, entry in Doc(target.__doc__).args if names[0] in own_names]
    fields |= {"operands": ", ".join(operands), "value": value, "others": "".join(f"\n        {o}" for o in entries)}
    op(text, name=f"_{name}")(body(f"{name}({', '.join(parameters)})", compute, _DOC, kinds, **fields))


for _given in _ROWS:
    _row(*_given)
