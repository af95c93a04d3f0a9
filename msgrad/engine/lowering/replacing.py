"""How is a primitive lowered for a CPU by a function of ours, where that is faster?"""

from .._jax_private import LOWERS_ANEW, lower_fun, lowering_of, register_lowering
from ..jax_options import Tracing


def replace(primitive, compute, applies, is_elementwise=False):
    """Lowers a primitive for CPUs by ``compute`` where that applies, else as before; also in functions of the user's.

    Args:
        primitive (Primitive): of JAX.
        compute (function): of its operands, and of its parameters by name; traced within msgrad's options.
        applies (function): whether ``compute`` is to be used, of the operands' types and the parameters. Their lengths
            are ints: in an export, where some are not, nothing is replaced.
        is_elementwise (bool): whether XLA can divide ``compute`` among several devices. Default: ``False``: it would
            gather an array that is sharded over them, for a loop.
    """
    if not LOWERS_ANEW:
        return
    rule, _ = lowering_of(primitive, "cpu")
    computed = lower_fun(compute, multiple_results=False)

    def lower(context, *operands, **parameters):
        devices = getattr(context.module_context.axis_context, "num_devices", 1)
        avals = context.avals_in
        is_known = all([isinstance(length, int) for aval in avals for length in aval.shape])
        is_ours = (is_elementwise or devices == 1) and is_known and applies(*avals, **parameters)
        if not is_ours:
            return rule(context, *operands, **parameters)
        with Tracing():
            return computed(context, *operands, **parameters)

    register_lowering(primitive, lower, platform="cpu")
