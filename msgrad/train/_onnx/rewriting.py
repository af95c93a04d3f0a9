"""Rewrites jaxprs to the subset of primitives that jax2onnx 0.17 converts correctly.

Nested programs are inlined, constants are folded, and the operations of `_FORMS` are replaced by equivalent ones. The
names of MindSpore's operations, used in errors, are kept.
"""

import contextlib
import functools

import jax
from jax import lax

from ...engine._jax_private import CALLED, CONVOLUTION, DOT, Literal, Tracer, scan_lengths
from ...engine.separation.inlining import results_of, scope

_KNOWN_SIZE = 4096  # elements; larger constants are not folded


def rewritten(program):
    """An equivalent ClosedJaxpr.

    Args:
        program (ClosedJaxpr): axes may be symbolic.
    """
    return jax.make_jaxpr(functools.partial(_values, program))(*program.in_avals)


def _values(program, *arrays):
    """Evaluates a jaxpr, with or without constants, on arrays; returns a list."""
    jaxpr, constants = (program.jaxpr, program.consts) if hasattr(program, "consts") else (program, ())
    env = dict(zip(jaxpr.constvars, constants, strict=True)) | dict(zip(jaxpr.invars, arrays, strict=True))

    def value(atom):
        return atom.val if isinstance(atom, Literal) else env[atom]

    for equation in jaxpr.eqns:
        results = _result(equation, [value(atom) for atom in equation.invars])
        env.update(zip(equation.outvars, results, strict=True))
    return [value(atom) for atom in jaxpr.outvars]


def _result(equation, operands):
    """The results of one operation."""
    name = equation.primitive.name
    with scope(equation):
        if name in CALLED:
            return _values(equation.params[CALLED[name]], *operands)
        with jax.ensure_compile_time_eval() if _is_known(equation, operands) else contextlib.nullcontext():
            if name not in _FORMS:
                return results_of(equation, operands)
            results = _FORMS[name](*operands, **equation.params)
    return results if equation.primitive.multiple_results else [results]


def _is_known(equation, operands):
    """Whether the results are small and depend on no input.

    Folding also removes float64 scalars (a rate, an epsilon), since ONNX has no arithmetic of mixed dtypes.
    """
    shapes = [result.aval.shape for result in equation.outvars]
    return (
        bool(operands)
        and not any(isinstance(operand, Tracer) for operand in operands)
        and all(isinstance(length, int) for shape in shapes for length in shape)
        and sum(result.aval.size for result in equation.outvars) <= _KNOWN_SIZE
    )


# -- equivalent forms ------------------------------------------------------------------------------------------------


def _scan(*operands, jaxpr, reverse, length, **params):
    """A scan, always in forward order."""
    num_consts, num_carry = scan_lengths(params)
    constants, carry = operands[:num_consts], operands[num_consts : num_consts + num_carry]
    rows = operands[num_consts + num_carry :]

    def turned(arrays):
        return tuple([lax.rev(array, (0,)) for array in arrays]) if reverse else tuple(arrays)

    def step(carry, row):
        results = _values(jaxpr, *constants, *carry, *row)
        return tuple(results[:num_carry]), tuple(results[num_carry:])

    carry, results = lax.scan(step, tuple(carry), turned(rows), length=length)
    return [*carry, *turned(results)]


def _while(*operands, cond_jaxpr, cond_nconsts, body_jaxpr, body_nconsts):
    for_cond, rest = operands[:cond_nconsts], operands[cond_nconsts:]
    for_body, carry = rest[:body_nconsts], rest[body_nconsts:]
    return lax.while_loop(
        lambda values: _values(cond_jaxpr, *for_cond, *values)[0],
        lambda values: tuple(_values(body_jaxpr, *for_body, *values)),
        tuple(carry),
    )


def _cond(index, *operands, branches, **_):
    return lax.switch(index, [functools.partial(_branch, branch) for branch in branches], *operands)


def _branch(program, *operands):
    return tuple(_values(program, *operands))


def _convolution(images, kernels, *, dimension_numbers, **options):
    """A convolution with its axes in ONNX's order: batch, channels, lengths."""
    numbers, standard = dimension_numbers, tuple(range(images.ndim))
    back = [numbers.out_spec.index(axis) for axis in standard]
    convolved = CONVOLUTION.bind(
        _moved(images, numbers.lhs_spec),
        _moved(kernels, numbers.rhs_spec),
        dimension_numbers=lax.ConvDimensionNumbers(standard, standard, standard),
        **options,
    )
    return _moved(convolved, back)


def _moved(array, axes):
    return array if tuple(axes) == tuple(range(array.ndim)) else lax.transpose(array, axes)


def _product(left, right, *, dimension_numbers, **options):
    """A matrix product of a dtype other than float32, as a batched product: jax2onnx's ``Gemm`` adds a float32 zero."""
    (axes, other_axes), _ = dimension_numbers
    if left.dtype == "float32" or left.ndim != 2 or right.ndim != 2 or len(axes) != 1:
        return DOT.bind(left, right, dimension_numbers=dimension_numbers, **options)
    numbers = ((axes[0] + 1,), (other_axes[0] + 1,)), ((0,), (0,))
    product = DOT.bind(left[None], right[None], dimension_numbers=numbers, **options)
    return lax.squeeze(product, (0,))


_FORMS = {
    "scan": _scan,
    "while": _while,
    "cond": _cond,
    "conv_general_dilated": _convolution,
    "dot_general": _product,
}
